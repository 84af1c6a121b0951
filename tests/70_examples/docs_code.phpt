--TEST--
README, docs: code and commands can be parsed; scripts/ci/check-docs.php looks at the links
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/docs.inc';
$server = new Server;
$redis = $server->client();

/** What is wrong with it, or null. */
function shell(string $code): ?string
{
	exec('bash -n -c ' . escapeshellarg($code) . ' 2>&1', $said, $status);
	return $status === 0 ? null : implode(' ', $said);
}

/**
 * What is wrong with a block that is indented; null if nothing is. By its first word: a shell's, a Dockerfile, settings, commands of the server, or
 * text that nothing can parse.
 */
function wrong(string $block, Client $redis): ?string
{
	preg_match('~^[\w./-]+~', $block, $first);
	if (preg_match('~^(bench|build|scripts)/~', $block)) {
		return shell($block);
	}
	switch ($first[0] ?? '') {
		case 'cd': case 'composer': case 'cp': case 'git': case 'java': case 'make': case 'php': case 'phpize': case 'pie': case 'redis-cli': case 'redislock':
			return shell($block);
		case '0': /* a line of a crontab */
			return shell(preg_replace('/^(\S+ ){5}/', '', $block));
		case 'FROM': case 'RUN': case 'COPY':
			foreach (explode("\n", trim($block)) as $line) {
				if (!preg_match('/^(FROM \S+|COPY (?:--from=\S+ )?\S+ \S+|RUN (.*))$/', $line, $m)) {
					return "no line of a Dockerfile: $line";
				}
				if (isset($m[2]) && ($said = shell($m[2])) !== null) {
					return $said;
				}
			}
			return null;
		case 'extension': case 'ExecStartPre':
			return @parse_ini_string($block, false, INI_SCANNER_RAW) ? null : 'no settings';
		case 'ACL': case 'SET': case 'EVAL':
			foreach (explode("\n", trim($block)) as $line) {
				$reply = $redis(...str_getcsv($line, ' ', '"', ''));
				/* Older servers lack some of the commands whose use is granted. */
				if (is_string($reply) && $reply[0] === '-' && !($first[0] === 'ACL' && server_is_before('6.2'))) {
					return "$line: $reply";
				}
			}
			return null;
		case 'redis': /* URIs */
			foreach (explode("\n", trim($block)) as $line) {
				try {
					new RedisLock($line);
				} catch (ValueError $e) {
					return $e->getMessage();
				}
			}
			return null;
		case 'UPDATE':
		case 'processes': /* a sum */
		case 'redislock.c': /* the layers */
		case 'rlk1': /* tokens */
			return null;
	}
	if (str_starts_with($block, '{')) {
		return array_filter(explode("\n", trim($block)), fn (string $line) => !is_array(json_decode($line, true))) === [] ? null : 'no JSON';
	}
	/* What the demonstration prints, settings of PHPStan and Psalm, what redis-cli prints. */
	return preg_match('/^(\d\. |# phpstan\.neon|<!-- psalm\.xml|> (GET|ZRANGE) )/', $block) ? null : 'blocks of this kind are not known here';
}

$blocks = $commands = 0;
foreach (pages() as $page) {
	$text = page($page);
	foreach (samples($page) as $i => $code) {
		$blocks++;
		try {
			/* Compiled as the body of a function, and not run. "namespace" and "use" can be in none. */
			$use = '/^(?:namespace|use) [^;{(]+;.*$/m';
			preg_match_all($use, $code, $names);
			eval(implode("\n", $names[0]) . "\nreturn; function block_$blocks() {" . preg_replace(['/^<\?php/', $use], '', $code) . '}');
		} catch (ParseError $e) {
			echo "$page, block $i: ", $e->getMessage(), "\n";
		}
	}
	preg_match_all('/^```(\w*)$/m', $text, $m);
	foreach (array_diff(array_filter($m[1]), ['php', 'ini', 'mermaid', 'xml', 'yaml']) as $language) {
		echo "$page: blocks in $language are not known here\n";
	}
	/* The signatures of the reference are made from what PHP has parsed. */
	if ($page !== 'docs/reference/api.md') {
		preg_match_all('/(?<=\n\n)(?: {4}(?! *- ).*\n)+/', preg_replace('/^```.*?^```$/ms', '', $text), $m);
		foreach ($m[0] as $block) {
			$commands++;
			$said = wrong(preg_replace('/^ +/m', '', $block), $redis);
			echo $said === null ? '' : "$page: $said\n$block";
		}
	}
}
echo $blocks >= 50 ? "blocks were found\n" : "only $blocks blocks were found\n";
echo $commands >= 25 ? "commands were found\n" : "only $commands commands were found\n";
?>
--EXPECT--
blocks were found
commands were found
