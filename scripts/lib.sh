# shellcheck shell=bash
#
# lib.sh: what the scripts of all folders share. Sourced, not run.

# With it "cd" says where it went.
unset CDPATH
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# A script started by make runs make itself, with arguments of its own.
unset MAKEFLAGS MFLAGS MAKELEVEL
# How many processes a script may keep busy at a time: one for each processor, or what the caller says.
# shellcheck disable=SC2034
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}

# Ends the script with a message.
die()
{
	echo "$(basename "$0"): $*" >&2
	exit 1
}

# Ends the script because it was called wrongly.
usage_error()
{
	echo "$(basename "$0"): $*" >&2
	exit 2
}

have()
{
	command -v "$1" >/dev/null 2>&1
}

# Ends the script unless every command named is there.
need()
{
	local command

	for command; do
		have "$command" || die "$command is missing: scripts/install-deps.sh installs what the scripts use"
	done
}

# For builds that count which lines were run.
# shellcheck disable=SC2034
coverage_flags="-D_GNU_SOURCE -include $top/scripts/inc/coverage_child.h"

# Has programs started from now on load what lets a PHP that was built without the address sanitizer load a module that
# was built with gcc's.
preload_asan()
{
	mkdir -p "$top/build"
	gcc -shared -fPIC -O1 -Wall -Wextra -Werror -o "$top/build/shallow.so" "$top/scripts/inc/shallow.c" -ldl
	LD_PRELOAD="$top/build/shallow.so $(gcc -print-file-name=libasan.so)"
	export LD_PRELOAD
	# PHP itself leaves memory to the end of the process.
	export ASAN_OPTIONS="detect_leaks=0:verify_asan_link_order=0:${ASAN_OPTIONS:-}"
	export UBSAN_OPTIONS="print_stacktrace=1:${UBSAN_OPTIONS:-}" USE_ZEND_ALLOC=0
}

# Sets the array "load": the arguments with which $php loads a file of ours and the extensions named behind it. Those are
# shared in some distributions and built in elsewhere, where loading them again would be a warning.
load_extensions()
{
	local built_in name

	load=(-d "extension=$1")
	shift
	built_in=$("$php" -n -m)
	for name; do
		if ! grep -qx "$name" <<<"$built_in"; then
			load+=(-d "extension=$name")
		fi
	done
}

# Has apt-get from now on fetch source packages from where this machine has its binary packages, with its records in the
# folder named. A third party's archive may have none; that matters only if Debian's has not either.
apt_for_sources()
{
	local apt=$1 file

	mkdir -p "$apt/sources.d" "$apt/lists/partial" "$apt/archives/partial"
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources.d/$(basename "$file")"
	done
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >"$apt/sources.d/$(basename "$file").list"
	done
	cat >"$apt/apt.conf" <<-CONF
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$apt/sources.d";
		Dir::State::lists "$apt/lists";
		Dir::Cache "$apt";
		Dir::Cache::archives "$apt/archives";
		APT::Sandbox::User "root";
		Acquire::IndexTargets::deb-src::DEP-11::DefaultEnabled "false";
	CONF
	export APT_CONFIG="$apt/apt.conf"
}

# The folder with run-tests.php and gen_stub.php that belongs to php-config. Its place differs between
# PHP's own installation and the distributions'.
phpize_dir()
{
	local extensions candidate

	extensions=$("${PHP_CONFIG:-php-config}" --extension-dir)
	for candidate in "$extensions/build" "$(dirname "$(dirname "$extensions")")/build" \
		"$("${PHP_CONFIG:-php-config}" --prefix)/lib/php/build"; do
		if [ -r "$candidate/run-tests.php" ]; then
			echo "$candidate"
			return
		fi
	done
	die "the folder of phpize's files was not found"
}

# The sources of the extension as the tree has them, one per line, platform files of every platform included.
extension_sources()
{
	(cd "$top" && find . -maxdepth 1 -name '*.c' -printf '%P\n' && find src -name '*.c') | LC_ALL=C sort
}

# The headers of the extension, likewise.
extension_headers()
{
	(cd "$top" && find . -maxdepth 1 -name '*.h' ! -name config.h -printf '%P\n' && find src -name '*.h') | LC_ALL=C sort
}
