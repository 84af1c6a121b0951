#!/usr/bin/env bash
#
# zts.sh: builds and tests the extension with a thread-safe debug PHP.
#
#     scripts/long/zts.sh [--prepare] [--fresh] [--no-phpt | --no-threads | --asan] [--requests=N] [-jN] [test.phpt | folder]...
#
#   --prepare     make the thread-safe PHP and stop
#   --fresh       make it anew
#   --no-phpt     only the threads test (tests/zts)
#   --no-threads  only the phpt suite
#   --requests=N  so many requests for the workers of the threads test, 400 by default
#   --asan        only the phpt suite, with a PHP and a module built with the address and undefined-behaviour sanitizers
#
# No Debian package holds such a PHP. It is compiled once from the source package of the machine's own PHP, fetched
# with the machine's own apt sources, and kept in ${XDG_CACHE_HOME:-/var/cache}/redislock-zts; again when it has to have
# other options. It has what libraries there are for: see the group "zts" of scripts/install-deps.sh. The tree is built in
# a scratch copy with developer warnings. Prints what failed and, last, "N passed, N failed, N skipped".

set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../inc/php-source.sh"

cache="${XDG_CACHE_HOME:-/var/cache}/redislock-zts"
workers=2
prepare_only=false
fresh=false
phpt=true
threads=true
asan=false
requests=400
tests=()
for arg; do
	case "$arg" in
		--prepare) prepare_only=true ;;
		--fresh) fresh=true ;;
		--no-phpt) phpt=false ;;
		--no-threads) threads=false ;;
		--asan) asan=true; threads=false ;;
		--requests=*) requests=${arg#*=} ;;
		-j*) workers=${arg#-j} ;;
		-*) usage_error "unknown argument $arg" ;;
		*) [ -e "$arg" ] || usage_error "there is no $arg"; tests+=("$(realpath "$arg")") ;;
	esac
done

need php-config gcc make apt-get dpkg-source autoconf pkg-config flock timeout
version=$(php-config --version)
series=${version%.*}
prefix="$cache/php$series"

# What the tests use, except Apache's module, which PHP makes only in place of the library for other programs, and Xdebug and
# Excimer, which mirrors may lack the sources of. Some need libraries that not every machine has the headers of; Laravel uses
# all of mbstring.
options=(--disable-all --enable-cli --disable-cgi --disable-phpdbg --enable-fpm --enable-embed=shared --enable-zts
	--enable-debug --enable-ctype --enable-filter --enable-opcache --enable-pcntl --enable-posix --enable-session
	--enable-sockets --enable-tokenizer --without-pear)
! pkg-config --exists libffi || options+=(--with-ffi)
! pkg-config --exists libxml-2.0 || options+=(--with-libxml --enable-dom)
! pkg-config --exists oniguruma || options+=(--enable-mbstring)
! pkg-config --exists openssl || options+=(--with-openssl)
if $asan; then
	prefix+=-asan
	options+=(--enable-address-sanitizer --enable-undefined-sanitizer --without-valgrind)
fi

say()
{
	echo "zts: $*" >&2
}

mkdir -p "$cache"
# Two runs at once would compile into the same folder.
exec 9>"$cache/.lock"
flock 9

# --- a thread-safe PHP, once ----------------------------------------------------------------------

compile_php()
{
	local source

	source=$(find "$cache/source" -mindepth 1 -maxdepth 1 -type d)
	cd "$source"
	generate_configure
	./configure --prefix="$prefix" "${options[@]}"
	# PHP itself runs while it is made, and leaves memory to the end of the process.
	export ASAN_OPTIONS=detect_leaks=0
	make -j2
	make install
	# Debian's phpize looks for libtool's files below PHP's own prefix, our scripts for phpize's beside the extensions.
	mkdir -p "$prefix/share"
	ln -sfn /usr/share/aclocal "$prefix/share/aclocal"
	ln -sfn "$(cd "$prefix/lib/php" && echo [0-9]*/build)" "$prefix/lib/php/build"
}

prepare_php()
{
	local log="$prefix.log" status

	if ! $fresh && [ "$(cat "$prefix/.recipe" 2>/dev/null)" = "${options[*]}" ]; then
		return
	fi
	rm -rf "$prefix"
	say "fetching the sources of PHP $series"
	fetch_source "php$series" "$cache/source" >"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; die "the sources cannot be had; see $log"; }
	say "compiling PHP $series, once; this takes minutes"
	# As a condition it would go on after each failure.
	set +e
	(set -e; compile_php) >>"$log" 2>&1 </dev/null
	status=$?
	set -e
	[ $status -eq 0 ] || { tail -n 20 "$log" >&2; die "PHP cannot be compiled; see $log"; }
	rm -rf "$cache/source"
	echo "${options[*]}" >"$prefix/.recipe"
}

prepare_php
if $prepare_only; then
	exit 0
fi

# --- the extension, in a copy of the tree ---------------------------------------------------------

export PHP_CONFIG="$prefix/bin/php-config" PHPIZE="$prefix/bin/phpize"
php="$prefix/bin/php"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Links would do for compiling; but the sources must not change while the tests run. Composer's packages do not.
copy_tree()
{
	mkdir -p "$scratch/tree"
	# shellcheck disable=SC2154
	(cd "$top" && tar -c --exclude=./build --exclude=./.git --exclude=./vendor .) | tar -x -C "$scratch/tree"
	mkdir -p "$top/build" "$scratch/tree/build"
	find "$top/build" -maxdepth 1 -name 'vendor*' -exec ln -s {} "$scratch/tree/build/" ';'
}

passed=0
failed=0
skipped=0

# Adds up the last line of a log.
count()
{
	local ok bad skip summary

	summary=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$1" | tail -n 1 || true)
	if [ -z "$summary" ]; then
		failed=$((failed + 1))
		return
	fi
	read -r ok _ bad _ skip _ <<<"$summary"
	passed=$((passed + ok))
	failed=$((failed + bad))
	skipped=$((skipped + skip))
	sed -i '$d' "$1"
}

copy_tree
say "building the extension"
kind=--debug checker=()
if $asan; then
	kind=--asan checker=(--asan)
fi
module=$(nice -n 19 "$scratch/tree/scripts/build.sh" $kind --dir="$scratch/ext") || die "the extension does not compile"

# --- tests ----------------------------------------------------------------------------------------

run_threads()
{
	local status=0 library flags

	library=$(find "$prefix/lib" -name libphp.so -printf '%h' -quit)
	# PHP's own headers are not ours to judge.
	# shellcheck disable=SC2207
	flags=(-std=gnu11 -g -O0 -Wall -Wextra -Werror $("$PHP_CONFIG" --includes | sed 's/-I/-isystem /g')
		-DZEND_ENABLE_STATIC_TSRMLS_CACHE=1)
	gcc "${flags[@]}" -o "$scratch/threads" "$scratch/tree/tests/zts/threads.c" \
		-L"$library" -Wl,-rpath,"$library" -lphp -lpthread || die "tests/zts/threads.c does not compile"
	gcc "${flags[@]}" -Wno-unused-parameter -shared -fPIC -o "$scratch/frankenphp.so" "$scratch/tree/tests/ext/frankenphp.c" ||
		die "tests/ext/frankenphp.c does not compile"
	timeout -k 10 $((300 + requests / 10)) nice -n 19 "$php" -n -d "extension=$module" "$scratch/tree/tests/zts/threads.php" \
		"$scratch/threads" "$module" "$scratch/frankenphp.so" "$requests" >"$scratch/threads.log" 2>&1 </dev/null || status=$?
	ok=$(grep -c '^ok ' "$scratch/threads.log" || true)
	bad=$(grep -c '^not ok ' "$scratch/threads.log" || true)
	if [ "$bad" -eq 0 ] && { [ $status -ne 0 ] || [ "$ok" -eq 0 ]; }; then
		echo "threads.php ended with status $status" >>"$scratch/threads.log"
		bad=1
	fi
	[ "$bad" -eq 0 ] || cat "$scratch/threads.log"
	grep "^ok .*at worst" "$scratch/threads.log" || true
	passed=$((passed + ok))
	failed=$((failed + bad))
}

run_phpt()
{
	local log="$scratch/phpt.log"

	say "running the phpt suite"
	nice -n 19 "$scratch/tree/scripts/phpt.sh" --so="$module" ${checker[@]+"${checker[@]}"} -j"$workers" \
		"${tests[@]/#"$top/"/"$scratch/tree/"}" >"$log" 2>&1 || true
	count "$log"
	cat "$log"
}

if $threads; then
	say "running the threads test"
	run_threads
fi
if $phpt; then
	run_phpt
fi
echo "$passed passed, $failed failed, $skipped skipped"
# Unlike elsewhere a skip is no failure, in CI either: the time limit of this kind of PHP is another.
[ "$failed" -eq 0 ]
