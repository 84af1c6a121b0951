#!/usr/bin/env bash
#
# pictures.sh: draws docs/pictures/*.svg from the text beside them, in the language of pikchr (part of Debian's fossil).
#
#     scripts/dev/pictures.sh [--check]
#
# The first line of a text, a comment, becomes the picture's title. --check writes nothing and fails if a picture is not
# that of its text.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

check=false
case "${1:-}" in
	--check) check=true ;;
	"") ;;
	*) usage_error "unknown argument $1" ;;
esac
need fossil

# pikchr leaves the background open: black on black where a page is dark.
draw()
{
	local title
	title=$(sed -n '1s/^# *//p' "$1" | sed 's/&/\&amp;/g; s/</\&lt;/g')
	fossil pikchr "$1" | sed -E "s|<svg ([^>]*)class=\"pikchr\"([^>]*)>|<svg \1\2 role=\"img\" font-family=\"sans-serif\">\n<title>$title</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>|"
}

stale=0
drawn=$(mktemp)
trap 'rm -f "$drawn"' EXIT
for text in "$top"/docs/pictures/*.pikchr; do
	picture=${text%.pikchr}.svg
	draw "$text" >"$drawn"
	grep -q '<title>..*</title>' "$drawn" || die "pikchr does not understand $text: $(cat "$drawn")"
	if $check; then
		cmp -s "$drawn" "$picture" || { echo "$picture is not what its text says: scripts/dev/pictures.sh" >&2; stale=1; }
	else
		cat "$drawn" >"$picture"
	fi
done
exit $stale
