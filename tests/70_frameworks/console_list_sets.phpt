--TEST--
redislock list and show: locks of several holders
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/console.inc'; skip_unless_console(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';

$server = new Server;
$redis = $server->client();
putenv("REDISLOCK_SERVER=unix:$server->socket?prefix=console_list_sets:");
$now = $redis('TIME')[0] * 1000;
$add = fn (string $name, string $member, int $seconds) => $redis('ZADD', "console_list_sets:$name", (string) ($now + $seconds * 1000), $member);
[$one, $two, $over] = [RedisLock::newToken('one'), RedisLock::newToken('two'), RedisLock::newToken('over')];
/* A weight of three, one of one, one that is over. */
foreach ([$one => 18000, "$one#2" => 18000, "$one#3" => 18000, $two => 14400, $over => -1] as $member => $seconds) {
	$add('permits', $member, $seconds);
}
/* Of another library, whose tokens may look like a weight. */
$add('other', 'them#2', 18000);
/* Numbers that rank something. */
$redis('ZADD', 'console_list_sets:ranks', '1', 'x', '2', 'y');
for ($i = 0; $i < 1500; $i++) {
	$add('crowd', preg_replace('/:[0-9a-f]{32}$/', sprintf(':%032x', $i), $one), 18000 + $i);
}
foreach (['permits', 'other', 'crowd'] as $name) {
	$redis('PEXPIRE', "console_list_sets:$name", '21600000');
}

function shown(string ...$arguments): void
{
	$run = new Run([...redislock_command(), ...$arguments]);
	$run->hangUp();
	echo $run->end(), "\n", preg_replace(['/process \d+ on \S+/', '/\t\S+\t\d+\t/', '/^/m'], ['PROCESS', "\tHOST\tPID\t", "\t"], rtrim($run->out . $run->err)), "\n";
}

shown('list', '--match=[^c]*');
shown('list', '--match=crowd');
shown('show', 'permits');
shown('show', 'other');
shown('list', '--all', '--match=other');
$run = new Run([...redislock_command(), 'list', '--json', '--match=permits']);
$run->end();
$row = json_decode($run->out, true);
step('json', $row['kind'], $row['permits'], array_map(fn ($holder) => "$holder[label] $holder[weight]", $row['holders']));
$redis('DEL', 'console_list_sets:permits');
/* Tokens left behind: kept by linger, held by nobody. */
$add('permits', "$one:done", 18000);
$redis('PEXPIRE', 'console_list_sets:permits', '21600000');
shown('list', '--match=permits');
shown('show', 'permits');
echo "-- release\n";
/* Those that were shown, and nobody who came meanwhile. */
foreach (['permits' => ['permits' => 4], 'shared' => ['shared' => true]] as $name => $kind) {
	$lock = fn (array $more = []) => new RedisLock($server->options(['name' => $name, 'prefix' => 'console_list_sets:', 'ttl' => 60] + $kind + $more));
	$redis('DEL', "console_list_sets:$name");
	[$first, $second, $late] = [$lock($name === 'permits' ? ['weight' => 2] : []), $lock(), $lock()];
	$held = [$first->acquire(), $second->acquire()];
	$run = new Run([...redislock_command(), 'release', $name], true);
	$run->await('[y/N]');
	$second->release();
	$held[] = $late->acquire();
	$run->say("y\n");
	step($name, ...$held, ...[$run->end(), $first->isAcquired(), $late->isAcquired()]);
}
/* A writer of Symfony's own store is one holder, and goes with its mark. */
foreach (['them', '__write__'] as $member) {
	$add('writer', $member, 18000);
}
$redis('PEXPIRE', 'console_list_sets:writer', '21600000');
shown('show', 'writer');
$run = new Run([...redislock_command(), 'release', 'writer'], true);
$run->await('[y/N]');
$run->say("y\n");
step('writer', $run->end(), $redis('EXISTS', 'console_list_sets:writer'));
?>
--EXPECT--
0
	NAME	HOST	PID	LABEL	TTL	WAIT	HELD
	permits	HOST	PID	two	6h		4
0
	NAME	HOST	PID	LABEL	TTL	WAIT	HELD
	crowd	HOST	PID	one	6h		1500
0
	name     permits
	kind     set
	holder   PROCESS (two), 1 held, for 4h
	holder   PROCESS (one), 3 held, for 5h
	permits  4 held
	ttl      6h
	waiters  none
0
	name     other
	kind     set
	holder   another library, 1 held, for 5h
	permits  1 held
	ttl      6h
	waiters  none
0
	NAME	HOST	PID	LABEL	TTL	WAIT	HELD
	other	(other)			6h		1
json: 'set', 4, array (
  0 => 'two 1',
  1 => 'one 3',
)
0
	NAME	HOST	PID	LABEL	TTL	WAIT	HELD
	permits	HOST	PID	one	6h		0
0
	name     permits
	kind     set
	holder   nobody: it rests (one), for 5h
	permits  0 held
	ttl      6h
	waiters  none
-- release
permits: true, true, true, 0, false, true
shared: true, true, true, 0, false, true
0
	name     writer
	kind     set
	holder   another library, 1 held, for 5h
	permits  1 held
	ttl      6h
	waiters  none
writer: 0, 0
