#!/usr/bin/env bash
#
# docs.sh: makes the static site of README.md and docs/ in build/site, with VitePress. Links that lead nowhere are errors.
#
#     scripts/dev/docs.sh [--check]
#
# --check opens every page in Chromium as a phone and as a desktop shows it, and fails on what axe calls an error.
# REDISLOCK_REPOSITORY=https://host/owner/name has links to files that are no pages lead there; else they become text.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

check=false
case "${1:-}" in
	--check) check=true ;;
	"") ;;
	*) usage_error "unknown argument $1" ;;
esac
need php node npm

work="$top/build/docs"
mkdir -p "$work"
cp "$top"/scripts/dev/docs/{package.json,check.mjs} "$work/"
cd "$work"
npm install --no-audit --no-fund --no-package-lock --ignore-scripts --loglevel=error
rm -rf pages
mkdir -p pages/.vitepress
cp "$top/scripts/dev/docs/config.mjs" pages/.vitepress/
php -n "$top/scripts/dev/docs/stage.php" pages
node node_modules/vitepress/bin/vitepress.js build pages
$check || exit 0

port=$(php -n -r '$s = stream_socket_server("tcp://127.0.0.1:0"); echo parse_url("tcp://" . stream_socket_get_name($s, false), PHP_URL_PORT);')
node node_modules/vitepress/bin/vitepress.js preview pages --port "$port" >preview.log 2>&1 &
preview=$!
trap 'kill "$preview"' EXIT
timeout 30 sh -c 'until grep -q http: preview.log; do sleep 0.1; done' || die "no preview: $(cat preview.log)"
cd pages
mapfile -t paths < <(find . -name '*.md' | LC_ALL=C sort | sed -e 's|^\.||' -e 's|\.md$||' -e 's|/index$|/|')
cd ..
node check.mjs "http://localhost:$port" "${paths[@]}"
