#!/usr/bin/env bash
#
# split.sh: splits a folder off, with its history, as a repository of its own: Packagist wants a composer.json at the top, and here that
# is the extension's.
#
#     scripts/release/split.sh FOLDER [--tag=TAG] [--push=URL]
#
# FOLDER is stubs, or one of packages/. Prints the commit. The commits are the same each time, so later pushes only add to earlier ones;
# none is forced. --push sends them to the branch main there, and with --tag also to that tag.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

folder=
tag=
url=
for arg; do
	case "$arg" in
		packages/*[a-z] | stubs) folder=$arg ;;
		--tag=?*) tag=${arg#*=} ;;
		--push=?*) url=${arg#*=} ;;
		*) usage_error "unknown argument $arg" ;;
	esac
done
[ -n "$folder" ] || usage_error "stubs, or which of packages/?"
need git composer
cd "$top"
[ "$(git rev-parse --is-shallow-repository)" = false ] || die "this clone lacks the history: git fetch --unshallow"
commit=$(git subtree split -q --prefix="$folder" HEAD) || die "git subtree cannot split off $folder"

# What others will get, not what lies here.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git archive "$commit" | tar -x -C "$work"
cmp -s LICENSE "$work/LICENSE" || die "$folder/LICENSE is not that of the extension"
COMPOSER_ALLOW_SUPERUSER=1 composer validate --strict --no-interaction --no-plugins --working-dir="$work" >&2

[ -z "$url" ] || git push --quiet "$url" "$commit:refs/heads/main" ${tag:+"$commit:refs/tags/$tag"}
echo "$commit"
