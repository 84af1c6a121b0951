#!/usr/bin/env bash
#
# release.sh: makes the files of a release in build/release, as far as this machine can, each with its checksum.
#
#     scripts/release/release.sh --dry-run [--tag=TAG]
#
# Publishes nothing: .github/workflows/release.yml makes a draft from a tag, and a person publishes that. Names the files that only other
# machines can make, and first checks what that workflow checks.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

dry_run=false
version=$(sed -n 's/^#define PHP_REDISLOCK_VERSION "\(.*\)"$/\1/p' "$top/php_redislock.h")
tag=$version
for arg; do
	case "$arg" in
		--dry-run) dry_run=true ;;
		--tag=*) tag=${arg#*=} ;;
		*) usage_error "unknown argument $arg" ;;
	esac
done
$dry_run || usage_error "only --dry-run is there: a release is published by its tag"
[ "${tag#v}" = "$version" ] || die "the tag $tag is not that of version $version"
need pecl sha256sum
cd "$top"
scripts/ci/check-version.sh
scripts/ci/check-composer.php
scripts/ci/check-sources.sh

rm -rf build/release
mkdir -p build/release
(cd build/release && pecl package "$top/package.xml" >/dev/null)
scripts/release/binary.sh --tag="$tag" >/dev/null
if [ -r build/vendor/vendor/autoload.php ]; then
	scripts/release/phar.sh >/dev/null
else
	echo "not here: redislock.phar; scripts/vendor.sh fetches what it carries"
fi
cp build/deb/*.deb build/release/ 2>/dev/null || echo "not here: php-redislock_${version}_*.deb; scripts/release/deb.sh makes it"
echo "not here: php_redislock-${tag}_php8.{2,3,4,5,6}-{x86_64,arm64}-linux-{glibc,musl}[-zts].zip of other PHPs and machines"
echo "not here: php_redislock-${tag}-8.{4,5,6}-{nts,ts}-vs{17,18}-x86_64.zip, the DLLs for Windows"
cd build/release
sha256sum -- *
