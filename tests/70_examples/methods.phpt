--TEST--
examples/methods.php: the samples of the reference, one after the other
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
$servers = servers(3);
$code = preg_replace('/^<\?php/', '', file_get_contents(dirname(__DIR__, 2) . '/examples/methods.php'));
/* The limits of a busy machine. */
$arguments = array_map(fn (Server $s) => "tcp://127.0.0.1:$s->port?timeout=5&read_timeout=5", $servers);
/* Its holder has to be heard within 50 ms. */
echo unless_stalled(function () use ($servers, $code, $arguments, &$p) {
	array_map(fn (Server $s) => $s->client()('FLUSHALL'), $servers);
	$p = new Php($code, $arguments, ["redislock.server=unix:{$servers[0]->socket}"]);
	return $p->rest();
}, fn (string $said) => !str_contains($said, 'somebody has it')), json_encode($p->end()), "\n";
/* The renewal child of the command frees it. */
wait_until(fn () => $servers[0]->client()('EXISTS', 'nightly') === 0);
?>
--EXPECTF--
at work
held
held, says the server
stock
stock[60]
process %d on %s
rlk1:%s:%d::%x
taken over
cart was left behind
North, held
South, held
trouble with tcp://127.0.0.1:1
the same call may succeed later
tcp://127.0.0.1:1
tcp://127.0.0.1:2
tcp://127.0.0.1:3
import has it
try again within %d s
%r(done, but not alone|stopped in the middle)%r
%d acquired, %d refused, %f s waited
the backup runs
{"exit":0}
