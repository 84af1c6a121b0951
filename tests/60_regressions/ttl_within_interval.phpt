--TEST--
an interval that is not shorter than the ttl is refused, before anything is locked
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
foreach ([['ttl' => 5, 'interval' => 5], ['ttl' => 5, 'interval' => 6], ['interval' => 30], ['ttl' => 1, 'interval' => 1]] as $options) {
	foreach ([fn () => SequenceTask::execute($s->options($options), fn () => print("must not run\n")),
		fn () => new RedisLock($s->options($options + ['renew' => true]))] as $attempt) {
		try {
			$attempt();
			echo "accepted\n";
		} catch (ValueError $e) {
			echo preg_replace('/^.*is not valid: /', '', $e->getMessage()), "\n";
		}
	}
}
var_dump($redis('DBSIZE'));

/* The least distance there is still works. */
SequenceTask::execute($s->options(['name' => 'ttl_within_interval', 'ttl' => 1.5, 'interval' => 1.499]), function (RedisLock $lock) {
	var_dump(stays_true(fn () => $lock->isHeld(), 2.5));
});
--EXPECTF--
option "interval" must be less than the ttl of 5 seconds, 5 given
option "interval" must be less than the ttl of 5 seconds, 5 given
option "interval" must be less than the ttl of 5 seconds, 6 given
option "interval" must be less than the ttl of 5 seconds, 6 given
option "interval" must be less than the ttl of 30 seconds, 30 given
option "interval" must be less than the ttl of %d seconds, 30 given
option "interval" must be less than the ttl of 1 seconds, 1 given
option "interval" must be less than the ttl of 1 seconds, 1 given
int(0)
bool(true)
