#!/usr/bin/env bash
#
# musl.sh: builds and tests the extension with musl, the C library of Alpine, on a Debian that has none.
#
#     scripts/long/musl.sh [--prepare] [--tls] [--fresh] [-jN] [test.phpt | folder]...
#
#   --prepare  make PHP and the libraries, and stop
#   --tls      with OpenSSL, so that the extension has TLS; takes some minutes more
#   --fresh    make PHP and the libraries anew
#
# PHP of the machine's own series, hiredis and OpenSSL are compiled by musl-gcc, once, from Debian's sources, fetched with the
# machine's own apt sources, and kept in ${XDG_CACHE_HOME:-/var/cache}/redislock-musl: 12 minutes on two processors. Servers
# are the machine's own. The group "musl" of scripts/install-deps.sh is what it takes. Prints what failed and, last, "N passed,
# N failed, N skipped". A skip is no failure: this PHP has few extensions.
#
# It is not Alpine. There is no JIT: Debian's libgcc_eh is made for glibc, and crashes in zend_jit_setup().

set -euo pipefail
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../inc/php-source.sh"

cache="${XDG_CACHE_HOME:-/var/cache}/redislock-musl"
prepare_only=false
tls=false
fresh=false
arguments=()
for arg; do
	case "$arg" in
		--prepare) prepare_only=true ;;
		--tls) tls=true ;;
		--fresh) fresh=true ;;
		-j*) jobs=${arg#-j} arguments+=("$arg") ;;
		-*) usage_error "unknown argument $arg" ;;
		*) [ -e "$arg" ] || usage_error "there is no $arg"; arguments+=("$(realpath "$arg")") ;;
	esac
done

need php-config gcc musl-gcc make apt-get dpkg-source autoconf pkg-config flock
version=$(php-config --version)
series=${version%.*}
prefix="$cache/prefix"
cc="$cache/musl-cc"
# Nothing of glibc's is found this way.
export PKG_CONFIG_LIBDIR="$prefix/lib/pkgconfig" PKG_CONFIG_PATH=

mkdir -p "$cache"
# Two runs at once would compile into the same folder.
exec 9>"$cache/.lock"
flock 9
if $fresh; then
	find "$cache" -mindepth 1 ! -name .lock -delete
fi

# --- PHP and the libraries, once --------------------------------------------------------------------

# musl-gcc looks into no folder of glibc's headers. Those of the kernel are behind links, after musl's own.
make_compiler()
{
	local folder

	mkdir -p "$cache/linux"
	for folder in linux asm-generic mtd misc; do
		ln -sfn "/usr/include/$folder" "$cache/linux/$folder"
	done
	ln -sfn "/usr/include/$(gcc -print-multiarch)/asm" "$cache/linux/asm"
	printf '#!/bin/sh\nexec musl-gcc -idirafter %s "$@"\n' "$cache/linux" >"$cc"
	chmod 755 "$cc"
}

make_hiredis()
{
	make CC="$cc" PREFIX="$prefix" libhiredis.a libhiredis.so hiredis.pc
	make CC="$cc" PREFIX="$prefix" install
	ln -sfn "$(cd "$prefix/lib" && echo libhiredis.so.*)" "$prefix/lib/libhiredis.so"
}

# Only what redislock uses.
make_openssl()
{
	CC="$cc" ./Configure "linux-$(uname -m)" --prefix="$prefix" --libdir=lib --openssldir=/etc/ssl no-tests no-engine no-async \
		no-afalgeng no-legacy no-idea no-camellia no-seed no-rc2 no-rc4 no-md4 no-bf no-cast no-des no-whirlpool no-ocsp no-cms \
		no-ts no-srp no-gost no-sm2 no-sm3 no-sm4 no-aria no-cmp no-ct -O1
	make -j "$jobs" build_generated libcrypto.so libssl.so
	make libssl.pc libcrypto.pc
	mkdir -p "$prefix/lib"
	cp -a libssl.so* libcrypto.so* "$prefix/lib/"
	make install_dev
}

make_php()
{
	generate_configure
	CC="$cc" CFLAGS="-O1 -g" ./configure --prefix="$prefix" --disable-all --enable-cli --disable-cgi --disable-phpdbg --enable-posix \
		--enable-pcntl --enable-sockets --enable-ctype --enable-filter --enable-tokenizer --enable-opcache --disable-opcache-jit --without-iconv
	make -j "$jobs"
	make install
	# Debian's phpize looks for libtool's files below PHP's own prefix, our scripts for phpize's beside the extensions.
	mkdir -p "$prefix/share"
	ln -sfn /usr/share/aclocal "$prefix/share/aclocal"
	ln -sfn "$(cd "$prefix/lib/php" && echo [0-9]*/build)" "$prefix/lib/php/build"
}

# prepare PACKAGE FUNCTION: fetches the sources of a Debian package, and has the function make and install it.
prepare()
{
	local package=$1 function=$2 log="$cache/$1.log" status

	[ ! -e "$cache/$package.made" ] || return 0
	echo "musl: making $package, once" >&2
	fetch_source "$package" "$cache/source" >"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; die "the sources cannot be had; see $log"; }
	# As a condition it would go on after each failure.
	set +e
	(set -e; cd "$(find "$cache/source" -mindepth 1 -maxdepth 1 -type d)"; "$function") >>"$log" 2>&1 </dev/null
	status=$?
	set -e
	[ $status -eq 0 ] || { tail -n 20 "$log" >&2; die "$package cannot be made; see $log"; }
	rm -rf "$cache/source"
	touch "$cache/$package.made"
}

make_compiler
prepare hiredis make_hiredis
! $tls || prepare openssl make_openssl
prepare "php$series" make_php
readelf -l "$prefix/bin/php" | grep -q /lib/ld-musl || die "$prefix/bin/php is not of musl"
if $prepare_only; then
	exit 0
fi

# --- the extension, and its tests -------------------------------------------------------------------

export PHP_CONFIG="$prefix/bin/php-config" PHPIZE="$prefix/bin/phpize"
# shellcheck disable=SC2154
module=$("$top/scripts/build.sh" --cc="$cc" --dir="$top/build/ext-musl")
CI='' "$top/scripts/phpt.sh" --so="$module" ${arguments[@]+"${arguments[@]}"}
