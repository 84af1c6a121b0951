#!/usr/bin/env bash
#
# random.sh: plays random stories, calls of several locks amid faults, against an oracle that reads the servers.
#
#     scripts/long/random.sh [--seconds=N] [--stories=N] [--seed=N]
#     scripts/long/random.sh --lies
#     scripts/long/random.sh FILE...
#
# For a minute, from a random seed on that is printed, unless told otherwise. A story that fails is made as short as it can,
# and printed as PHP; in a file, it is played again by the third form. Those that failed once are kept in
# tests/random/stories. --lies has the processes say what is not so, in several ways, and fails unless the oracle finds each:
# a check of the checker. RANDOM_SO names another build of the extension. Prints, last, "N passed, N failed, 0 skipped".
# The stories are made by tests/random/Story.php, the rules are tests/random/Oracle.php.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

seconds=60
stories=1000000
seed=$((RANDOM * 32768 + RANDOM))
what=play
files=()
for arg; do
	case "$arg" in
		--seconds=*) seconds=${arg#*=} ;;
		--stories=*) stories=${arg#*=} ;;
		--seed=*) seed=${arg#*=} ;;
		--lies) what=lies ;;
		-*) usage_error "unknown argument $arg" ;;
		*) what=files files+=("$(realpath "$arg")") ;;
	esac
done
[[ $seconds =~ ^[0-9]{1,6}$ ]] || usage_error "$seconds is not a number of seconds"
[[ $stories =~ ^[0-9]{1,9}$ ]] || usage_error "$stories is not a number of stories"
[[ $seed =~ ^[0-9]{1,15}$ ]] || usage_error "$seed is not a seed"
need redis-server

php=$("${PHP_CONFIG:-php-config}" --php-binary)
module=${RANDOM_SO:-$("$top/scripts/build.sh")}
load_extensions "$module" posix pcntl sockets
case $what in
	play) arguments=("$seed" "$stories" "$seconds"); echo "from seed $seed on" ;;
	lies) arguments=(1 200) ;;
	files) arguments=("${files[@]}") ;;
esac
# What it starts ends with it: the servers hang on its pipes.
exec "$php" -n -d memory_limit=1G "${load[@]}" "$top/tests/random/run.php" "$what" "${arguments[@]}"
