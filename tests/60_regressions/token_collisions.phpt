--TEST--
tokens of forked copies never meet
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
/* Whatever is seeded is seeded before the fork, so that both would draw the same numbers. */
mt_srand(1);
RedisLock::newToken();
$files = ["$s->dir/parent", "$s->dir/copy"];

$pid = pcntl_fork();
for ($tokens = [], $i = 0; $i < 5000; $i++) {
	$tokens[] = substr(strrchr(RedisLock::newToken('label'), ':'), 1);
}
file_put_contents($files[$pid === 0], implode("\n", $tokens));
if ($pid === 0) {
	exit;
}
pcntl_waitpid($pid, $status);
$all = array_merge(...array_map(fn ($file) => file($file, FILE_IGNORE_NEW_LINES), $files));
var_dump(count($all), count(array_unique($all)), count(preg_grep('/^[0-9a-f]{32}$/', $all)));

/* Nor do those of acquisitions. */
$lock = new RedisLock($s->options(['name' => 'token_collisions', 'renew' => true]));
for ($seen = [], $i = 0; $i < 200; $i++) {
	$_ = $lock->acquire();
	$seen[$lock->getToken()] = true;
	$lock->release();
}
var_dump(count($seen));
--EXPECT--
int(10000)
int(10000)
int(10000)
int(200)
