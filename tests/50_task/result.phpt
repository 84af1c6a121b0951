--TEST--
SequenceTask::execute(): returns what the callable returns
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$run = fn (callable $code) => SequenceTask::execute($s->options(['name' => 'result']), $code);

var_dump($run(fn () => 42), $run(fn () => null), $run(function () {}), $run(fn () => false));
var_dump(count($run(fn () => [1, [2, 3]])));

$object = new ArrayObject([1]);
var_dump($run(fn () => $object) === $object);

function &by_reference()
{
	static $value = 'a reference';
	return $value;
}
var_dump($run('by_reference'), $run('strtoupper' === 'x' ? '' : fn () => strtoupper('first class')));
var_dump($run('phpversion') === PHP_VERSION, $run([new ArrayObject([1, 2]), 'count']));

echo implode(',', $run(fn () => iterator_to_array((function () {
	yield 1;
	yield 2;
})()))), "\n";
var_dump($s->client()('EXISTS', 'result'));
--EXPECT--
int(42)
NULL
NULL
bool(false)
int(2)
bool(true)
string(11) "a reference"
string(11) "FIRST CLASS"
bool(true)
int(2)
1,2
int(0)
