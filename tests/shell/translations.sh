#!/usr/bin/env bash
#
# translations.sh: scripts/ci/check-translations.php notices each way in which a Chinese page may differ from the English one,
# and the site says which page is older.

set -euo pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail()
{
	echo "translations.sh: $1" >&2
	exit 1
}

# A fresh copy of the pages, and of what they lead to, in which every Chinese page is up to date.
fresh()
{
	rm -rf "$work/tree"
	mkdir -p "$work/tree/scripts/dev"
	(cd "$top" && cp -r ./*.md docs examples packages bench stubs packaging "$work/tree/" && cp -r scripts/ci scripts/inc "$work/tree/scripts/" &&
		cp -r scripts/dev/docs "$work/tree/scripts/dev/")
	cd "$work/tree"
	scripts/ci/check-translations.php --write >"$work/said" 2>&1 || fail "the pages are not right to begin with: $(cat "$work/said")"
	[ ! -s "$work/said" ] || fail "a note on pages that are up to date: $(cat "$work/said")"
}

# expect fails|passes WORDS: what the check does with the copy, and what it says.
expect()
{
	local status=passes

	scripts/ci/check-translations.php >"$work/said" 2>&1 || status=fails
	[ $status = "$1" ] || fail "it $status, and should say '$2': $(cat "$work/said")"
	grep -qF -- "$2" "$work/said" || fail "it does not say '$2', but: $(cat "$work/said")"
	fresh
}

guide=docs/zh/guide
fresh
rm $guide/options.md
expect fails "$guide/options.md: missing, the translation of docs/guide/options.md"
rm docs/zh/operate/acl.md
expect fails "docs/zh/operate/acl.md: missing, the translation of docs/operate/acl.md"
rm INSTALL.zh-CN.md
expect fails "INSTALL.zh-CN.md: missing, the translation of INSTALL.md"
echo '[x](nowhere.md)' >>$guide/options.md
expect fails "leads to docs/zh/guide/nowhere.md, which is not there"
echo '[x](waiting.md#nothing)' >>$guide/options.md
expect fails "leads to the section #nothing of docs/zh/guide/waiting.md, which is not there"
echo '[x](../../guide/waiting.md)' >>$guide/options.md
expect fails "leads to docs/guide/waiting.md, which is translated"
sed -i "s/'name' => 'stock'/'name' => 'stocks'/" README.zh-CN.md
expect fails "of code is not that of README.md"
sed -i 's/sudo pecl/pecl/; s/^    php --ri redislock /    php --ri redis /' README.zh-CN.md
expect fails "of code is not that of README.md"
sed -i 's/ExecStartPre/ExecStart/' $guide/quorum.md
expect fails "of code is not that of docs/guide/quorum.md"
printf '\n```php\nwork();\n```\n' >>$guide/waiting.md
expect fails "$guide/waiting.md: 2 blocks of code, docs/guide/waiting.md has 1"
sed -i 1d $guide/waiting.md
expect fails "$guide/waiting.md: does not begin with the line that --write makes"
echo text >$guide/more.md
expect fails "$guide/more.md: there is no such page in English"
echo text >docs/zh/operate/more.md
expect fails "docs/zh/operate/more.md: there is no such page in English"
sed -i /README.zh-CN.md/d README.md
expect fails "README.md: does not lead to README.zh-CN.md"
sed -i /INSTALL.zh-CN.md/d INSTALL.md
expect fails "INSTALL.md: does not lead to INSTALL.zh-CN.md"

# Only of pages that claim to be up to date.
sed -i 's/`hold_at_least`/`hold_at_most`/' $guide/options.md
expect fails "$guide/options.md: alone has these names: hold_at_most"
sed -i 's/^### /## /' $guide/options.md
expect fails "$guide/options.md: has not these headings"
sed -i '/^| `linger`/d' $guide/options.md
expect fails "$guide/options.md: has not these rows of tables"
sed -i 's/\[TLS\]([^)]*)/TLS/' $guide/options.md
expect fails "$guide/options.md: has not these links: docs/zh/operate/tls.md"

# Comments are in the reader's language; an English page that goes on is told of, and no more.
sed -i 's|// |// 注释 |' README.zh-CN.md
scripts/ci/check-translations.php || fail "other comments are other code"
fresh
echo '`more`' >>docs/guide/options.md
php scripts/dev/docs/stage.php site
grep -q '本页可能已过时' site/zh/docs/guide/options.md || fail "the site does not say that a page is older"
[ "$(grep -rl '本页可能已过时' site | wc -l)" -eq 1 ] || fail "the site says of more than one page that it is older"
[ -f site/zh/index.md ] && [ -f site/zh/INSTALL.md ] && [ -f site/zh/docs/reference/api.md ] || fail "the site's switch of languages leads nowhere"
rm -rf site
expect passes "note: $guide/options.md is older than docs/guide/options.md"
