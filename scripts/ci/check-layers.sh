#!/usr/bin/env bash
#
# check-layers.sh: the shape of the tree holds.
#
# - A file includes its own layer or one further down: src/php, src/config, src/hold, src/renew, src/lock, src/redis, src/net, src/base.
# - No module includes another that includes it in turn, over others or not. In src/php, whose files share headers, the
#   same holds for calls.
# - PHP's headers are included in src/php and the module's own files only.
# - Files are named rlk_ below src/php and redislock in it; names differ even ignoring case.
# - What opens a descriptor that lasts hands it to rlk_os_above_standard(), on the same line.
# - A static function has a name of its own, so that a search or a backtrace finds one.
# - Every header compiles alone.
#
# Prints what is wrong as file:line and exits 1.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

# The name alone: a CC of two words, "ccache gcc", is no command.
cc=${CC:-gcc}
cc=${cc##* }
need "$cc"
cd "$top"
problems=0

problem()
{
	echo "$*"
	problems=$((problems + 1))
}

# --- who includes whom ----------------------------------------------------------------------------

# A layer may include those from itself on to the right.
layers="php config hold renew lock redis net base"

check_includes()
{
	local layer=$1 allowed=$2 file number included folder

	while IFS=: read -r file number included; do
		folder=${included%%/*}
		if [ "$folder" = "$included" ]; then
			problem "$file:$number: \"$included\" is included without its folder"
		elif [[ " $layers " != *" $folder "* ]]; then
			problem "$file:$number: \"$included\" is in no layer"
		elif [[ " $allowed " != *" $folder "* ]]; then
			problem "$file:$number: src/$layer must not know \"$included\""
		elif [ ! -e "src/$included" ]; then
			problem "$file:$number: there is no src/$included"
		fi
	done < <(grep -rnE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "src/$layer" |
		sed -E 's/^([^:]*):([0-9]+):[^"]*"([^"]*)".*/\1:\2:\3/' |
		if [ "$layer" = php ]; then
			# The module's own headers at the top of the tree, and PHP's, which src/php is there for.
			grep -vE ':(php_redislock|redislock_arginfo|config|php|php_[a-z_]+|zend_?[a-z_]*|SAPI|TSRM)\.h$' |
				grep -vE ':(ext|main|Zend|TSRM)/' || true
		else
			cat
		fi)
}

rest=$layers
for layer in $layers; do
	if [ -d "src/$layer" ]; then
		check_includes "$layer" "$rest"
	fi
	rest=${rest#* }
done

while IFS=: read -r file number line; do
	problem "$file:$number: PHP below src/php: $line"
done < <(grep -rniE --include='*.[ch]' \
	'^[[:space:]]*#[[:space:]]*include[[:space:]]*[<"](php|zend|main/|ext/|sapi|tsrm|redislock)' \
	src/config src/hold src/renew src/lock src/redis src/net src/base tests/unit || true)

# --- no circles -----------------------------------------------------------------------------------

# A module is a header, the "_own" header beside it, and each source whose name begins with the header's and that has no
# header of a longer name: rlk_renewal_servers.c belongs to rlk_renewal.h.
declare -A module_of

find_module()
{
	local file=$1 name

	if [ -z "${module_of[$file]:-}" ]; then
		name=${file%.[ch]}
		name=${name%_posix}
		name=${name%_win32}
		name=${name%_own}
		module_of[$file]=$name
		while [[ ${name##*/} == *_* ]]; do
			if [ -e "src/$name.h" ]; then
				module_of[$file]=$name
				break
			fi
			name=${name%_*}
		done
	fi
	module=${module_of[$file]}
}

# Pairs of a module and one that it includes.
list_includes()
{
	local file included from

	while IFS=: read -r file included; do
		find_module "${file#src/}"
		from=$module
		find_module "$included"
		[ "$from" = "$module" ] || echo "$from $module"
	done < <(grep -rE --include='*.[ch]' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[a-z]+/' "$@" |
		sed -E 's/^([^:]*):[^"]*"([^"]*)".*/\1:\2/')
}

# tsort names the members of a circle.
circles=$(list_includes src | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z]*\/\)/\1/p' || true)
if [ -n "$circles" ]; then
	problem "these include each other in a circle: ${circles//$'\n'/, }"
fi

# --- calls in src/php -----------------------------------------------------------------------------

# Pairs of a file and one that has a function it calls, inline functions of headers included.
list_calls()
{
	local file name

	for file in src/php/*.c; do
		name=$(basename "$file" .c)
		# shellcheck disable=SC2086
		"$cc" -std=gnu11 -D_GNU_SOURCE -w -fPIC -I. -Isrc $php_includes -c "$file" -o "$objects/$name.o"
		nm "$objects/$name.o" | sed -nE "s/^.* ([TU]) (redislock_.*)/\1 \2 $name/p"
	done | LC_ALL=C sort | awk '
		$1 == "T" { file[$2] = $3 }
		$1 == "U" && $2 in file && file[$2] != $3 { print $3, file[$2] }'
}

php_includes=
if have "${PHP_CONFIG:-php-config}"; then
	php_includes=$("${PHP_CONFIG:-php-config}" --includes)
	objects=$(mktemp -d)
	trap 'rm -rf "$objects"' EXIT
	list_calls >"$objects/calls"
	circles=$(tsort "$objects/calls" 2>&1 >/dev/null | sed -n 's/^tsort: \(redislock_\)/\1/p' | sort -u || true)
	[ -z "$circles" ] || problem "these call each other in a circle: ${circles//$'\n'/, }"
fi

# --- names ----------------------------------------------------------------------------------------

while read -r file; do
	name=$(basename "$file")
	case "$file" in
		src/php/*) [[ $name == redislock_* ]] || problem "$file: names in src/php start with redislock_" ;;
		src/*/*) [[ $name == rlk_* ]] || problem "$file: names below src/php start with rlk_" ;;
		src/*) problem "$file: is in no layer" ;;
		redislock.c | php_redislock.h | redislock_arginfo.h) ;;
		*) problem "$file: only the module itself is at the top of the tree" ;;
	esac
done < <(extension_sources; extension_headers)

# Windows builds put all objects into one folder, on a file system that does not tell a from A.
while read -r name; do
	problem "$name: more than one file of this name, ignoring case"
done < <({ extension_sources; extension_headers; } | sed 's|.*/||' | tr '[:upper:]' '[:lower:]' | LC_ALL=C sort | uniq -d)

# The files of one interface for several systems, or with and without TLS, may have the same.
while read -r name; do
	problem "$name() is a static function of more than one file"
done < <(grep -roE --include='*.[ch]' '^static [^(=;]*[ *][a-z_0-9]+\(' src redislock.c |
	sed -E 's/(_posix|_win32|_none|_openssl|_clone|_fork)*\.[ch]:.*[ *]([a-z_0-9]+)\($/ \2/' | LC_ALL=C sort -u | cut -d' ' -f2 | LC_ALL=C sort | uniq -d)

# --- descriptors ----------------------------------------------------------------------------------

# Not of concern: rlk_os itself, files that are read and closed at once, and what the child does on purpose.
while IFS=: read -r file number line; do
	problem "$file:$number: may be descriptor 0 to 2, without rlk_os_above_standard(): $line"
done < <(grep -rnE --include='*.c' --exclude='*_win32.c' --exclude=rlk_os_posix.c \
	'\<(socket|socketpair|accept4?|pipe2?|dup[23]?|open|openat|fopen|memfd_create|timerfd_create|signalfd|eventfd|epoll_create1?|inotify_init1?)\(|syscall\(SYS_pidfd_open|F_DUPFD' src |
	grep -vE 'rlk_os_above_standard\(|O_RDONLY|"/dev/null"|dup2\(null, fd\)|, STD(IN|OUT)_FILENO\)|, (CONTROL|PIDFD)_FD\)|^[^:]*:[0-9]*:[[:space:]]*(/?\*)' || true)

# --- headers compile alone ------------------------------------------------------------------------

while read -r header; do
	flags="-Isrc"
	case "$header" in
		*_win32.h | redislock_arginfo.h) continue ;; # Windows' own; and a part of redislock.c, not a header
		src/php/* | php_redislock.h)
			[ -n "$php_includes" ] || continue
			flags="-Isrc -I. $php_includes -Wno-unused-parameter"
			;;
	esac
	# shellcheck disable=SC2086
	if ! output=$(printf '#include "%s"\n' "$header" |
		"$cc" -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -Werror -fsyntax-only -I. $flags -x c - 2>&1); then
		problem "$header: does not compile alone"
		echo "$output"
	fi
done < <(extension_headers)

[ "$problems" -eq 0 ] || die "$problems problems"
