--TEST--
docs: name every option, spelling and setting there is, and no others
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
$top = dirname(__DIR__, 2);
$options = file_get_contents("$top/docs/guide/options.md");
$section = fn (string $from, string $to) =>
	preg_match("~^$from\$(.*?)^$to\$~ms", $options, $m) ? $m[1] : exit("no section $from\n");

/* The rows of the parser: all that do something, and stand in no other option. */
preg_match('/^const rlk_option_row rlk_option_rows\[\] = \{$(.*?)^\};$/ms', file_get_contents("$top/src/config/rlk_option.c"), $rows);
preg_match_all('/"(\w+)"/', $rows[1], $keys);
$parsed = $keys[1];

/* The first two columns of the tables, in back-ticks. */
$told = [];
foreach (explode("\n", $section('## The lock', '## URIs')) as $line) {
	if (preg_match('/^\| (`.*?)\|(.*?)\|/', $line, $m) && preg_match_all('/`(\w+)`/', $m[1] . $m[2], $names)) {
		array_push($told, ...$names[1]);
	}
}
$differences = fn (array $a, array $b) => implode(' ', array_diff($a, $b)) ?: 'none';
echo count($parsed) > 40 ? 'options were found' : 'the pattern for options is wrong', "\n";
echo 'not in the documents: ', $differences($parsed, $told), "\n";
echo 'not in the parser: ', $differences($told, $parsed), "\n";

/* The type for PHPStan. */
preg_match('/@phpstan-type Options array\{(.*?)\.\.\.\}/s', file_get_contents("$top/redislock.stub.php"), $m);
preg_match_all('/(\w+)\?:/', $m[1], $typed);
echo 'not in the stub: ', $differences($parsed, $typed[1]), "\n";
echo 'only in the stub: ', $differences($typed[1], $parsed), "\n";

preg_match_all('/^\| `(redislock\.\w+)` \| (.*?) \|/m', file_get_contents("$top/docs/guide/options.md"), $m);
$settings = array_combine($m[1], array_map(fn ($default) => trim($default, '`') === 'empty' ? '' : trim($default, '`'), $m[2]));
ksort($settings);
var_dump($settings === array_map(fn ($setting) => $setting['global_value'], ini_get_all('redislock')));
?>
--EXPECT--
options were found
not in the documents: none
not in the parser: none
not in the stub: none
only in the stub: none
bool(true)
