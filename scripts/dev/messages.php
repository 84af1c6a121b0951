#!/usr/bin/env php
<?php
/*
 * Writes docs/guide/messages.md from tests/inc/messages_table.inc, each row of which tests/70_examples/messages.phpt tries. With
 * --check it writes nothing and exits 1 when the page is not what it would write.
 */

declare(strict_types=1);

$root = dirname(__DIR__, 2);
if (array_diff(array_slice($argv, 1), ['--check']) !== []) {
	fwrite(STDERR, "usage: php scripts/dev/messages.php [--check]\n");
	exit(2);
}

function cell(string $text): string
{
	return str_replace('|', '\|', $text);
}

$page = <<<'TEXT'
	# What the messages mean

	Made from `tests/inc/messages_table.inc` by scripts/dev/messages.php: change the table, then run `make messages`. A test
	makes each of these mistakes and compares the message.

	This page is about mistakes in code. [Troubleshooting](../operate/troubleshooting.md) is about trouble in production.

	- `$server` is an array of connection options. `$job` is the same array with `'name' => 'job'`.
	- Messages about an argument begin with its name, as in `RedisLock::__construct(): Argument #1 ($params) is not valid:`. That
	  part is left out here.
	- Messages about a server also name the server. That part is left out here, too.

	TEXT;
foreach (require "$root/tests/inc/messages_table.inc" as $section => $rows) {
	$page .= "\n## $section\n\n| You write | You get | Why | What to do |\n|---|---|---|---|\n";
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
