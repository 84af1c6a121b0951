--TEST--
After every fault that leaves a SET unanswered its release is sent, behind it or over another connection
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/faults.inc';
foreach (array_slice(FAULTS, 0, array_search('NOSCRIPT', array_keys(FAULTS))) as $fault => $steps) {
	foreach ([false, true] as $fence) {
		$play = function (string $new) use ($fault, $steps, $fence) {
			$server = new FakeServer(($fence ? "EXPECT EVALSHA * 2 faults_released {faults_released}:rlk:fence * 60000\n" :
				"EXPECT SET faults_released * NX PX 60000\n") . implode("\n", str_replace('SILENCE', 'DELAY 0', $steps)) .
				"\n{$new}EXPECT EVAL * 3 faults_released {faults_released}:rlk:waiters {faults_released}:rlk:signal *\nDELAY 0");
			$lock = new RedisLock($server->options(['name' => 'faults_released', 'fence' => $fence,
				'read_timeout' => fault_timeout($fault)]));
			made_of_it(fn () => $lock->acquire());
			unset($lock);
			return $server->verdict();
		};
		/* What is no Redis protocol ends the connection. */
		$said = $play('');
		echo $fault, $fence ? ', script: ' : ', SET: ', $said === "played\n" ? "released\n" :
			(str_contains($said, 'closed instead') ? 'released over another one: ' . $play("EXPECT-CLOSE\n") : $said);
	}
}
?>
--EXPECT--
silent, SET: released
silent, script: released
closed, SET: released
closed, script: released
half, then silent, SET: released
half, then silent, script: released
half, then closed, SET: released
half, then closed, script: released
one byte in a while, SET: released
one byte in a while, script: released
garbage, SET: released over another one: played
garbage, script: released over another one: played
zeros, SET: released over another one: played
zeros, script: released over another one: played
huge string, SET: released
huge string, script: released
more than a number, SET: released over another one: played
more than a number, script: released over another one: played
huge array, SET: released
huge array, script: released
endless line, SET: released
endless line, script: released
