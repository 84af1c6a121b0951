--TEST--
README, docs: the code compiles, the first example runs, the files and sections named exist
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$top = dirname(__DIR__, 2);
$blocks = 0;

/* The anchors of a file's headings, as GitHub makes them. */
function anchors(string $file): array
{
	preg_match_all('/^#+ (.*)$/m', preg_replace('/^```.*?^```$/ms', '', file_get_contents($file)), $m);
	return array_map(fn ($heading) => strtr(preg_replace('/[^\w -]/u', '', strtolower($heading)), ' ', '-'), $m[1]);
}

$pages = [...glob("$top/*.md"), "$top/adapters/README.md", "$top/bench/README.md"];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$top/docs", FilesystemIterator::SKIP_DOTS)) as $file) {
	if ($file->getExtension() === 'md') {
		$pages[] = $file->getPathname();
	}
}
foreach (array_filter($pages, is_file(...)) as $file) {
	$text = file_get_contents($file);
	preg_match_all('/^```php\n(.*?)^```$/ms', $text, $m);
	foreach ($m[1] as $i => $code) {
		$blocks++;
		try {
			/* Compiled as the body of a function, and not run. */
			eval('return; function block_' . $blocks . '() {' . preg_replace('/^<\?php/', '', $code) . '}');
		} catch (ParseError $e) {
			echo basename($file), ", block $i: ", $e->getMessage(), "\n";
		}
	}
	preg_match_all('/^```sh\n(.*?)^```$/ms', $text, $m);
	foreach ($m[1] as $i => $code) {
		$blocks++;
		exec('bash -n -c ' . escapeshellarg($code) . ' 2>&1', $said, $status);
		if ($status !== 0) {
			echo basename($file), ", shell block $i: ", implode(' ', $said), "\n";
		}
	}
	/* The package carries less than the repository. */
	if (!is_dir("$top/scripts")) {
		continue;
	}
	preg_match_all('~\]\((?!https?:)([^)#]+)|`((?:src|lua|scripts|compat|examples|docs)/[\w/.-]+)`~', $text, $m, PREG_SET_ORDER);
	foreach ($m as $match) {
		$path = isset($match[2]) ? "$top/$match[2]" : dirname($file) . "/$match[1]";
		if (!file_exists($path)) {
			echo basename($file), ' names ', $match[2] ?? $match[1], ", which is not there\n";
		}
	}
	preg_match_all('~\]\((?!https?:)([^)#]*)#([^)]+)~', $text, $m, PREG_SET_ORDER);
	foreach ($m as [, $path, $anchor]) {
		if (!in_array($anchor, anchors($path === '' ? $file : dirname($file) . "/$path"), true)) {
			echo basename($file), " names the section #$anchor of $path, which is not there\n";
		}
	}
}
echo $blocks >= 50 ? "blocks were found\n" : "only $blocks blocks were found\n";

$server = new Server();
preg_match('/^```php\n<\?php\n(.*?)^```$/ms', file_get_contents("$top/README.md"), $m);
$run = fn () => new Php($m[1], [], ["redislock.server=unix:$server->socket"]);
$holder = new RedisLock($server->options(['name' => 'nightly-report']));
$holder->acquire();
echo $run()->rest();
$holder->release();
echo $run()->rest();
?>
--EXPECTF--
blocks were found
nothing to do: lock "nightly-report": held by process %d on %s, %d s left unless renewed
report written
