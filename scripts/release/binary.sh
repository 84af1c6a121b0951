#!/usr/bin/env bash
#
# binary.sh: makes the archive that PIE downloads, for the PHP of php-config: the module with hiredis linked in, which is tried first.
# Prints the path of the archive.
#
#     scripts/release/binary.sh [--tag=TAG] [--out=DIR] [--image]
#
# TAG is that of the release, by default the version of php_redislock.h. DIR: build/release. --image first installs, as root, what an
# official image of PHP lacks, Debian's or Alpine's: for .github/workflows/release.yml.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

tag=$(sed -n 's/^#define PHP_REDISLOCK_VERSION "\(.*\)"$/\1/p' "$top/php_redislock.h")
out=$top/build/release
for arg; do
	case "$arg" in
		--tag=*) tag=${arg#*=} ;;
		--out=*) out=${arg#*=} ;;
		--image) image=true ;;
		*) usage_error "unknown argument $arg" ;;
	esac
done
[ -n "$tag" ] || die "php_redislock.h names no version"

# hiredis is compiled here: not every distribution has it as an archive.
if ${image:-false}; then
	# shellcheck disable=SC2086
	if have apk; then
		# The scripts use what the tools of GNU and util-linux have and those of busybox have not.
		apk add --no-cache $PHPIZE_DEPS linux-headers openssl-dev openssl git zip redis binutils \
			coreutils findutils grep sed gawk tar diffutils util-linux util-linux-misc procps >&2
	else
		apt-get update >&2
		apt-get install -y --no-install-recommends $PHPIZE_DEPS libssl-dev openssl git zip redis-server binutils procps >&2
	fi
	docker-php-ext-install -j "$jobs" pcntl sockets >&2
	git clone --quiet --depth 1 --branch v1.2.0 https://github.com/redis/hiredis /usr/local/src/hiredis
	make -C /usr/local/src/hiredis -j "$jobs" install >&2
	export PKG_CONFIG_PATH=/usr/local/lib/pkgconfig
fi

cd "$top"
need zip readelf strip
php=$("${PHP_CONFIG:-php-config}" --php-binary)
series=$("$php" -n -r 'echo PHP_MAJOR_VERSION, ".", PHP_MINOR_VERSION, PHP_DEBUG ? "-debug" : "";')
threads=$("$php" -n -r 'echo PHP_ZTS ? "-zts" : "";')
case "$(uname -m)" in
	x86_64) machine=x86_64 ;;
	aarch64 | arm64) machine=arm64 ;;
	*) die "PIE has no name for $(uname -m)" ;;
esac
if ldd --version 2>&1 | grep -qi musl; then libc=musl; else libc=glibc; fi
[[ $series != *-debug ]] || die "a debug build of PHP is not what users have"

# Of a folder of its own: the developers' builds have other flags.
module=$("$top/scripts/build.sh" --no-dev --static-hiredis --tls=yes --dir="$top/build/binary-$series$threads")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$module" "$scratch/redislock.so"
strip --strip-unneeded "$scratch/redislock.so"
! readelf -d "$scratch/redislock.so" | grep 'NEEDED.*hiredis' >&2 || die "the module needs libhiredis"
# The name of the archive says "glibc" and no version: it is also downloaded where that is older than here.
newest=$(readelf -V "$scratch/redislock.so" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1 || true)
[ "$(printf '%s\n' GLIBC_2.34 "$newest" | sort -V | tail -n 1)" = GLIBC_2.34 ] ||
	die "the module needs $newest, and has to load with 2.34: make it on Debian 12"
"$top/scripts/phpt.sh" --so="$scratch/redislock.so" tests/00_module tests/20_redislock tests/50_task >"$scratch/log" 2>&1 </dev/null || {
	tail -n 60 "$scratch/log" >&2
	die "what was built does not pass its tests"
}
tail -n 1 "$scratch/log" >&2

archive=$(tr '[:upper:]' '[:lower:]' <<<"php_redislock-${tag}_php$series-$machine-linux-$libc$threads.zip")
mkdir -p "$out"
rm -f "$out/$archive"
(cd "$scratch" && zip -qX "$scratch/archive.zip" redislock.so)
mv "$scratch/archive.zip" "$out/$archive"
echo "$out/$archive"
