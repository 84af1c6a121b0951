#!/usr/bin/env bash
#
# porcupine.sh: judges histories with Porcupine, which knows nothing of redislock; see docs/internals/histories.md.
#
#     scripts/long/porcupine.sh [FOLDER] [--minutes=N]
#     scripts/long/porcupine.sh [FOLDER] FILE...
#     scripts/long/porcupine.sh [FOLDER] --edn=[STORE/]NAME FILE
#
# FOLDER is a checkout of https://github.com/anishathalye/porcupine. Without one, Go fetches the version that
# tests/chaos/porcupine/go.mod names. First come the kept histories of tests/chaos/histories: those whose name begins with "fine"
# are right, and something is found in each other one. Then chaos runs in each variant, for N minutes, half a one unless told
# otherwise, and 2,000 histories are simulated; nothing may be found there. Or FILEs are judged, or the operations of a name are
# printed for Knossos or Elle. What it leaves lies in build/porcupine.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

folder=
minutes=0.5
edn=()
files=()
for arg; do
	case "$arg" in
		--minutes=*) minutes=${arg#*=} ;;
		--edn=*) edn=(-edn "${arg#*=}") ;;
		-*) usage_error "unknown argument $arg" ;;
		*) if [ -d "$arg" ]; then folder=$(cd "$arg" && pwd); else files+=("$arg"); fi ;;
	esac
done
need go
work=$top/build/porcupine
failed=0

mkdir -p "$work/source"
cp "$top"/tests/chaos/porcupine/{*.go,go.mod} "$work/source"
(
	cd "$work/source"
	if [ -n "$folder" ]; then
		go mod edit -replace "github.com/anishathalye/porcupine=$folder"
		export GOPROXY=off
	fi
	GOFLAGS=-mod=mod go build -o ../porcupine .
)
if [ ${#files[@]} -gt 0 ]; then
	exec "$work/porcupine" "${edn[@]}" "${files[@]}"
fi

for kept in "$top"/tests/chaos/histories/*.jsonl; do
	found=ok
	"$work/porcupine" "$kept" >"$work/kept" || found=FAILED
	[ -s "$work/kept" ] || die "Porcupine says nothing of $kept"
	case "$kept:$found" in
		*/fine-*:ok) echo "ok      ${kept##*/}" ;;
		*/fine-*:FAILED | *:ok) cat "$work/kept"; echo "FAILED  ${kept##*/}: $found is wrong"; failed=1 ;;
		*) echo "found   ${kept##*/}" ;;
	esac
done
for variant in one quorum sentinel cluster holders fibers queue lines; do
	history=$work/$variant.jsonl
	# What our own checker finds is told by chaos.sh itself.
	if ! "$top/scripts/long/chaos.sh" "$minutes" --variant=$variant --history="$history" >"$work/chaos"; then
		grep '^FAILED\|seed' "$work/chaos" || cat "$work/chaos"
		failed=1
	fi
	"$work/porcupine" "$history" || failed=1
done
"$top/scripts/ci/simulate.sh" 1 >/dev/null # builds it
"$top/build/simulate/objects/simulate.exe" --history "$work/simulated.jsonl" 1 2000 >/dev/null || failed=1
"$work/porcupine" "$work/simulated.jsonl" || failed=1
if [ $failed -ne 0 ]; then
	echo "something was found"
	exit 1
fi
echo "nothing was found"
