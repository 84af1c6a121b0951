--TEST--
SequenceTask::execute(): runs in several fibers may end in any order
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$task = fn (string $name) => new Fiber(fn () => SequenceTask::execute($s->options(['name' => "fibers_overlap-$name"]),
	function () use ($name) {
		echo "$name works under ", SequenceTask::current()->getName(), "\n";
		Fiber::suspend();
		echo "$name ends under ", SequenceTask::current()->getName(), "\n";
		return $name;
	}));
[$a, $b, $c] = [$task('a'), $task('b'), $task('c')];
$a->start();
$b->start();
$c->start();
echo 'held: ', $redis('DBSIZE'), "\n";
$b->resume();
$a->resume();
echo 'held: ', $redis('DBSIZE'), ' ', var_export(SequenceTask::current(), true), "\n";
$c->resume();
echo $a->getReturn(), $b->getReturn(), $c->getReturn(), ' held: ', $redis('DBSIZE'), "\n";
--EXPECT--
a works under fibers_overlap-a
b works under fibers_overlap-b
c works under fibers_overlap-c
held: 3
b ends under fibers_overlap-b
a ends under fibers_overlap-a
held: 1 NULL
c ends under fibers_overlap-c
abc held: 0
