--TEST--
TLS: the renewal child keeps locks, frees those of a killed process, tells of a loss, and connects again
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require_once __DIR__ . '/../inc/timing.inc';
$ca = new Authority;
$mine = $ca->issue(['DNS:client']);
$locked = $ca->lock($mine, 's3cret');
$tls = $ca->server($ca->issue(), '--tls-auth-clients', 'yes', '--requirepass', 'right');
$redis = $tls->server->client();
$redis('AUTH', 'right');
$ssl = ['local_cert' => $locked->cert, 'local_pk' => $locked->key, 'passphrase' => 's3cret'];
$options = fn (array $more) => $tls->options(
	$more + ['password' => 'right', 'renew' => true, 'ttl' => 30, 'interval' => 0.2], $ssl);

/* Though its connections are cut again and again. */
$lock = new RedisLock($options(['name' => 'kept']));
$_ = $lock->acquire();
for ($cuts = $renewals = $i = 0; $i < 5; $i++) {
	$cuts += $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
	$renewals += is_renewed($redis, 'kept');
}
var_dump($lock->isHeld() && $renewals === 5, $lock->isAcquired(), $cuts > 2, $lock->release(), $redis('EXISTS', 'kept'));

/* Freed within milliseconds of a kill. */
unset($lock);
$holder = new Php('
	$lock = new RedisLock(unserialize($argv[1]));
	echo $lock->acquire() ? "held\n" : "no\n";
	sleep(30);
', [serialize($options(['name' => 'killed', 'client_name' => 'holder']))]);
$holder->await('held');
$child = await_renewal_child($holder->pid);
/* Its own connection, and its child's. */
wait_until(fn () => substr_count($redis('CLIENT', 'LIST'), ' name=holder ') === 2);
$killed = now();
$holder->signal(SIGKILL);
wait_until(fn () => $redis('EXISTS', 'killed') === 0);
expect_taken('freed', $killed, 0, 0.3);
wait_until(fn () => !is_running($child));

/* A loss is thrown in the running code. */
$lost = new Php('
	try {
		SequenceTask::execute(unserialize($argv[1]), function () { echo "running\n"; sleep(20); });
	} catch (RedisLock\LockLostException $e) {
		echo "lost\n";
	}
', [serialize($options(['name' => 'lost']))]);
$lost->await('running');
$redis('DEL', 'lost');
echo $lost->line(), "\n";
echo $lost->rest();

/* Ends at once at the end of a script. */
$before = now();
$short = new Php('$lock = new RedisLock(unserialize($argv[1])); var_dump($lock->acquire());', [serialize($options(['name' => 'short']))]);
echo $short->rest();
expect_taken('short', $before, 0, 3);
var_dump($redis('EXISTS', 'short'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
int(0)
freed: ok
lost
bool(true)
short: ok
int(0)
