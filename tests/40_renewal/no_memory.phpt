--TEST--
RedisLock\RenewalException: the system gives no memory for the child, as under RLIMIT_AS or without overcommit
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
if (!is_readable('/proc/self/status')) die('skip tells nothing of its size');
if (getenv('USE_ZEND_ALLOC') === '0' || getenv('ASAN_OPTIONS') !== false) die('skip the size says little here');
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), __DIR__ . '/no_memory.inc', $s->socket]));
preg_match('/size: (\d+)/', shell_exec("$command size"), $match);
foreach ([16, 48, 90] as $mb) {
	echo "$mb MB\n";
	echo in_words_of_glibc(shell_exec('ulimit -v ' . ($match[1] + $mb * 1024) . " && exec $command limited"));
}
echo 'locked: ', $redis('EXISTS', 'no_memory'), "\n";
--EXPECT--
16 MB
bool(true)
bool(true)
lock "no_memory": there is no memory to share with a renewal child: mmap: Cannot allocate memory
lock "no_memory": there is no memory to share with a renewal child: mmap: Cannot allocate memory
bool(false)
bool(true)
bool(true)
48 MB
bool(true)
bool(true)
lock "no_memory": the renewal child could not be started: mmap: Cannot allocate memory
lock "no_memory": the renewal child could not be started: mmap: Cannot allocate memory
bool(false)
bool(true)
bool(true)
90 MB
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
locked: 0
