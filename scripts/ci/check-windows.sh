#!/usr/bin/env bash
#
# check-windows.sh: everything below src/php compiles for Windows without a warning, links, and passes its unit tests on wine.
#
#     scripts/ci/check-windows.sh [test_name...]
#
# The compiler is MinGW-w64, without TLS; hiredis' reader is compiled once from Debian's source package. .github/workflows builds with
# PHP for Windows. Tests that only POSIX can run are named, with the reason.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

cc=x86_64-w64-mingw32-gcc
wine=/usr/lib/wine
need $cc make apt-get tar
[ -x $wine/wine64 ] || die "wine64 is missing: scripts/install-deps.sh windows installs it"
cd "$top"
mkdir -p build/windows
exec 8>build/windows/.lock
flock 8
scratch=$(mktemp -d)
export WINEPREFIX="$scratch/wine" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe="
unset DISPLAY
cleanup()
{
	# Only of our own prefix.
	$wine/wineserver -k 2>/dev/null || true
	rm -rf "$scratch"
}
trap cleanup EXIT

# --- hiredis, once --------------------------------------------------------------------------------

make_hiredis()
{
	local made="$scratch/hiredis" source file

	apt_for_sources "$scratch/apt"
	mkdir "$scratch/source" "$made" "$made/hiredis"
	(cd "$scratch/source" && apt-get -q update && apt-get -q source --download-only hiredis) >"$scratch/log" 2>&1 8>&- ||
		{ tail -n 20 "$scratch/log" >&2; die "the source of hiredis cannot be had"; }
	tar -C "$scratch/source" -xf "$scratch"/source/hiredis_*.orig.tar.*
	source=$(find "$scratch/source" -mindepth 1 -maxdepth 1 -type d)
	cp "$source"/*.h "$made/hiredis/"
	for file in read sds alloc; do
		$cc -O1 -c -o "$made/$file.o" "$source/$file.c"
	done
	x86_64-w64-mingw32-ar rcs "$made/libhiredis.a" "$made"/*.o
	rm -rf build/windows/hiredis
	mv "$made" build/windows/hiredis
}

[ -r build/windows/hiredis/libhiredis.a ] || make_hiredis

# --- the tests, and all of the sources in one library ---------------------------------------------

# Made beside the compiler; the first test waits for it. One server of wine for all tests, without our lock in its hands.
mkdir "$WINEPREFIX"
$wine/wineserver -p >/dev/null 2>&1 8>&-
timeout 120 $wine/wine64 wineboot -i >/dev/null 2>&1 8>&- &
status=0
scripts/unit.sh --windows "$@" 8>&- || status=1
$cc -static -shared -Wl,--no-undefined -o "$scratch/all.dll" -Wl,--whole-archive "build/unit/$cc-windows/sources.a" \
	-Wl,--no-whole-archive -Lbuild/windows/hiredis -lhiredis -lpthread -lws2_32 -lbcrypt || die "the sources do not link"
exit $status
