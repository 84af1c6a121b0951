--TEST--
redislock: as one file, which needs nothing else; and its completion for shells
--EXTENSIONS--
phar
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php
require __DIR__ . '/../inc/console.inc';
skip_unless_console();
is_file(__DIR__ . '/../../scripts/release/phar.php') || die('skip the scripts are not here');
?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';

$server = new Server;
putenv("REDISLOCK_SERVER=unix:$server->socket");
$top = dirname(__DIR__, 2);
$extension = is_file(PHP_EXTENSION_DIR . '/phar.so') ? ['-d', 'extension=phar'] : [];
$make = new Run([...Php::command(), ...$extension, '-d', 'phar.readonly=0', "$top/scripts/release/phar.php", $top, $file = "$server->dir/redislock.phar"]);
echo $make->end(), $make->out, $make->err, "\n";
$phar = function (string ...$arguments) use ($file, $extension): string {
	$run = new Run([...Php::command(), ...$extension, $file, ...$arguments]);
	$run->hangUp();
	return $run->end() . ' ' . trim($run->out . $run->err);
};
echo $phar('--version'), "\n", $phar('run', '--name=console_phar', '--', 'echo', 'runs'), "\n";
/* Its renewal child frees the lock a moment later. */
wait_until(fn () => !$server->client()('EXISTS', 'console_phar'));
echo $phar('show', 'console_phar'), "\n";
$lock = new RedisLock($server->options(['name' => 'console_phar']));
$_ = $lock->acquire();
echo json_decode(substr($phar('list', '--json'), 2), true)['name'] ?? 'none', "\n", $phar('release', '--force', 'console_phar'), "\n";
echo preg_match(server_is_before('6.2') ? '/^1 PROBLEM/' : '/^0 (No problem|NOTE)/', $phar('doctor')) ? 'examined' : $phar('doctor'), "\n";
$lock->release();
$lease = new Run([...Php::command(true), ...$extension, '-r', "require 'phar://$file/autoload.php'; \$lock = new RedisLock('unix:$server->socket', ['name' => 'console_phar']);
	echo \$lock->acquire() && \$lock->release() ? 'a lease without the extension' : 'none';"]);
echo $lease->end(), ' ', $lease->out, $lease->err, "\n";
$_ = $lock->acquire();
foreach (['bash', 'zsh', 'fish'] as $shell) {
	$words = explode(' ', $phar('completion', $shell), 2);
	step($shell, $words[0], str_contains($words[1], '_complete'), str_contains($phar('_complete', '--no-interaction', "-s$shell", '-c1', '-S1', '-a1', '-i', 'redislock', '-i', 'sh'), 'show'));
}
?>
--EXPECT--
0
0 redislock 0.1.0
0 runs
1 Nobody holds console_phar.
console_phar
0 Released console_phar.
examined
0 a lease without the extension
bash: '0', true, true
zsh: '0', true, true
fish: '0', true, true
