# shellcheck shell=bash
#
# roots.sh: plain directories with another Debian release in them, and commands run there. Sourced by
# scripts/long/matrix.sh and scripts/release/deb.sh, which define $top, say() and die().

# --- the machine's own apt ---------------------------------------------------------------------------------

# Prints "uri<TAB>keyring" of the first archive of Debian's own releases that apt is configured with. Security
# archives have another layout and cannot be bootstrapped from. The keyring may be empty.
machine_archive()
{
	local file
	for file in /etc/apt/sources.list.d/*.sources; do
		[ -e "$file" ] || continue
		awk 'BEGIN { RS = ""; FS = "\n" }
			{
				uri = suites = key = components = ""
				for (i = 1; i <= NF; i++) {
					if ($i ~ /^Enabled:[ \t]*no/) next
					if ($i ~ /^#/) continue
					n = index($i, ":"); field = tolower(substr($i, 1, n - 1))
					value = substr($i, n + 1); gsub(/^[ \t]+|[ \t]+$/, "", value)
					if (field == "uris") { split(value, part, /[ \t]+/); uri = part[1] }
					if (field == "suites") suites = value
					if (field == "components") components = value
					if (field == "signed-by" && value ~ /^\//) key = value
				}
				if (uri ~ /\/debian\/?$/ && components ~ /(^| )main( |$)/ && suites !~ /-security/) {
					print uri "\t" key; exit
				}
			}' "$file"
	done
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -e "$file" ] || continue
		awk '$1 == "deb" {
				key = ""; line = $0
				if (match(line, /signed-by=[^] ,]*/)) key = substr(line, RSTART + 10, RLENGTH - 10)
				sub(/\[[^]]*\]/, "", line); split(line, part, /[ \t]+/)
				if (part[2] ~ /\/debian\/?$/ && part[3] !~ /-security|\/updates/) { print part[2] "\t" key; exit }
			}' "$file"
	done
}

archive=$(machine_archive)
archive=${archive%%$'\n'*}
[ -n "$archive" ] || die "no Debian archive found in /etc/apt/sources.list or sources.list.d"
keyring=${archive#*$'\t'}
archive=${archive%%$'\t'*}

# How this machine reaches its archive: proxies, certificates, clock checks. Taken from apt's merged view, so
# that it does not matter in which file somebody wrote it.
apt_reach()
{
	apt-config dump | grep -E '^Acquire::(https?::|Retries|Check-|ForceIPv|AllowInsecure)' || true
}

# debootstrap fetches with wget, which knows proxies only from the environment.
reach_environment()
{
	local proxy
	proxy=$(apt-config dump --format '%v' Acquire::http::Proxy)
	if [ -n "$proxy" ] && [ "$proxy" != DIRECT ]; then
		export http_proxy=$proxy https_proxy=${https_proxy:-$proxy}
	fi
}

# --- namespaces --------------------------------------------------------------------------------------------

inner=
work=

# An interrupted run: once the namespace's first process is dead, the kernel ends everything in the namespace and
# drops its mounts, and only the copied tree is left to remove.
clean_up()
{
	if [ -n "$inner" ]; then
		kill -KILL "$inner" 2>/dev/null || true
		wait "$inner" 2>/dev/null || true
	fi
	[ -z "$work" ] || rm -rf -- "$work"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# isolated LIMIT COMMAND...: runs a command in namespaces of its own for at most LIMIT seconds. In the
# background, so that this shell can act on a signal while it waits. Each link of the chain dies with the one
# before it, so that killing the first is enough.
isolated()
{
	local limit=$1 status=0
	shift
	setpriv --pdeathsig KILL timeout --signal=KILL "$limit" \
		setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child=KILL -- "$@" </dev/null 9>&- &
	inner=$!
	wait "$inner" || status=$?
	inner=
	return "$status"
}

# in_root ROOT LIMIT SCRIPT [ARGUMENT...]: runs a shell script inside a root. Names are resolved and servers
# authenticated as outside, by bind mounts that vanish with the namespace; nothing of it is stored in the root.
in_root()
{
	local root=$1 limit=$2 script=$3
	shift 3
	# shellcheck disable=SC2016
	isolated "$limit" bash -euc '
		root=$1; shift
		mount -t proc proc "$root/proc"
		mount --rbind /dev "$root/dev"
		mount -t tmpfs -o mode=1777,size=1g tmpfs "$root/tmp"
		for path in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt /etc/apt/auth.conf /etc/apt/auth.conf.d; do
			[ -e "$path" ] || continue
			[ -e "$root$path" ] || if [ -d "$path" ]; then mkdir -p "$root$path"; else : >"$root$path"; fi
			mount --bind "$(readlink -f "$path")" "$root$path"
		done
		exec chroot "$root" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
			HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive TERM=dumb CI="${CI:-}" \
			${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
			bash -euo pipefail -c "$@"
	' in_root "$root" "$script" in_root "$@"
}

# --- making a root -----------------------------------------------------------------------------------------

# The root is built beside its final place and renamed when complete, so a half-made one is never used.
bootstrap_root()
{
	local root=$1 suite=$2 log=$3 option=()
	"$top/scripts/install-deps.sh" matrix >"$log" 2>&1 || die "debootstrap cannot be installed, see $log"
	[ -z "$keyring" ] || option+=("--keyring=$keyring")
	say "$suite: debootstrap (once, about a minute)"
	rm -rf -- "$root.partial"
	reach_environment
	isolated 1800 debootstrap --variant=minbase --include=ca-certificates "${option[@]}" \
		"$suite" "$root.partial" "$archive" >"$log" 2>&1 || die "debootstrap failed, see $log"
	# Packages must not start their services: the tests start their own servers.
	printf '#!/bin/sh\nexit 101\n' >"$root.partial/usr/sbin/policy-rc.d"
	chmod 755 "$root.partial/usr/sbin/policy-rc.d"
	mv -- "$root.partial" "$root"
}

# The archive for a root: write_sources ROOT SUITE [OVERLAY...].
write_sources()
{
	local root=$1 one
	shift
	apt_reach >"$root/etc/apt/apt.conf.d/90reach"
	echo 'APT::Install-Recommends "false";' >>"$root/etc/apt/apt.conf.d/90reach"
	rm -f "$root/etc/apt/sources.list"
	for one; do
		echo "deb $archive $one main"
	done >"$root/etc/apt/sources.list.d/matrix.list"
}
