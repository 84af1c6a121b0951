#!/usr/bin/env bash
#
# phpt.sh: runs all phpt tests, or the files and folders named, with the module of scripts/build.sh.
#
#     scripts/phpt.sh [--dir=DIR] [--so=FILE] [--asan | --valgrind] [--quick] [-jN] [test.phpt | folder]...
#
# Tests run in a copy of tests/, without php.ini, six for each processor; those with --CONFLICTS-- "all" judge milliseconds, and run
# last, one for each. Differences of failed tests are shown, and their files kept in build/phpt. The last line is "N passed, N failed,
# N skipped"; with CI=true a skipped test is a failure. tests/README.md explains --quick, and bounds of time that were not judged,
# which build/phpt-bounds, or the file in PHPT_BOUNDS, remembers. --asan: with the module of scripts/build.sh --asan. --valgrind: every
# PHP under memcheck, whose complaints are failures. Both keep freed memory, so tests of memory and its limit are left out.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

dir="$top/build/ext"
module=
checker=
workers=
quick=false
tests=()
for arg; do
	case "$arg" in
		--dir=*) dir=${arg#*=} ;;
		--so=*) module=${arg#*=} ;;
		--asan) checker=asan; dir="$top/build/ext-asan" ;;
		--valgrind) checker=valgrind ;;
		--quick) quick=true ;;
		-j*) workers=${arg#-j} ;;
		-*) usage_error "unknown argument $arg" ;;
		*) [ -e "$arg" ] || usage_error "there is no $arg"; tests+=("$(cd "$(dirname "$arg")" && pwd)/$(basename "$arg")") ;;
	esac
done
if [ -z "$workers" ]; then
	# Under a checker they compute.
	workers=$((jobs * (${#checker} > 0 ? 1 : 6)))
	[ "$workers" -le 32 ] || workers=32
fi
module=${module:-$dir/modules/redislock.so}
[ -r "$module" ] || die "$module is missing: scripts/build.sh makes it"
module=$(cd "$(dirname "$module")" && pwd)/$(basename "$module")
php=$("${PHP_CONFIG:-php-config}" --php-binary)
run_tests=$(phpize_dir)/run-tests.php

case "$checker" in
	asan) preload_asan ;;
	valgrind) need valgrind; export USE_ZEND_ALLOC=0 ZEND_DONT_UNLOAD_MODULES=1 ;;
esac
if [ ${#tests[@]} -eq 0 ]; then
	for folder in "$top"/tests/[0-9][0-9]_*; do
		[ ! -d "$folder" ] || tests+=("$folder")
	done
fi
[ ${#tests[@]} -gt 0 ] || die "there is no numbered folder below tests/"

# What the caller has for himself is not for the tests: workers of another user have to read what they write, Laravel,
# Symfony and Xdebug read these names before the tests' settings, and a unix socket's path has 107 bytes and no blanks.
umask 022
for name in $(compgen -e | grep -E '^(APP|CACHE|LOG|QUEUE|REDIS|XDEBUG)_' || true); do
	unset "$name"
done
scratch=$(mktemp -d)
if [ ${#scratch} -gt 50 ] || [[ $scratch = *[[:space:]]* ]]; then
	rmdir "$scratch"
	scratch=$(mktemp -d -p /tmp)
fi
# Processes that tests began and that still live: they name our folder in their command or environment, or have loaded the
# module from there, as renewal children have, which let go of all else.
leftovers()
{
	# These programs do not name it.
	(
		unset REDISLOCK_TEST_BOUNDS TMPDIR TEST_PHP_EXECUTABLE TEST_PHP_SRCDIR
		grep -lsF -f - /proc/[0-9]*/cmdline /proc/[0-9]*/environ /proc/[0-9]*/maps <<<"$scratch/" | cut -d / -f 3 | sort -u || true
	)
}

# A test that took too long has lost only the shell around it. It and what it started would go on, maybe turn in
# circles, for ever.
cleanup()
{
	local process

	for process in $(leftovers); do
		kill -KILL "$process" 2>/dev/null || true
	done
	rm -rf "$scratch"
}
trap cleanup EXIT

# The copy looks like the tree: tests find lua/, examples/ and the rest two folders up. Servers that tests start may
# run as another user, who has to get in.
tree="$scratch/tree"
mkdir "$tree" "$scratch/tmp"
chmod 755 "$scratch"
# A build that goes on meanwhile must not change the file under the running tests.
cp "$module" "$scratch/redislock.so"
load_extensions "$scratch/redislock.so" posix sockets pcntl
"$php" -n "${load[@]}" -r 'exit(extension_loaded("redislock") && extension_loaded("posix") ? 0 : 1);' ||
	die "PHP does not load redislock, posix, sockets and pcntl together"
chmod 1777 "$scratch/tmp"
for entry in "$top"/* "$top"/.[!.]*; do
	[ "$entry" = "$top/tests" ] || ln -s "$entry" "$tree/"
done
tar -C "$top" --exclude='tests/[0-9]*/*.log' --exclude='tests/[0-9]*/*.diff' -c tests | tar -C "$tree" -x
tests=("${tests[@]/#"$top/tests/"/"$tree/tests/"}")
slow=0
if $quick; then
	# shellcheck disable=SC2046
	set -- $(find "${tests[@]}" -name '*.phpt' -exec grep -l '^/\* slow: ' {} +)
	slow=$#
	[ $# -eq 0 ] || rm "$@"
	export REDISLOCK_TEST_QUICK=1
fi
if [ -n "$checker" ]; then
	grep -rlE 'memory_limit|VmRSS|^memory: ok' --include='*.phpt' "$tree"/tests/[0-9]* | xargs -r rm -f
fi
if [ "$checker" = asan ]; then
	# It says that it does not know swapcontext().
	rm -f "$tree/tests/40_renewal/lost_coroutine.phpt"
fi
if [ "$checker" = valgrind ]; then
	# It sees valgrind's own.
	rm -f "$tree/tests/40_renewal/child_descriptors.phpt"
fi

# run-tests.php reads further arguments of its own from TEST_PHP_ARGS.
unset TEST_PHP_ARGS
# It also tries failed tests again when they so much as call usleep(), and what the first try said is gone by then. And it
# hands out up to 33 tests at a time, so that at the end one worker has many left and the others none.
sed -e 's/while (count(\$files) <=* \$batchSize /while (!$files /' -e 's/if (!$passed && !$retried && /if (false \&\& /' "$run_tests" >"$scratch/run-tests.php"
touch "$scratch/bounds" "$scratch/results" "$scratch/log"
chmod 666 "$scratch/bounds"
export REDISLOCK_TEST_BOUNDS=$scratch/bounds
export TMPDIR=$scratch/tmp TEST_PHP_EXECUTABLE=$php TEST_PHP_SRCDIR=$tree NO_INTERACTION=1
if [ "$checker" = valgrind ]; then
	# Leaks are for the unit tests and scripts/long/zts.sh to find: this way PHP itself leaves memory to the end of the
	# process.
	mkdir "$scratch/valgrind"
	cat >"$scratch/php" <<-SCRIPT
		#!/bin/sh
		# Before the tests run-tests.php asks this PHP what it is, loading every extension there is.
		case "\$*" in
			*"$tree"/tests/*) ;;
			*) exec "$php" "\$@" ;;
		esac
		exec valgrind --quiet --trace-children=yes --trace-children-skip='*/sh,*/bash,*/redis-server,*/valkey-server,*/unshare' \\
			--suppressions="$top/scripts/inc/valgrind.supp" --log-file="$scratch/valgrind/%p" "$php" "\$@"
	SCRIPT
	chmod 755 "$scratch/php"
	export TEST_PHP_EXECUTABLE="$scratch/php"
fi
# Those that judge milliseconds come last. They do not need a machine of their own, as --CONFLICTS-- says to who knows no more;
# one for each processor is few enough.
find "${tests[@]}" -name '*.phpt' 2>/dev/null | LC_ALL=C sort >"$scratch/all" || true # a slow one that was named is gone
xargs -r grep -lx -e '--CONFLICTS--' <"$scratch/all" >"$scratch/quiet" || true
grep -vxF -f "$scratch/quiet" "$scratch/all" >"$scratch/busy" || true
xargs -r sed -i '/^--CONFLICTS--$/,+1d' <"$scratch/quiet"

# Runs the tests that the file $1 lists, $2 at a time.
run()
{
	local said=0 parallel=()

	[ -s "$1" ] || return 0
	# Parallel mode needs more than one test file, and a single test is easier to read without it.
	[ "$2" -le 1 ] || [ "$(wc -l <"$1")" -le 1 ] || parallel=("-j$2")
	timeout -k 10 "${PHPT_TIMEOUT:-3600}" "$php" -n "$scratch/run-tests.php" -n -q "${parallel[@]}" --no-progress --no-color \
		--show-diff --set-timeout "${PHPT_TEST_TIMEOUT:-300}" -g FAIL,BORK,WARN,LEAK,XLEAK,SKIP -W "$1.results" \
		"${load[@]}" -r "$1" >"$1.log" 2>&1 </dev/null || said=$?
	[ $said -eq 0 ] || status=$said
	if [ -s "$1.results" ]; then
		cat "$1.results" >>"$scratch/results"
		# From the first result on; before it stand only the settings.
		sed -i -n '/^\(Running selected tests\|TIME START\)/,$p' "$1.log"
	fi
	cat "$1.log" >>"$scratch/log"
}

status=0
run "$scratch/busy" "$workers"
run "$scratch/quiet" $((workers < jobs ? workers : jobs))

count()
{
	grep -c -E "^($1)	" "$scratch/results" 2>/dev/null || true
}

# WARNED: it passed when tried again, by a run-tests.php that our edit did not fit. A test that needs luck has failed.
passed=$(count 'PASSED|XFAILED')
failed=$(count 'FAILED|BORKED|WARNED|LEAKED|XLEAKED')
skipped=$(count SKIPPED)
if [ "$failed" -eq 0 ] && [ $status -ne 0 ]; then
	echo "run-tests.php ended with status $status"
	tail -n 30 "$scratch/log"
	failed=1
elif [ $((passed + failed + skipped)) -eq 0 ]; then
	tail -n 30 "$scratch/log"
	echo "no test was found"
	failed=1
elif [ "$failed" -gt 0 ]; then
	rm -rf "$top/build/phpt"
	mkdir -p "$top/build/phpt"
	find "$tree/tests" -name '*.log' | while read -r left; do
		cp "${left%.log}".* "$top/build/phpt/"
	done
	cat "$scratch/log"
fi
grep -h '^SKIP' "$scratch/log" || true

if [ "$checker" = valgrind ]; then
	# A file per process. Lines that begin with "--" tell of system calls valgrind does not know, which is not our trouble.
	sed -i '/^--[0-9]*-- /d' "$scratch"/valgrind/*
	for said in "$scratch"/valgrind/*; do
		[ -s "$said" ] || continue
		failed=$((failed + 1))
		cat "$said"
	done
fi

# Bounds of time, each with the number of runs in a row in which it was not judged. Of one that a test judged more than once,
# the best counts.
bounds=${PHPT_BOUNDS:-$top/build/phpt-bounds}
[ -z "$checker" ] || bounds=/dev/null # a checker is what keeps the machine busy
mkdir -p "$top/build"
touch -a "$bounds"
awk -F '\t' -v OFS='\t' '
	FILENAME == ARGV[1] { runs[$2] = $1; next }
	$1 == "judged" { seen[$2] = judged[$2] = 1; next }
	{ seen[$2] = 1 }
	END {
		for (name in seen)
			runs[name] = name in judged ? 0 : runs[name] + 1
		for (name in runs)
			if (runs[name] > 0)
				print runs[name], name > "/dev/stderr"
		for (name in seen)
			print runs[name], name
	}' "$bounds" "$scratch/bounds" >"$scratch/now" 2>"$scratch/unjudged"
if [ -f "$bounds" ]; then
	cp "$scratch/unjudged" "$bounds"
fi
unjudged=$(grep -vc $'^0\t' "$scratch/now" || true)
if [ "$unjudged" -gt 0 ]; then
	echo "note: of $(grep -c . "$scratch/now") bounds of time $unjudged could not be judged, because the machine was busy:"
	sed -n 's/^[1-9][0-9]*\t/note:     /p' "$scratch/now" | sort
fi
while IFS=$'\t' read -r runs name; do
	if [ "$runs" -ge 3 ]; then
		failed=$((failed + 1))
		echo "NOT JUDGED in $runs runs in a row: $name"
	fi
done <"$scratch/now"
[ $slow -eq 0 ] || echo "note: without $slow slow tests, which scripts/test.sh --all runs"

# Nobody is to be left behind. Whoever is just ending has a moment for that. A renewal child has as long as it is promised to try: if its
# server has ended with the test before it, that is one ttl, a minute at most.
ended=$SECONDS
while left=$(leftovers); [ -n "$left" ]; do
	# shellcheck disable=SC2046
	others=$(grep -Lsx redislock:renew $(sed 's|.*|/proc/&/comm|' <<<"$left") || true)
	[ $((SECONDS - ended)) -lt $((${#others} > 0 ? 5 : 70)) ] || break
	sleep 0.5
done
for process in $left; do
	[ -e "/proc/$process" ] || continue
	failed=$((failed + 1))
	program=$(tr -s '\0 ' ' ' 2>/dev/null <"/proc/$process/cmdline" || true)
	test=$(tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" | sed -n 's|^SCRIPT_FILENAME=.*/tests/||p' || true)
	echo "LEFT BEHIND by ${test:-a test}: process $process, $program"
done

echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && { [ "$skipped" -eq 0 ] || [ "${CI:-}" != true ]; }
