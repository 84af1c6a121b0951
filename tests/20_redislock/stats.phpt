--TEST--
RedisLock\stats(): counts what happens to the locks of this process, also by server
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--EXTENSIONS--
pcntl
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();

/** What has changed since the last call, without zeros. */
function changes(): string
{
	static $before = [];
	$now = RedisLock\stats();
	$label = array_key_last($now['servers']);
	$now = ['sum' => array_diff_key($now, ['servers' => 0, 'implementation' => 0])] + $now['servers'];
	$changes = [];
	foreach ($now[$label] as $key => $value) {
		$value = is_array($value) ? $value['count'] : $value;
		$change = $value - ($before[$key] ?? 0);
		$before[$key] = $value;
		if ($change !== 0) {
			$changes[] = "$key $change";
		}
	}
	if ($now['sum'] !== $now[$label]) {
		$changes[] = 'the sum differs';
	}
	return implode(', ', $changes) ?: 'nothing';
}

step('first', array_keys(RedisLock\stats()) === ['acquired', 'refused', 'waited', 'lost', 'released', 'released_late',
	'renewed', 'renewal_failures', 'reconnects', 'stale', 'servers', 'implementation'], RedisLock\stats()['servers']);
$lock = new RedisLock($server->options(['name' => 'stats']));
$other = new RedisLock($server->options(['name' => 'stats']));
$_ = $lock->acquire();
step('acquired', changes());
$_ = $other->acquire();
step('refused', changes());
$_ = $other->acquire(0.5);
step('refused after a wait', changes());
$lock->release();
step('released', changes());
$lock->release();
step('not held', changes());

$_ = $lock->acquire();
$redis('DEL', 'stats');
$lock->release();
step('released by somebody else', changes());
$_ = $lock->acquire();
$redis('DEL', 'stats');
$_ = $lock->keepAlive();
$lock->release();
step('found lost', changes());

$short = new RedisLock($server->options(['name' => 'stats', 'ttl' => 1]));
$_ = $short->acquire();
$redis('PERSIST', 'stats');
wait_until(fn () => !$short->isHeld());
$short->release();
step('after its validity', changes());

$bound = new RedisLock($server->options(['name' => 'stats:bound', 'renew' => true, 'ttl' => 5, 'interval' => 0.02]));
$_ = $bound->acquire();
wait_until(fn () => RedisLock\stats()['renewed'] >= 2);
$bound->release();
step('renewed', preg_replace('/renewed \d+/', 'renewed n', changes()));

$redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
$_ = $lock->acquire();
$lock->release();
step('a connection broke', changes());

/* As PHP writes keys: $histogram['1'] is that of 1. */
$histogram = RedisLock\stats()['waited']['histogram'];
step('histogram', isset($histogram['0.5'], $histogram['1'], $histogram['5'], $histogram['10'], $histogram['60'], $histogram['INF']));

/* A copy counts from zero. */
$pid = pcntl_fork();
if ($pid === 0) {
	step('copy', RedisLock\stats()['acquired']);
	$_ = (new RedisLock($server->options(['name' => 'stats:copy'])))->acquire();
	step('copy', RedisLock\stats()['acquired'], RedisLock\stats()['reconnects']);
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
step('original', changes());
?>
--EXPECT--
first: true, array (
)
acquired: 'acquired 1'
refused: 'refused 1'
refused after a wait: 'refused 1, waited 1'
released: 'released 1'
not held: 'nothing'
released by somebody else: 'acquired 1, lost 1'
found lost: 'acquired 1, lost 1'
after its validity: 'acquired 1, released 1, released_late 1'
renewed: 'acquired 1, released 1, renewed n'
a connection broke: 'acquired 1, released 1, reconnects 1, stale 1'
histogram: true
copy: 0
copy: 1, 0
original: 'nothing'
