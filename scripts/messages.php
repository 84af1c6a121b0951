#!/usr/bin/env php
<?php
/*
 * Writes docs/guide/messages.md from tests/inc/messages_table.inc, each row of which tests/70_examples/messages.phpt tries. With
 * --check it writes nothing and exits 1 when the page is not what it would write.
 */

declare(strict_types=1);

$root = dirname(__DIR__);
if (array_diff(array_slice($argv, 1), ['--check']) !== []) {
	fwrite(STDERR, "usage: php scripts/messages.php [--check]\n");
	exit(2);
}

function cell(string $text): string
{
	return str_replace('|', '\|', $text);
}

$page = <<<'TEXT'
	# What the messages mean

	Made from `tests/inc/messages_table.inc` by scripts/messages.php: change the table, then run `make messages`. A test makes
	each of these mistakes and compares what it is told.

	Left out are what stands in front of a message about an argument, as in `RedisLock::__construct(): Argument #1 ($params) is not
	valid:`, and the server behind one about a server. `$server` is an array of connection options, and `$job` the same with
	`'name' => 'job'`. Trouble in production, rather than in code, is in [Troubleshooting](../operate/troubleshooting.md).

	TEXT;
foreach (require "$root/tests/inc/messages_table.inc" as $section => $rows) {
	$page .= "\n## $section\n\n| Written | Said | It means | Do |\n|---|---|---|---|\n";
	foreach ($rows as [$code, $message, $means, $do]) {
		$page .= sprintf("| `%s` | `%s` | %s | %s |\n", cell($code), cell($message), cell($means), cell($do));
	}
}

$file = "$root/docs/guide/messages.md";
if (is_file($file) && file_get_contents($file) === $page) {
	exit(0);
}
if (in_array('--check', $argv, true)) {
	fwrite(STDERR, "docs/guide/messages.md does not match tests/inc/messages_table.inc: run make messages\n");
	exit(1);
}
file_put_contents($file, $page);
echo "docs/guide/messages.md written\n";
