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

top=$(cd "$(dirname "$0")/../.." && pwd)

# --- the table of roots ------------------------------------------------------------------------------------
# One line each: name | suite | suites laid over it | series of PHP, each as in "8.4", "8.4-zts" for a thread-safe debug
# build of it, or "8.4-packages" for the Composer packages of packages/ by that PHP | further packages, with "/suite" where they come from one laid over. All of Redis and Valkey comes from the
# packages of a root: "oldest" has the oldest ones of each that this archive still has.
roots=(
	"oldest|bookworm|bullseye bookworm-backports|8.2|php-xdebug php-excimer redis-server/bullseye redis-tools/bullseye valkey-server/bookworm-backports valkey-tools/bookworm-backports"
	"trixie|trixie||8.4 8.4-zts 8.4-packages|php-xdebug php-excimer redis-server redis-tools valkey-server valkey-tools"
	"next|sid|experimental|8.5 8.6|redis-server/experimental redis-tools/experimental valkey-server valkey-tools"
)

compilers="gcc clang"
servers="redis-server valkey-server"
common_packages="libhiredis-dev libssl-dev openssl pkg-config gcc clang libclang-rt-dev make dpkg-dev"
build_limit=900 # seconds one build may take
tests_limit=4200 # seconds one run of the suite may take; scripts/phpt.sh ends itself before, after an hour

# --- arguments ---------------------------------------------------------------------------------------------

usage()
{
	cat <<-'TEXT'
	usage: scripts/long/matrix.sh [options]
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

. "$(dirname "$0")/../inc/roots.sh"

# --- making a root -----------------------------------------------------------------------------------------

# The packages of a root. A series of PHP is packages of its own, except thread-safe, which scripts/long/zts.sh compiles.
packages()
{
	local one
	echo "$common_packages $extra_packages"
	for one in $series; do
		if [[ $one == *-zts ]]; then
			"$top/scripts/install-deps.sh" --print zts
		elif [[ $one == *-packages ]]; then
			echo composer unzip
		else
			echo "php$one-cli php$one-dev php$one-fpm php$one-mbstring php$one-xml libapache2-mod-php$one"
		fi
	done
}

install_packages()
{
	local log=$1
	# shellcheck disable=SC2086
	write_sources "$root" "$suite" $overlays
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
	test_cell "/srv/tree.$$" - "$one" "$log" scripts/long/zts.sh --prepare ||
		{ row "$name" "$one ZTS-debug" "$hiredis" - - NO - - -; failures=$((failures + 1)); say "see $log"; return; }
	for server in $servers; do
		say "$name: phpt suite under thread-safe debug PHP $one with $server"
		status=0
		log="$logs/$name-$1-$server.log"
		test_cell "/srv/tree.$$" "$server" "$one" "$log" scripts/long/zts.sh "${more[@]}" || status=$?
		row "$name" "$(version_of "php-config$one --version") ZTS-debug" "$hiredis" "$server $(server_version "$server")" \
			"gcc $(version_of 'gcc -dumpversion')" - "$passed" "$failed" "$skipped"
		[ "$status" -eq 0 ] || { failures=$((failures + 1)); say "see $log"; }
		more=(--no-threads)
	done
}

# What the packages claim for this PHP, installed and tested by the lowest and the highest versions, with the first server.
run_packages()
{
	local one=${1%-packages} server=${servers%% *} status=0 passed failed skipped log=$logs/$name-$1.log
	say "$name: Composer packages under PHP $one"
	fresh_copy
	test_cell "/srv/tree.$$" "$server" "$one" "$log" bash -c 'scripts/build.sh && scripts/packages.sh' || status=$?
	row "$name" "$(version_of "php$one -n -r 'echo PHP_VERSION;'") packages" "$hiredis" "$server $(server_version "$server")" - - \
		"$(grep -c '^-- redislock/' "$log" || true)" "$status" 0
	[ "$status" -eq 0 ] || { failures=$((failures + 1)); say "see $log"; }
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
		elif [[ $one == *-packages ]]; then
			run_packages "$one"
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
