--TEST--
SequenceTask::execute(): a wrong configuration is refused before anything is locked or started
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$wrong = [['ttl' => 0], ['ttl' => -1], ['interval' => 0], ['ttl' => 3, 'interval' => 3], ['interval' => 31], ['nmae' => 'x'],
	['name' => ''], ['ttl' => NAN], ['wait' => -1], ['max_hold' => -1], ['linger' => -1], ['on_lost' => 'ignore'], ['ttl' => []]];

foreach ($wrong as $config) {
	try {
		SequenceTask::execute($s->options($config), fn () => print("must not run\n"));
		echo "accepted\n";
	} catch (ValueError|TypeError $e) {
		$named = str_contains($e->getMessage(), '"' . array_key_last($config) . '"');
		echo get_class($e), $named ? ' names ' . array_key_last($config) : ': ' . $e->getMessage(), "\n";
	}
}
preg_match('/cmdstat_(set|auth|eval):calls/', $redis('INFO', 'commandstats'), $m);
var_dump($m, renewal_child(getmypid()));
--EXPECT--
ValueError names ttl
ValueError names ttl
ValueError names interval
ValueError names interval
ValueError names interval
ValueError names nmae
ValueError names name
ValueError names ttl
ValueError names wait
ValueError names max_hold
ValueError names linger
ValueError names on_lost
TypeError names ttl
array(0) {
}
int(0)
