#!/usr/bin/env bash
#
# left_out.sh: what scripts/test.sh could not run because packages were not to be had counts as skipped, and fails with CI=true
# unless --without names it. The steps themselves are played here, and so are composer and PHP.

set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# A tree with the two scripts, in which every step passes.
tree=$work/tree
mkdir -p "$tree"/{scripts/{ci,dev,long},tests/{composer-optional,inc/standins,shell},packages/lock} "$work/bin"
cp scripts/test.sh scripts/vendor.sh scripts/lib.sh "$tree/scripts/"
touch "$tree"/{packages/lock/composer.json,tests/composer.json,tests/composer-optional/{rare,laravel-13}.json} \
	"$tree"/tests/inc/standins/{laravel,rare,relay}.inc
for script in $(grep -oE 'scripts/[a-z/_-]+\.(sh|php)' scripts/test.sh | sort -u); do
	[ -e "$tree/$script" ] || printf '#!/bin/sh\n' >"$tree/$script"
done
printf '#!/bin/sh\necho 10 passed, 0 failed, 0 skipped\n' >"$tree/scripts/unit.sh"
touch "$tree"/tests/shell/{no_tls,static_hiredis}.sh
# Two tests need packages; a third one is skipped where SKIPS is set.
cat >"$tree/scripts/phpt.sh" <<-'SCRIPT'
	#!/usr/bin/env bash
	cd "$(dirname "$0")/.."
	skipped=0
	if [ ! -e build/vendor/vendor/autoload.php ]; then
		echo "SKIP one [tests/one.phpt] reason: scripts/vendor.sh fetched nothing: $(cat build/vendor/why)"
		echo 'SKIP two [tests/two.phpt] reason: scripts/vendor.sh has not been run'
		skipped=2
	fi
	if [ -n "${SKIPS:-}" ]; then
		echo 'SKIP three [tests/three.phpt] reason: it is Tuesday'
		skipped=$((skipped + 1))
	fi
	echo "100 passed, 0 failed, $skipped skipped"
	[ $skipped -eq 0 ] || [ "${CI:-}" != true ]
SCRIPT
printf '#!/bin/sh\n' >"$work/bin/php"
# Has what HAS names.
cat >"$work/bin/composer" <<-'SCRIPT'
	#!/usr/bin/env bash
	for argument; do
		case "$argument" in
			--working-dir=*) folder=${argument#*=} ;;
			test) exit 0 ;;
		esac
	done
	case " $HAS " in
		*" $(basename "$folder") "*) mkdir -p "$folder/vendor" && touch "$folder/vendor/autoload.php" ;;
		*)
			printf '%s\n' 'Problem 1' '    - the registry is away' '' 'Potential causes:' >&2
			exit 2
			;;
	esac
SCRIPT
chmod -R +x "$work/bin" "$tree/scripts"

# expect WHAT HAS CI STATUS SKIPPED ARGUMENT...: how test.sh ends, and how many its last line says were skipped.
expect()
{
	local what=$1 has=$2 ci=$3 status=$4 skipped=$5 got=0
	shift 5

	rm -rf "$tree/build"
	HAS=$has CI=$ci PATH="$work/bin:$PATH" "$tree/scripts/test.sh" ${ALL-"--all"} "$@" >"$work/said" 2>&1 || got=$?
	if [ "$got" -ne "$status" ] || ! tail -n 1 "$work/said" | grep -qE "^[0-9]+ passed, 0 failed, $skipped skipped\$"; then
		echo "$what: exit status $got instead of $status, or not $skipped skipped:"
		sed 's/^/    /' "$work/said"
		failed=1
	fi
}

everything='vendor vendor-laravel-13 vendor-rare'
expect "all there but Relay, which nobody fetches" "$everything" true 0 1 --without=relay
expect "that is not named" "$everything" true 1 1
expect "nor need it be outside of CI" "$everything" "" 0 1
expect "one package is missing" "vendor vendor-laravel-13" true 1 2 --without=relay
expect "and named" "vendor vendor-laravel-13" true 0 2 --without=rare,relay
expect "one more is missing" "vendor" true 1 3 --without=rare,relay
expect "a part of a name is none" "vendor vendor-laravel-13" true 1 2 --without=rar,relay
expect "no registry" "" true 1 7 --without=rare,relay,laravel-13
expect "no registry, as is said" "" true 0 7 --without=all
expect "no registry, outside of CI" "" "" 0 7
for line in '^    vendor.sh: composer could not fetch the packages: the registry is away$' \
	'reason: scripts/vendor.sh fetched nothing: the registry is away$'; do
	if ! grep -q "$line" "$work/said"; then
		echo "no registry: nothing says \"$line\":"
		sed 's/^/    /' "$work/said"
		failed=1
	fi
done
SKIPS=yes expect "another test is skipped as well" "" true 1 8 --without=all
SKIPS=yes expect "another test is skipped" "$everything" true 1 2 --without=relay
ALL='' expect "every day" "$everything" true 0 1 --without=relay
ALL='' expect "every day, no registry" "" true 1 7 --without=rare,relay,laravel-13
if grep -qE 'clang|simulated|tests/shell' "$work/said"; then
	echo "every day runs what only --all is to run"
	failed=1
fi
expect "nothing is fetched" "$everything" true 1 7 --no-install
exit $failed
