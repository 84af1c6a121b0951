#!/usr/bin/env bash
#
# demo.sh: shows what the extension does, on a machine with nothing but Debian, in about 12 s.
#
#     scripts/demo.sh [--so=FILE]
#
# Installs what is missing, builds below build/, starts its own Redis server on a socket in a temporary folder, runs the four scenes
# of scripts/demo/run.php, and removes everything, also after Ctrl-C. --so=FILE shows a module that is already built, and installs
# nothing. Exits 1 if a scene does not show what it promises.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

module=
for arg; do
	case "$arg" in
		--so=*) module=${arg#*=} ;;
		*) usage_error "unknown argument $arg" ;;
	esac
done

if [ -z "$module" ]; then
	"$top/scripts/install-deps.sh" build demo
	# A folder of its own, since developers' builds have other settings: --no-dev lets a compiler we do not know warn.
	module=$("$top/scripts/build.sh" --no-dev --dir="$top/build/demo")
fi
[ -r "$module" ] || die "there is no $module"
module=$(cd "$(dirname "$module")" && pwd)/$(basename "$module")
need redis-server redis-cli setsid
if have "${PHP_CONFIG:-php-config}"; then
	php=$("${PHP_CONFIG:-php-config}" --php-binary)
else
	need php
	php=php
fi

# --- a server of our own, and nothing left behind ---------------------------------------------------

folder=
server=
show=

cleanup()
{
	local i

	trap '' INT TERM HUP
	# The scenes and their jobs are one process group.
	if [ -n "$show" ]; then
		kill -KILL -- "-$show" 2>/dev/null || true
		wait "$show" 2>/dev/null || true
	fi
	if [ -n "$server" ]; then
		# The renewal children of the jobs just killed free their locks and go; let them find the server there.
		for ((i = 0; i < 40; i++)); do
			[ "$(redis-cli -s "$folder/socket" dbsize 2>/dev/null)" != 0 ] || break
			sleep 0.05
		done
		kill -KILL "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	[ -z "$folder" ] || rm -rf "$folder"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

folder=$(mktemp -d)
redis-server --port 0 --unixsocket "$folder/socket" --unixsocketperm 700 --dir "$folder" --save '' --appendonly no \
	--daemonize no >"$folder/server.log" 2>&1 </dev/null &
server=$!
for ((i = 0; i < 200; i++)); do
	[ "$(redis-cli -s "$folder/socket" ping 2>/dev/null)" != PONG ] || break
	kill -0 "$server" 2>/dev/null || break
	sleep 0.05
done
if [ "$(redis-cli -s "$folder/socket" ping 2>/dev/null)" != PONG ]; then
	tail -n 5 "$folder/server.log" >&2
	die "redis-server did not start"
fi

# In the background, so that a signal to this script is handled at once.
setsid "$php" -n -d "extension=$module" "$top/scripts/demo/run.php" "$module" "$folder/socket" </dev/null &
show=$!
status=0
wait "$show" || status=$?
exit "$status"
