# shellcheck shell=bash
#
# driver.sh: for scripts whose work is done by a driver in PHP, which starts servers and processes. Sourced behind lib.sh.

# Puts a copy of the module into a folder that ends with the script, $scratch: a build that goes on meanwhile must not
# change the file under the running processes, and its path tells them from those of others.
copy_module()
{
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
	trap 'exit 143' TERM
	trap 'exit 130' INT
	cp "$1" "$scratch/redislock.so"
}

# Runs $php with what load_extensions() has put together and these arguments, for so many seconds at most, and ends the
# script as it ended. In the background, since a shell runs its traps only between commands in the foreground. What the
# driver starts ends with it: servers and processes hang on its pipes.
run_driver()
{
	local limit=$1 status=0

	shift
	TMPDIR=$scratch timeout -k 10 "$limit" "$php" -n "${load[@]}" "$@" &
	driver=$!
	trap 'kill "$driver" 2>/dev/null || true; wait "$driver" 2>/dev/null || true; rm -rf "$scratch"' EXIT
	wait "$driver" || status=$?
	if [ $status -gt 1 ]; then
		[ $status -ne 124 ] && [ $status -ne 137 ] || echo "not finished within $limit s"
		echo "0 passed, 1 failed, 0 skipped"
	fi
	exit $status
}
