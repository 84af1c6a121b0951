#!/usr/bin/env bash
#
# install-deps.sh: installs the Debian packages that are missing for our scripts.
#
#     scripts/install-deps.sh [--print] [build] [demo] [test] [sapi] [interplay] [check] [dev] [docs] [windows] [bench] [matrix] [zts] [musl]
#
# Without a group: build and test. --print names the packages, and installs nothing. If all are there, it does nothing and needs no
# rights. Servers are neither started nor enabled, since tests and demos start their own; nor are debuggers, which slow all PHP.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

# Debian has update-rc.d and phpdismod where only root looks for programs.
PATH=$PATH:/usr/sbin

packages_of()
{
	case "$1" in
		build) echo "php-cli php-dev libhiredis-dev libssl-dev pkg-config gcc make" ;;
		demo) echo "php-cli redis-server" ;;
		test) echo "php-cli redis-server openssl liblua5.1-0-dev pkg-config bash-completion zsh fish" ;;
		sapi) echo "php-fpm libapache2-mod-php" ;;
		interplay) echo "phpunit php-xdebug php-excimer php-redis php-mbstring php-xml php-malkusch-lock composer unzip" ;;
		check) echo "clang-format-14 php-parser git nodejs fossil" ;;
		dev) echo "$(packages_of check) clang llvm libclang-rt-14-dev valgrind lcov strace php-pear php-xml spin zip" ;;
		docs) echo "php-cli chromium $(have npm || echo nodejs npm)" ;;
		windows) echo "gcc-mingw-w64-x86-64-win32 wine64 dpkg-dev" ;;
		bench) echo "php-redis composer unzip" ;;
		matrix) echo "debootstrap" ;;
		zts) echo "dpkg-dev libffi-dev libonig-dev libxml2-dev" ;;
		musl) echo "musl-tools musl-dev dpkg-dev autoconf" ;;
		*) usage_error "unknown group $1; there are build, demo, test, sapi, interplay, check, dev, docs, windows, bench, matrix, zts, musl" ;;
	esac
}

is_installed()
{
	# Virtual and transitional names resolve themselves at installation; dpkg knows the real ones.
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | head -n 1)" = installed ]
}

print=false
if [ "${1:-}" = --print ]; then
	print=true
	shift
fi
[ $# -gt 0 ] || set -- build test
wanted=
for group; do
	wanted="$wanted $(packages_of "$group")"
done

if $print; then
	echo "${wanted# }"
	exit
fi
have dpkg-query || die "this is not a Debian system; needed are the equivalents of:$wanted"

missing=()
for package in $wanted; do
	if ! is_installed "$package" && [[ " ${missing[*]:-} " != *" $package "* ]]; then
		missing+=("$package")
	fi
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
	have sudo || die "root rights or sudo are needed to install: ${missing[*]}"
	as_root=(sudo)
fi

# Asked by the packages' own scripts before they start a service. An existing one is the administrator's word.
policy=/usr/sbin/policy-rc.d
made_policy=false
cleanup()
{
	if $made_policy; then
		"${as_root[@]}" rm -f "$policy"
	fi
}
trap cleanup EXIT
if [ ! -e "$policy" ]; then
	printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee "$policy" >/dev/null
	made_policy=true
	"${as_root[@]}" chmod 755 "$policy"
fi

services()
{
	find /etc/init.d /lib/systemd/system -maxdepth 1 2>/dev/null | sed -e 's|.*/||' -e 's|\.service$||' |
		grep -E '^(redis-server|php[0-9.]*-fpm|apache2)$' | LC_ALL=C sort -u || true
}

services_before=$(services)
echo "installing: ${missing[*]}" >&2
apt_get=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
log=$(mktemp)
# Somebody else's broken package source must not stop us, as long as ours can be had.
"${apt_get[@]}" update >"$log" 2>&1 </dev/null || true
if ! "${apt_get[@]}" install --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null; then
	tail -n 40 "$log" >&2
	rm -f "$log"
	die "apt-get failed"
fi
rm -f "$log"

for service in $(comm -13 <(echo "$services_before") <(services)); do
	if have systemctl; then
		"${as_root[@]}" systemctl disable "$service.service" >/dev/null 2>&1 || true
	elif have update-rc.d; then
		"${as_root[@]}" update-rc.d "$service" disable >/dev/null 2>&1 || true
	fi
done

# Tests load them by name, whether enabled or not.
for module in xdebug excimer redis; do
	if [[ " ${missing[*]} " == *" php-$module "* ]] && have phpdismod; then
		"${as_root[@]}" phpdismod -q "$module" || true
	fi
done
