#!/usr/bin/env bash
#
# build.sh: builds the module, after a clone and after every edit.
#
#     scripts/build.sh [--cc=gcc|clang] [--debug | --asan | --coverage] [--dir=DIR] [--clean] [--no-dev] [--tls=yes|no] [--no-clone]
#
# Builds below build/ what has changed, in a folder of links to the sources. Prints the path of the module; progress goes to stderr.
# Warnings are errors, unless --no-dev. --asan: with the address and undefined-behaviour sanitizers, for scripts/phpt.sh --asan.
# --coverage: for scripts/long/coverage.sh. --no-clone: renews as on other systems than Linux.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

cc=${CC:-gcc}
flags="-g -O2"
dir=
asan=false
clean=false
tls=()
configure_args=(--enable-redislock --enable-redislock-dev)
for arg; do
	case "$arg" in
		--cc=*) cc=${arg#*=} ;;
		--debug) flags="-g3 -O0" ;;
		--asan)
			flags="-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
			dir=${dir:-$top/build/ext-asan}
			asan=true
			;;
		--coverage) flags="-g -O0 --coverage $coverage_flags"; dir=${dir:-$top/build/ext-coverage} ;;
		--dir=*) dir=${arg#*=} ;;
		--clean) clean=true ;;
		--no-dev) configure_args=(--enable-redislock) ;;
		--tls=yes) tls=(--with-redislock-ssl) ;;
		--tls=no) tls=(--without-redislock-ssl) ;;
		--no-clone) configure_args+=(--disable-redislock-clone) ;;
		--static-hiredis) configure_args+=(--with-hiredis=static) ;;
		*) usage_error "unknown argument $arg" ;;
	esac
done
dir=${dir:-$top/build/ext}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
[ "$dir" != "$top" ] || usage_error "the build needs a folder of its own"

phpize=${PHPIZE:-phpize}
php_config=${PHP_CONFIG:-php-config}
need "$phpize" "$php_config" "$cc" make
php=$("$php_config" --php-binary)

# Two builds of one folder would tread on each other.
exec 9>"$dir/.lock"
flock 9

# --- links to the sources -------------------------------------------------------------------------

link_sources()
{
	local file target

	while read -r file; do
		target="$dir/$file"
		if [ "$(readlink "$target" 2>/dev/null)" != "$top/$file" ]; then
			mkdir -p "$(dirname "$target")"
			ln -sfn "$top/$file" "$target"
		fi
	done < <(extension_sources; extension_headers; echo config.m4)
	# What is gone from the tree must not be found here either.
	find "$dir" -xtype l -delete
}

# --- configure, when anything it depends on is new ------------------------------------------------

fingerprint()
{
	echo "$cc $flags ${configure_args[*]} ${tls[*]:-} $("$cc" --version | head -n 1)"
	"$php_config" --version --php-binary --extension-dir
	pkg-config --modversion hiredis 2>/dev/null || true
	pkg-config --modversion libssl 2>/dev/null || true
	cat "$top/config.m4"
}

configure()
{
	# Objects of other flags, and lists of files that are gone, would otherwise stay.
	find "$dir" -mindepth 1 ! -name .lock ! -name build.log -delete
	link_sources
	cd "$dir"
	echo "configuring with $cc" >&2
	"$phpize" >"$dir/build.log" 2>&1 || failed "phpize"
	./configure "${configure_args[@]}" ${tls[@]+"${tls[@]}"} --with-php-config="$(command -v "$php_config")" CC="$cc" CFLAGS="$flags" \
		>>"$dir/build.log" 2>&1 || failed "configure"
	fingerprint >"$dir/.fingerprint"
}

# Shows what went wrong and ends.
failed()
{
	# Named as in the tree, without the compiler's own command lines in between.
	sed -E -e '/^(\/.*libtool|libtool: |cc1: )/d' -e "s|$dir/||g" "$dir/build.log" >"$dir/build.short"
	grep -E -A 8 '(error|warning):|undefined (reference|symbol)' "$dir/build.short" >&2 ||
		tail -n 30 "$dir/build.short" >&2
	die "$1 failed; everything it said is in $dir/build.log"
}

if $clean || ! [ -r "$dir/Makefile" ] || ! fingerprint | cmp -s - "$dir/.fingerprint"; then
	configure
else
	link_sources
fi

# --- make, and see that PHP takes it --------------------------------------------------------------

cd "$dir"
module="$dir/modules/redislock.so"
if [ -e "$module" ]; then
	# libtool writes into the file that is there. Processes that still run the old one would crash.
	cp -p "$module" "$module.new"
	mv "$module.new" "$module"
fi
make -j "$jobs" >"$dir/build.log" 2>&1 || failed "make"
# Bound at once: a function that is nowhere would otherwise be missed only when it is called.
if $asan; then
	preload_asan
fi
if ! LD_BIND_NOW=1 "$php" -n -d "extension=$module" --ri redislock >"$dir/build.log" 2>&1 ||
	grep -q '^Warning' "$dir/build.log"; then
	cat "$dir/build.log" >&2
	die "PHP does not load $module"
fi
echo "$module"
