#!/usr/bin/env php
<?php
/*
 * Writes docs/guide/messages.md and the table in docs/operate/troubleshooting.md from tests/inc/messages_table.inc, each row of
 * which tests/70_examples/messages.phpt tries, and the Chinese pages in docs/zh from the same and tests/inc/messages_zh.inc. With
 * --check it writes nothing and exits 1 when a page is not what it would write. What has no Chinese words is listed, and stays
 * English.
 */

declare(strict_types=1);

require dirname(__DIR__) . '/inc/translations.php';

$root = dirname(__DIR__, 2);
if (array_diff(array_slice($argv, 1), ['--check']) !== []) {
	fwrite(STDERR, "usage: php scripts/dev/messages.php [--check]\n");
	exit(2);
}

function cell(string $text): string
{
	return str_replace('|', '\|', $text);
}

function page(string $text, string $header, array $table, callable $words): string
{
	foreach ($table as $section => $rows) {
		$text .= "\n## {$words($section)}\n\n$header\n|---|---|---|---|\n";
		foreach ($rows as [$code, $message, $means, $do]) {
			$text .= sprintf("| `%s` | `%s` | %s | %s |\n", cell($code), cell($message), cell($words($means)), cell($words($do)));
		}
	}
	return $text;
}

/** The page as it is, with the table behind its marker made anew. */
function with_table(string $page, string $header, array $rows, callable $words): string
{
	$marker = '<!-- The table is made from ';
	$end = strpos($page, "\n", strpos($page, $marker) ?: throw new RuntimeException("there is no \"$marker\""));
	$text = substr($page, 0, $end) . "\n\n$header\n|---|---|---|\n";
	foreach ($rows as $row) {
		$text .= '| ' . implode(' | ', array_map(fn ($cell) => cell($words($cell)), $row)) . " |\n";
	}
	return $text;
}

['mistakes' => $table, 'trouble' => $trouble] = require "$root/tests/inc/messages_table.inc";
$as_it_is = fn (string $words): string => $words;
$english = page(<<<'TEXT'
	# What the messages mean

	Made from `tests/inc/messages_table.inc` by scripts/dev/messages.php: change the table, then run `make messages`. A test
	makes each of these mistakes and compares the message.

	This page is about mistakes in code. [Troubleshooting](../operate/troubleshooting.md) is about trouble in production.

	- `$server` is an array of connection options. `$job` is the same array with `'name' => 'job'`.
	- Messages about an argument begin with its name, as in `RedisLock::__construct(): Argument #1 ($params) is not valid:`. That
	  part is left out here.
	- Messages about a server also name the server. That part is left out here, too.

	TEXT, '| You write | You get | Why | What to do |', $table, $as_it_is);

$chinese_words = require "$root/tests/inc/messages_zh.inc";
$unused = $chinese_words;
$untranslated = [];
$in_chinese = function (string $words) use ($chinese_words, &$untranslated, &$unused): string {
	unset($unused[$words]);
	if (preg_match('/^`[^`]*`(, `[^`]*`)*$/', $words)) {
		return $chinese_words[$words] ?? str_replace('`, `', '`、`', $words);
	}
	if (!isset($chinese_words[$words])) {
		$untranslated[$words] = true;
	}
	return $chinese_words[$words] ?? $words;
};
$chinese = translation_mark('docs/guide/messages.md', $english) . page(<<<'TEXT'
	# 错误信息详解

	本页由 scripts/dev/messages.php 根据 `tests/inc/messages_table.inc` 和 tests/inc/messages_zh.inc 生成：请修改表格，然后运行 `make messages`。有一个测试会逐一犯下这些错误，并核对消息。

	本页讲的是代码中的错误。生产环境中的问题，见[故障排查](../operate/troubleshooting.md)。消息本身是英文的，可以直接用它在本页搜索。

	- `$server` 是连接选项的数组，`$job` 是加上 `'name' => 'job'` 的同一个数组。
	- 关于参数的消息以参数名开头，例如 `RedisLock::__construct(): Argument #1 ($params) is not valid:`。这里省略了这一部分。
	- 关于服务器的消息还会指出是哪台服务器。这里也省略了。

	TEXT, '| 代码 | 消息 | 原因 | 处理办法 |', $table, $in_chinese);

$status = 0;
$troubleshooting = with_table(file_get_contents("$root/docs/operate/troubleshooting.md"), '| Message | Why | What to do |', $trouble, $as_it_is);
$chinese_troubleshooting = with_table(file_get_contents("$root/docs/zh/operate/troubleshooting.md"), '| 消息 | 原因 | 处理办法 |', $trouble, $in_chinese);
foreach (['docs/guide/messages.md' => $english, 'docs/zh/guide/messages.md' => $chinese,
	'docs/operate/troubleshooting.md' => $troubleshooting, 'docs/zh/operate/troubleshooting.md' => $chinese_troubleshooting] as $file => $page) {
	if (is_file("$root/$file") && file_get_contents("$root/$file") === $page) {
		continue;
	}
	if (in_array('--check', $argv, true)) {
		fwrite(STDERR, "$file does not match tests/inc/messages_table.inc: run make messages\n");
		$status = 1;
		continue;
	}
	file_put_contents("$root/$file", $page);
	echo "$file written\n";
}
foreach (array_keys($untranslated) as $words) {
	echo "note: tests/inc/messages_zh.inc has no words for: $words\n";
}
foreach (array_keys($unused) as $words) {
	echo "note: tests/inc/messages_zh.inc has words for what no page says: $words\n";
}
exit($status);
