--TEST--
Messages: the polyfill says of mistakes what the extension says, but for what it cannot do and for hints
--EXTENSIONS--
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
$php = new Php('require ' . var_export(__DIR__ . '/../inc/messages.inc', true) . ';' . <<<'CODE'
	$server = new Server(true);
	$redis = $server->client();
	$mistakes = new Mistakes($server, new Server(true));
	$said = [];
	foreach (array_diff_key(require dirname((new ReflectionClass('Mistakes'))->getFileName()) . '/messages_table.inc', ['php.ini' => 0]) as $rows) {
		foreach ($rows as [$code]) {
			$said[$code] = Mistakes::bare($mistakes->said($code));
		}
	}
	echo json_encode($said), "\n";
	CODE, polyfill: true);
$said = json_decode($php->rest(), true);
$same = $hints = $refused = 0;
$old = [wrong_password() => 'WRONGPASS invalid username-password pair or user is disabled'];
foreach (array_diff_key(require __DIR__ . '/../inc/messages_table.inc', ['php.ini' => 0]) as $rows) {
	foreach ($rows as [$code, $message]) {
		$by_polyfill = strtr($said[$code], $old);
		match (true) {
			$by_polyfill === $message => $same++,
			str_contains($by_polyfill, 'needs the PHP extension redislock') || str_contains($code, 'RedLock(') => $refused++,
			/* Whom a misspelled option may mean. */
			preg_match('/^(\w+: (unknown option "\w+"|option "\w+" cannot be given for a single call))/', $by_polyfill, $m) === 1 && str_starts_with($message, "$m[1]") => $hints++,
			/* In PHP a parameter of seconds takes them. */
			str_contains($code, '(true)') && $by_polyfill === 'nothing', $code === 'new RedisLock([\'a\', \'b\'])', str_contains($by_polyfill, 'Handshake timed out') => null,
			default => print "$code\n\tsays    $by_polyfill\n\tand not $message\n",
		};
	}
}
echo $same >= 45 && $hints <= 20 && $refused <= 25 ? 'the same' : "$same the same, $hints without a hint, $refused refused", "\n";
?>
--EXPECT--
the same
