--TEST--
TLS: a child that cannot speak it, or lacks a certificate, is replaced by one that can; no lock is lost by that
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require_once __DIR__ . '/../inc/timing.inc';
$ca = new Authority;
$other = new Authority;
$clear = new Server;
$first = $ca->server($ca->issue());
$second = $other->server($other->issue());
$look = ['clear' => $clear->client(), 'first' => $first->server->client(), 'second' => $second->server->client()];

$holder = new Php('
	foreach (unserialize($argv[1]) as $name => $options) {
		$locks[$name] = new RedisLock($options + ["name" => "replaced", "renew" => true, "ttl" => 5, "interval" => 0.1]);
		echo $locks[$name]->acquire() ? "$name\n" : "no\n";
		fgets(STDIN);
	}
	echo count(array_filter($locks, fn ($lock) => $lock->isHeld())), " held\n";
	fgets(STDIN);
', [serialize(['clear' => $clear->options(), 'first' => $first->options(), 'second' => $second->options()])]);
$children = [];
foreach (['clear', 'first', 'second'] as $name) {
	$holder->await($name);
	$children[] = await_renewal_child($holder->pid);
	/* Everything there is is renewed twice. */
	foreach (array_slice($look, 0, count($children)) as $server => $redis) {
		$renewals = $ttl = 0;
		comes_true(function () use ($redis, &$renewals, &$ttl) {
			[$before, $ttl] = [$ttl, $redis('PTTL', 'replaced')];
			return ($renewals += $ttl > $before ? 1 : 0) > 2; /* and one for the first look */
		}) || print("$server: not renewed\n");
	}
	$holder->tell('');
}
echo count(array_unique($children)), " children, ", count(array_filter($children, is_running(...))), " left\n";
echo $holder->line(), "\n";
foreach ($look as $name => $redis) {
	echo "$name: ", $redis('EXISTS', 'replaced'), "\n";
}
$killed = now();
$holder->signal(SIGKILL);
wait_until(fn () => array_sum(array_map(fn ($redis) => $redis('EXISTS', 'replaced'), $look)) === 0);
expect_taken('freed, not expired', $killed, 0, 0.5);
?>
--EXPECT--
3 children, 1 left
3 held
clear: 1
first: 1
second: 1
freed, not expired: ok
