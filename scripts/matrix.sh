#!/usr/bin/env bash
#
# matrix.sh: builds and tests the tree in other Debian releases than this machine's.
#
# Every release is a plain directory made once by debootstrap and kept outside the tree. A run copies the tree
# in, builds it with each compiler (developer flags, not one warning allowed) and runs the phpt suite against
# each server. One Markdown row per cell; exit 1 when a cell failed, 2 when the run itself could not happen.
#
# The archive is the one this machine's own apt uses, reached with this machine's own apt settings, so no
# address is written here. Everything that needs a mount or starts a process happens in a mount and PID
# namespace of its own: the kernel takes both away when the command ends, however it ends.

set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)

# --- the table of roots ------------------------------------------------------------------------------------
# One line each: name | suite | suites laid over it | series of PHP, each as in "8.4", or "8.4-zts" for a thread-safe debug
# build of it | further packages, with "/suite" where they come from one laid over. All of Redis and Valkey comes from the
# packages of a root: "oldest" has the oldest ones of each that this archive still has.
roots=(
	"oldest|bookworm|bullseye bookworm-backports|8.2|php-xdebug php-excimer redis-server/bullseye redis-tools/bullseye valkey-server/bookworm-backports valkey-tools/bookworm-backports"
	"trixie|trixie||8.4 8.4-zts|php-xdebug php-excimer redis-server redis-tools valkey-server valkey-tools"
	"next|sid|experimental|8.5 8.6|redis-server/experimental redis-tools/experimental valkey-server valkey-tools"
)

compilers="gcc clang"
servers="redis-server valkey-server"
common_packages="libhiredis-dev libssl-dev openssl pkg-config gcc clang libclang-rt-dev make dpkg-dev"
build_limit=900 # seconds one build may take
tests_limit=2100 # seconds one run of the suite may take; scripts/phpt.sh ends itself before

# --- arguments ---------------------------------------------------------------------------------------------

usage()
{
	cat <<-'TEXT'
	usage: scripts/matrix.sh [options]
	  --root NAME      only this root (may be repeated); default: all
	  --php SERIES     only this series of PHP (may be repeated): 8.2, 8.4, 8.4-zts ...; "unit": only the unit tests
	  --server NAME    only this server (may be repeated): redis-server, valkey-server
	  --root-dir DIR   where the roots are kept; default: ${XDG_CACHE_HOME:-/var/cache}/redislock-matrix
	  --log-dir DIR    where the logs of the cells go; default: build/matrix
	  --tree DIR       the source tree to build; default: the one this script is in
	  --all            run the suite with every compiler's build, not only the first one's
	  --prepare        make the roots and stop
	  --fresh          make the roots anew
	TEXT
}

base="${XDG_CACHE_HOME:-/var/cache}/redislock-matrix"
logs=
wanted=
wanted_series=
wanted_servers=
all=false
prepare_only=false
fresh=false

while [ $# -gt 0 ]; do
	case "$1" in
		--root) wanted="$wanted ${2:?--root needs a name}"; shift ;;
		--php) wanted_series="$wanted_series ${2:?--php needs a series}"; shift ;;
		--server) wanted_servers="$wanted_servers ${2:?--server needs a name}"; shift ;;
		--root-dir) base=${2:?--root-dir needs a directory}; shift ;;
		--log-dir) logs=${2:?--log-dir needs a directory}; shift ;;
		--tree) top=$(cd "${2:?--tree needs a directory}" && pwd); shift ;;
		--all) all=true ;;
		--prepare) prepare_only=true ;;
		--fresh) fresh=true ;;
		-h|--help) usage; exit 0 ;;
		*) usage >&2; exit 2 ;;
	esac
	shift
done
logs=${logs:-$top/build/matrix}
servers=$(xargs <<<"${wanted_servers:-$servers}")

say() { printf 'matrix: %s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

[ "$(id -u)" = 0 ] || die "needs root, for debootstrap and chroot"
for name in $wanted; do
	printf '%s\n' "${roots[@]}" | grep -q "^$name|" || die "no root is called '$name'"
done

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
		for path in /etc/resolv.conf /etc/hosts /etc/apt/auth.conf /etc/apt/auth.conf.d; do
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
	"$(dirname "$0")/install-deps.sh" matrix >"$log" 2>&1 || die "debootstrap cannot be installed, see $log"
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

# The packages of a root. A series of PHP is packages of its own, except thread-safe, which scripts/zts.sh compiles.
packages()
{
	local one
	echo "$common_packages $extra_packages"
	for one in $series; do
		if [[ $one == *-zts ]]; then
			"$top/scripts/install-deps.sh" --print zts
		else
			echo "php$one-cli php$one-dev php$one-fpm php$one-mbstring php$one-xml libapache2-mod-php$one"
		fi
	done
}

install_packages()
{
	local log=$1 overlay
	apt_reach >"$root/etc/apt/apt.conf.d/90reach"
	echo 'APT::Install-Recommends "false";' >>"$root/etc/apt/apt.conf.d/90reach"
	rm -f "$root/etc/apt/sources.list"
	{
		echo "deb $archive $suite main"
		for overlay in $overlays; do
			echo "deb $archive $overlay main"
		done
	} >"$root/etc/apt/sources.list.d/matrix.list"
	say "$suite: installing packages (once)"
	reach_environment
	# shellcheck disable=SC2016
	in_root "$root" 1800 '
		apt-get update
		apt-get install -y --allow-downgrades $1
		apt-get clean
	' "$(packages | xargs)" >"$log" 2>&1 || die "packages cannot be installed, see $log"
}

# What a root was made from. A root made by an older table or package list is brought up to date.
recipe() { printf '%s\n' "$suite" "$overlays" "$(packages)"; }

prepare_root()
{
	if $fresh; then
		rm -rf -- "$root"
	fi
	if [ ! -d "$root" ]; then
		bootstrap_root "$root" "$suite" "$logs/$name-debootstrap.log"
	fi
	if [ "$(cat "$root/.recipe" 2>/dev/null)" != "$(recipe)" ]; then
		install_packages "$logs/$name-packages.log"
		recipe >"$root/.recipe"
	fi
}

# --- cells -------------------------------------------------------------------------------------------------

# Tracked and new files alike, but nothing that git ignores. A file that vanishes meanwhile is left out.
copy_tree()
{
	local to=$1 file
	mkdir -p "$to"
	git -C "$top" ls-files -z --cached --others --exclude-standard |
		while IFS= read -r -d '' file; do
			[ ! -e "$top/$file" ] || printf '%s\0' "$file"
		done |
		tar -C "$top" --ignore-failed-read --no-recursion --null -T - -c | tar -C "$to" -x
	# The packages of tests/composer.json and tests/composer-optional are fetched once, by this machine.
	mkdir -p "$to/build"
	cp -r "$top"/build/vendor* "$to/build/"
}

build_cell()
{
	local inside=$1 cc=$2 one=$3 log=$4
	# shellcheck disable=SC2016
	in_root "$root" "$build_limit" '
		cd "$1"
		"phpize$3"
		./configure CC="$2" --enable-redislock --enable-redislock-dev --with-php-config="$(command -v "php-config$3")"
		echo "== make"
		make -j"$(nproc)"
		"php$3" -n -d extension="$PWD/modules/redislock.so" --ri redislock
	' "$inside" "$cc" "$one" >"$log" 2>&1 || return 1
	# autoconf and shtool warn about PHP's own build files; only what follows is ours.
	# No grep -q: it would end before sed has, which pipefail takes for a failure.
	! sed '1,/^== make$/d' "$log" | grep -iE '(^|[^a-z])warning:' >/dev/null
}

# Runs a script of a copied tree against a server: test_cell TREE SERVER SERIES LOG SCRIPT [ARGUMENT...]. Sets passed,
# failed and skipped, with the reasons why, from its last lines; "?" when it did not get that far. Returns its status, which
# is not 0 for a skipped test either when CI=true.
test_cell()
{
	local inside=$1 server=$2 one=$3 log=$4 status=0
	shift 4
	# shellcheck disable=SC2016
	in_root "$root" "$tests_limit" '
		cd "$1"
		export REDISLOCK_TEST_SERVER=$2 PHP_CONFIG=php-config$3
		shift 3
		"$@"
	' "$inside" "$server" "$one" "$@" >"$log" 2>&1 || status=$?
	passed='?' failed='?' skipped='?'
	if [[ $(tail -n 1 "$log") =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed,\ ([0-9]+)\ skipped$ ]]; then
		passed=${BASH_REMATCH[1]} failed=${BASH_REMATCH[2]} skipped=${BASH_REMATCH[3]}
	fi
	if [ "$skipped" != 0 ]; then
		skipped+=$(sed -n 's/^SKIP .* reason: /; /p' "$log" | sort -u | tr -d '\n' | sed 's/^;/:/')
	fi
	return "$status"
}

row() { printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$@"; }

header()
{
	row root PHP hiredis server compiler build passed failed skipped
	row --- --- --- --- --- --- ---: ---: ---:
}

# Reads a version from inside, "?" when the question fails.
version_of()
{
	in_root "$root" 60 "$1" 2>/dev/null || echo '?'
}

server_version()
{
	version_of "$1 --version | sed -n 's/.* v=\\([^ ]*\\).*/\\1/p'"
}

fresh_copy()
{
	work="$root/srv/tree.$$"
	rm -rf -- "$work"
	copy_tree "$work"
}

# The cells of one series: each compiler, and the suite against each server with the first one, or all.
run_series()
{
	local one=$1 php cc cc_version built server passed failed skipped status log tested=false
	php=$(version_of "php$one -n -r 'echo PHP_VERSION;'")
	for cc in $compilers; do
		cc_version=$(version_of "$cc -dumpversion")
		fresh_copy
		say "$name: building for PHP $one with $cc"
		built=yes
		log="$logs/$name-$one-$cc-build.log"
		build_cell "/srv/tree.$$" "$cc" "$one" "$log" || built=NO
		if [ "$built" = NO ] || { $tested && ! $all; }; then
			row "$name" "$php" "$hiredis" - "$cc $cc_version" "$built" - - -
			[ "$built" = yes ] || { failures=$((failures + 1)); say "see $log"; }
			continue
		fi
		for server in $servers; do
			say "$name: phpt suite under PHP $one with $server"
			status=0
			log="$logs/$name-$one-$cc-$server.log"
			test_cell "/srv/tree.$$" "$server" "$one" "$log" scripts/phpt.sh --so=modules/redislock.so || status=$?
			row "$name" "$php" "$hiredis" "$server $(server_version "$server")" "$cc $cc_version" "$built" \
				"$passed" "$failed" "$skipped"
			[ "$status" -eq 0 ] || { failures=$((failures + 1)); say "see $log"; }
		done
		tested=true
	done
}

# The tests that need neither PHP nor a server, with this root's hiredis, C library and each compiler.
run_unit()
{
	local cc passed failed skipped status log
	for cc in $compilers; do
		say "$name: unit tests with $cc"
		status=0
		log="$logs/$name-unit-$cc.log"
		fresh_copy
		test_cell "/srv/tree.$$" - - "$log" scripts/unit.sh --cc="$cc" || status=$?
		row "$name" - "$hiredis" "(unit tests)" "$cc $(version_of "$cc -dumpversion")" - "$passed" "$failed" "$skipped"
		[ "$status" -eq 0 ] || { failures=$((failures + 1)); say "see $log"; }
	done
}

# The script compiles that PHP once, and builds the extension with warnings as errors itself. The threads test needs one
# server only.
run_zts()
{
	local one=${1%-zts} server log passed failed skipped status more=()
	say "$name: thread-safe debug PHP $one"
	fresh_copy
	log="$logs/$name-$1-php.log"
	test_cell "/srv/tree.$$" - "$one" "$log" scripts/zts.sh --prepare ||
		{ row "$name" "$one ZTS-debug" "$hiredis" - - NO - - -; failures=$((failures + 1)); say "see $log"; return; }
	for server in $servers; do
		say "$name: phpt suite under thread-safe debug PHP $one with $server"
		status=0
		log="$logs/$name-$1-$server.log"
		test_cell "/srv/tree.$$" "$server" "$one" "$log" scripts/zts.sh "${more[@]}" || status=$?
		row "$name" "$(version_of "php-config$one --version") ZTS-debug" "$hiredis" "$server $(server_version "$server")" \
			"gcc $(version_of 'gcc -dumpversion')" - "$passed" "$failed" "$skipped"
		[ "$status" -eq 0 ] || { failures=$((failures + 1)); say "see $log"; }
		more=(--no-threads)
	done
}

run_root()
{
	local hiredis one
	hiredis=$(version_of 'pkg-config --modversion hiredis')
	rm -rf -- "$root"/srv/tree.*
	for one in unit $series; do
		[ -z "$wanted_series" ] || [[ " $wanted_series " == *" $one "* ]] || continue
		if [ "$one" = unit ]; then
			run_unit
		elif [[ $one == *-zts ]]; then
			run_zts "$one"
		else
			run_series "$one"
		fi
	done
	rm -rf -- "$work"
	work=
}

# --- run ---------------------------------------------------------------------------------------------------

failures=0
mkdir -p "$logs" "$base"
"$top/scripts/vendor.sh" >&2 # the table alone goes to stdout
$prepare_only || header
for line in "${roots[@]}"; do
	IFS='|' read -r name suite overlays series extra_packages <<<"$line"
	[ -z "$wanted" ] || case " $wanted " in *" $name "*) ;; *) continue ;; esac
	root="$base/$name"
	# Two runs at once would unpack into the same root.
	exec 9>"$base/$name.lock"
	flock --nonblock 9 || die "another run uses $root"
	prepare_root
	$prepare_only || run_root
	exec 9>&-
done
[ "$failures" -eq 0 ]
