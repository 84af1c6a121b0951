#!/usr/bin/env bash
#
# arginfo.sh: writes redislock_arginfo.h from redislock.stub.php; with --check it writes nothing and exits 1 when
# the file on disk is not what it would write.
#
# The agreed generator is gen_stub.php of PHP 8.2, the oldest version we support, with Debian's php-parser. Under
# another PHP, --check compares the digest of the stub which the generated file carries, and no more.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

check=false
case "${1:-}" in
	--check) check=true ;;
	"") ;;
	*) usage_error "unknown argument $1" ;;
esac

need php "${PHP_CONFIG:-php-config}"
cd "$top"
stub=redislock.stub.php
header=redislock_arginfo.h
[ -r $stub ] || die "$stub is missing"

stale()
{
	die "$header does not match $stub: run make arginfo"
}

if [[ $("${PHP_CONFIG:-php-config}" --version) != 8.2.* ]]; then
	$check || die "the agreed generator is that of PHP 8.2, which this is not"
	grep -q "Stub hash: $(sha1sum $stub | cut -d ' ' -f 1) " $header || stale
	exit 0
fi

generator=$(phpize_dir)/gen_stub.php
[ -r "$generator" ] || die "$generator is missing"
parser=/usr/share/php/PhpParser
[ -d "$parser" ] || die "$parser is missing: scripts/install-deps.sh dev"

# gen_stub.php looks for the parser in a folder beside itself, named after the version it would download.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$generator" "$scratch/gen_stub.php"
# shellcheck disable=SC2016
version=$(sed -n 's/^[[:space:]]*\$version = "\([0-9.]*\)";$/\1/p' "$generator" | head -n 1)
mkdir -p "$scratch/PHP-Parser-$version/lib"
ln -s "$parser" "$scratch/PHP-Parser-$version/lib/PhpParser"

cp $stub "$scratch/"
if ! php "$scratch/gen_stub.php" -f "$scratch/$stub" >"$scratch/log" 2>&1 || ! [ -s "$scratch/$header" ]; then
	cat "$scratch/log" >&2
	die "gen_stub.php failed"
fi

if cmp -s "$scratch/$header" $header; then
	exit 0
fi
$check && stale
cp "$scratch/$header" $header
echo "$header written"
