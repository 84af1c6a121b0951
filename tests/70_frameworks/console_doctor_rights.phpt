--TEST--
redislock doctor: each right that the user lacks
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/console.inc'; skip_unless_console(); server_is_before('6.2') && die('skip Redis 6.0 knows no COPY, and no right to it'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/doctor.inc';

$server = new Server;
$redis = $server->client();
$rights = '+set +get +del +exists +incr +pexpire +persist +pttl +lpush +lindex +lset +copy +blpop +type +eval +evalsha +select +client|setname +hello +client|tracking';
$user = function (string $name, string ...$rights) use ($server, $redis): array {
	$redis('ACL', 'SETUSER', $name, 'on', '>p', '~app:*', '-@all', ...$rights);
	return at_server($server, "username=$name&password=p&prefix=app:");
};
echo "-- rights\n";
found('those of the manual', examine($user('all', ...explode(' ', $rights))));
$steps = [];
foreach (array_slice(explode(' ', $rights), 0, 16) as $i => $right) {
	$steps["without $right"] = $user("less$i", ...array_diff(explode(' ', $rights), [$right]));
}
examine_all($steps, 'unseen', 'lock', 'rights \(note');
found('without +client|tracking', examine($user('untold', ...array_diff(explode(' ', $rights), ['+client|tracking']))), 'unseen', 'rights \(note');
echo "-- rights for permits\n";
$rights .= ' +time +zadd +pexpireat +zscore +zcard +zrange +zrevrange +zrevrank +zremrangebyscore';
examine_all(['all but one' => $user('most', ...explode(' ', $rights)), 'all' => $user('more', ...explode(' ', "$rights +zrem"))], 'unseen');
?>
--EXPECT--
-- rights
those of the manual: 0
	unseen (note): this user may not call INFO
	unseen (note): this user may not call SCAN
	rights (note): the user may not call TIME, ZADD, PEXPIREAT, ZSCORE, ZCARD, ZRANGE, ZREVRANGE, ZREVRANK, ZREMRANGEBYSCORE, ZREM
without +set: 1
	rights (problem): the user may not call SET
without +get: 1
	rights (problem): the user may not call GET
without +del: 1
	rights (problem): the user may not call DEL
without +exists: 1
	rights (problem): the user may not call EXISTS
without +incr: 1
	rights (problem): the user may not call INCR
without +pexpire: 1
	rights (problem): the user may not call PEXPIRE
without +persist: 1
	rights (problem): the user may not call PERSIST
without +pttl: 1
	rights (problem): the user may not call PTTL
without +lpush: 1
	rights (problem): the user may not call LPUSH
without +lindex: 1
	rights (problem): the user may not call LINDEX
without +lset: 1
	rights (problem): the user may not call LSET
without +copy: 1
	rights (problem): the user may not call COPY
without +blpop: 1
	rights (problem): the user may not call BLPOP
without +type: 1
	rights (problem): the user may not call TYPE
without +eval: 1
	rights (problem): the user may not call EVAL
without +evalsha: 1
	rights (problem): the user may not call EVALSHA
without +client|tracking: 0
	tracking (note): nobody is told at once of a lost lock
-- rights for permits
all but one: 0
	rights (note): the user may not call ZREM
all: 0
