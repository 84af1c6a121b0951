#!/usr/bin/env bash
#
# random.sh: plays random stories, calls of several locks amid faults, against an oracle that reads the servers.
#
#     scripts/long/random.sh [--seconds=N] [--stories=N] [--seed=N]
#     scripts/long/random.sh --fibers [--seconds=N] [--stories=N] [--seed=N]
#     scripts/long/random.sh --lies
#     scripts/long/random.sh FILE...
#
# By default for a minute, from a random seed, which is printed. A story that fails is shortened, and printed as PHP; the last form plays
# it from a file. tests/random/stories has those that failed once. --lies checks the oracle: the processes report what is not true, and
# each lie must be found. RANDOM_SO names another build. tests/random/Story.php makes stories, tests/random/Oracle.php has the rules.
# --fibers: fibers, signal handlers and observers of one process share objects, amid waits in an event loop. What they did is printed of a
# story that fails; times decide, too, so its seed may not fail again. With --asan: by the module of scripts/build.sh --asan.
# The last line is "N passed, N failed, 0 skipped".

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

seconds=60
stories=1000000
seed=$((RANDOM * 32768 + RANDOM))
what=play
asan=false
files=()
for arg; do
	case "$arg" in
		--seconds=*) seconds=${arg#*=} ;;
		--stories=*) stories=${arg#*=} ;;
		--seed=*) seed=${arg#*=} ;;
		--lies) what=lies ;;
		--fibers) what=fibers ;;
		--asan) asan=true ;;
		-*) usage_error "unknown argument $arg" ;;
		*) what=files files+=("$(realpath "$arg")") ;;
	esac
done
[[ $seconds =~ ^[0-9]{1,6}$ ]] || usage_error "$seconds is not a number of seconds"
[[ $stories =~ ^[0-9]{1,9}$ ]] || usage_error "$stories is not a number of stories"
[[ $seed =~ ^[0-9]{1,15}$ ]] || usage_error "$seed is not a seed"
need redis-server

php=$("${PHP_CONFIG:-php-config}" --php-binary)
module=${RANDOM_SO:-$("$top/scripts/build.sh" $($asan && echo --asan))}
load_extensions "$module" posix pcntl sockets
case $what in
	play | fibers) arguments=("$seed" "$stories" "$seconds"); echo "from seed $seed on" ;;
	lies) arguments=(1 200) ;;
	files) arguments=("${files[@]}") ;;
esac
if $asan; then
	preload_asan
fi
# What it starts ends with it: the servers hang on its pipes.
exec "$php" -n -d memory_limit=1G "${load[@]}" "$top/tests/random/run.php" "$what" "${arguments[@]}"
