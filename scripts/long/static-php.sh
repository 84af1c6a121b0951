#!/usr/bin/env bash
#
# static-php.sh: builds the extension inside the sources of PHP, as a part of PHP itself and as --enable-redislock=shared,
# and tries both.
#
#     scripts/long/static-php.sh [--zts] [-jN]
#
#   --zts  a thread-safe PHP, and only the extension that is a part of it: zts.sh tries the other
#
# The sources are Debian's, of the series that php-config is of, fetched once with the machine's own apt sources and kept in
# ${XDG_CACHE_HOME:-/var/cache}/redislock-static-php. It takes minutes. The logs are in build/static-php.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../inc/php-source.sh"

zts=false
for arg; do
	case "$arg" in
		--zts) zts=true ;;
		-j*) jobs=${arg#-j} ;;
		*) usage_error "unknown argument $arg" ;;
	esac
done

need php-config gcc make apt-get dpkg-source autoconf pkg-config flock git readelf redis-server
version=$(php-config --version)
series=${version%.*}
cache="${XDG_CACHE_HOME:-/var/cache}/redislock-static-php"
# shellcheck disable=SC2154
logs="$top/build/static-php"
mkdir -p "$cache" "$logs"
exec 9>"$cache/.lock"
flock 9
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# step NAME WHAT COMMAND...: says what a step wrote only when it failed. In such a COMMAND set -e is off: functions chain.
step()
{
	local log="$logs/$1.log" what=$2

	shift 2
	echo "static-php: $what" >&2
	("$@") >"$log" 2>&1 </dev/null || { tail -n 30 "$log" >&2; die "failed: $what; see $log"; }
}

configure_php()
{
	# PHP need not be fast here, only soon be there. Tests use what is enabled.
	mkdir -p "$build" && cd "$build" && CFLAGS=-O0 "$source/configure" --disable-all --disable-cgi --disable-phpdbg \
		--enable-cli --enable-pcntl --enable-posix --with-hiredis=static --with-redislock-ssl "$@"
}

# run_tests PHP [OPTION...]: with the options the tests' PHP has, too.
run_tests()
{
	local php=$1

	shift
	cd "$source/ext/redislock" && TEST_PHP_EXECUTABLE=$php NO_INTERACTION=1 REPORT_EXIT_STATUS=1 \
		"$php" -n "$source/run-tests.php" -n -q --no-progress --no-color -g FAIL,BORK,WARN,LEAK,XLEAK,SKIP "$@" \
		tests/00_module tests/20_redislock tests/50_task
}

# sum_up NAME: what the tests of a step came to. A PHP of few extensions may skip a test or two, and no others.
sum_up()
{
	grep '^Tests ' "$logs/$1.log"
	! grep '^SKIP' "$logs/$1.log" | grep -vE 'reason: (opcache is not installed|the limit is another timer there)$' ||
		die "these tests were skipped"
}

# hiredis is inside and its symbols stay there; all others are resolved at load: the renewal child cannot do that.
is_linked_well()
{
	! readelf -d "$1" | grep 'NEEDED.*hiredis' && ! readelf --dyn-syms -W "$1" | grep ' redisReaderCreate' &&
		readelf -d "$1" | grep -w NOW
}

if [ ! -e "$cache/php$series" ]; then
	step fetch "fetching the sources of PHP $series" fetch_source "php$series" "$cache/source"
	mv "$(find "$cache/source" -mindepth 1 -maxdepth 1 -type d)" "$cache/php$series"
	rm -rf "$cache/source"
fi
source="$scratch/php"
cp -a "$cache/php$series" "$source"
mkdir "$source/ext/redislock"
git -C "$top" ls-files -z --cached --others --exclude-standard | tar -C "$top" --no-recursion --null -T - -c |
	tar -C "$source/ext/redislock" -x
cd "$source"
step buildconf "generating configure" generate_configure

build="$scratch/static"
options=(--enable-redislock)
! $zts || options+=(--enable-zts)
step configure "configuring PHP with redislock in it" configure_php "${options[@]}"
step targets "PHP keeps its own make targets" sh -c '! grep scripts/unit.sh "$1"' sh "$build/Makefile"
step make "compiling it" make -C "$build" -j "$jobs" cli
php="$build/sapi/cli/php"
step loaded "php -m, php --ri redislock" sh -ec '"$1" -n -m | grep -x redislock; "$1" -n --ri redislock' sh "$php"
step linked "what it needs is what it should" is_linked_well "$php"
step tests "running tests" run_tests "$php"
sum_up tests

if ! $zts; then
	build="$scratch/shared"
	step shared-configure "configuring PHP with redislock beside it" configure_php --enable-redislock=shared
	step shared-make "compiling the module" make -C "$build" -j "$jobs" build-modules
	step shared-linked "what it needs is what it should" is_linked_well "$build/modules/redislock.so"
	php=$(php-config --php-binary)
	load_extensions "$build/modules/redislock.so" posix sockets pcntl
	step shared-tests "running tests" run_tests "$php" "${load[@]}"
	sum_up shared-tests
fi
