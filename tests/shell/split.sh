#!/usr/bin/env bash
#
# The folders with packages of Composer become repositories of their own, whose history only grows.

set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# A short history of the same files: splitting reads all of it.
git init --quiet "$work/here"
git -C "$work/here" config user.name test
git -C "$work/here" config user.email test@example.org
mkdir -p "$work/here/scripts/release"
cp scripts/release/split.sh "$work/here/scripts/release/"
cp scripts/lib.sh "$work/here/scripts/"
cp -R LICENSE packages stubs "$work/here/"
git -C "$work/here" add --all
git -C "$work/here" commit --quiet --message 'Begin'

for folder in packages/* stubs; do
	repository=$work/$(basename "$folder").git
	git init --quiet --bare "$repository"
	first=$("$work/here/scripts/release/split.sh" $folder --tag=1.0.0 --push="$repository")
	date >"$work/here/$folder/news"
	git -C "$work/here" add --all
	git -C "$work/here" commit --quiet --message "Tell the news of $folder"
	second=$("$work/here/scripts/release/split.sh" $folder --tag=1.0.1 --push="$repository")
	[ "$(git -C "$repository" rev-parse 1.0.0 "$second~1" | uniq)" = "$first" ]
	[ "$(git -C "$repository" rev-parse main 1.0.1 | uniq)" = "$second" ]
	git -C "$repository" show 1.0.1:composer.json | cmp - "$folder/composer.json"
	git -C "$repository" log --format=%s -1 main | grep -qx "Tell the news of $folder"
done
! scripts/release/split.sh docs 2>/dev/null
