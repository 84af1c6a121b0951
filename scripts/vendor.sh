#!/usr/bin/env bash
#
# vendor.sh: fetches the PHP packages for tests beside them: those of tests/composer.json to build/vendor, those of
# tests/composer-optional/NAME.json to build/vendor-NAME, and Debian's php-lock 2 to build/vendor-php-lock-2.
#
#     scripts/vendor.sh [--missing]
#
# Fetches what is not there or has changed. An optional package that the registry does not have is named, with composer's reason, and
# its tests run beside a stand-in; only the others count for the exit status. build/vendor/why has the reason, for skipped tests.
# --missing: fetches nothing, and prints a line for each missing package: NAME, a space, and what its tests do without it. "all" is
# everything in tests/composer.json.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

# What the tests of an optional package run beside where it is not there.
instead()
{
	if [ "$1" = laravel-13 ]; then
		echo "its tests run beside Laravel 12"
	else
		echo "its tests run beside a stand-in"
	fi
}

if [ "${1:-}" = --missing ]; then
	[ -r "$top/build/vendor/vendor/autoload.php" ] || echo "all the tests beside packages of Composer are skipped"
	# laravel.inc stands in for no package of ours, and some stand-ins are for what Composer cannot fetch at all.
	for file in "$top"/tests/composer-optional/*.json "$top"/tests/inc/standins/*.inc; do
		name=$(basename "${file%.*}")
		[ "$name" = laravel ] || [ -r "$top/build/vendor-$name/vendor/autoload.php" ] || echo "$name $(instead "$name")"
	done | sort -u
	exit
fi

need composer flock unzip
# Two runs at once, of the matrix for one, would remove what the other has just fetched.
mkdir -p "$top/build"
exec 9>"$top/build/vendor.lock"
flock 9

# What composer complained of first, in a line: why FOLDER STATUS SECONDS.
why()
{
	local said

	said=$(awk '/^    - / { sub(/^ *- /, ""); print; exit }
		thrown && NF { sub(/^ */, ""); sub(/ *$/, ""); print; exit }
		/^In .* line [0-9]+:/ { thrown = 1 }' "$1/log")
	if [ "$2" -eq 124 ]; then
		said="composer took longer than $3 s"
	fi
	echo "${said:-composer ended with status $2, see $1/log}" | tee "$1/why"
}

# fetch FILE FOLDER SECONDS: false when the packages cannot be had, and says why; all that composer said is in FOLDER/log.
fetch()
{
	local file=$1 folder=$2 seconds=$3 status=0

	# Ours are linked to, but what their composer.json say is copied into the autoloader.
	if cmp -s "$file" "$folder/composer.json" && cat "$top"/packages/*/composer.json | cmp -s - "$folder/packages.json" &&
		[ -r "$folder/vendor/autoload.php" ]; then
		return
	fi
	rm -rf "$folder"
	mkdir -p "$folder"
	cp "$file" "$folder/composer.json"
	# Nothing a package brings along is run. Messages are not to be wrapped.
	COLUMNS=500 COMPOSER_ALLOW_SUPERUSER=1 timeout "$seconds" composer update --working-dir="$folder" --no-interaction \
		--no-progress --no-scripts --no-plugins >"$folder/log" 2>&1 </dev/null || status=$?
	if [ $status -ne 0 ]; then
		why "$folder" $status "$seconds"
		return 1
	fi
	cat "$top"/packages/*/composer.json >"$folder/packages.json"
}

why=$(fetch "$top/tests/composer.json" "$top/build/vendor" 900) || die "composer could not fetch the packages: $why"
for file in "$top"/tests/composer-optional/*.json; do
	name=$(basename "$file" .json)
	why=$(fetch "$file" "$top/build/vendor-$name" 180) || echo "LEFT OUT: the real $name; $(instead "$name"). $why"
done

php_lock=/usr/share/php/Malkusch/Lock/classes
if [ -d "$php_lock" ]; then
	if ! diff -rq "$php_lock" "$top/build/vendor-php-lock-2" >/dev/null 2>&1; then
		rm -rf "$top/build/vendor-php-lock-2"
		cp -r "$php_lock" "$top/build/vendor-php-lock-2"
	fi
else
	echo "LEFT OUT: php-lock 2, Debian's php-malkusch-lock, which is not installed; its test is skipped"
fi
