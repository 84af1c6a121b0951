--TEST--
Apache mod_php: restarted gracefully while a lock is held
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_apache();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$apache = new Apache($s);
$request = $apache->request('task("apache_reload", function () { gate(); echo "finished"; });')->await('in');
$child = $request->renewalChild();
$apache->signal(SIGUSR1);
wait_until(fn () => str_contains($apache->log(), 'Graceful restart requested'));
echo 'held ', $redis('EXISTS', 'apache_reload'), ', ', $request->go()->rest(), ', held ', $redis('EXISTS', 'apache_reload'),
	comes_true(fn () => !is_running($child)) ? '' : ', child left', "\n";
$next = $apache->request('task("apache_reload", fn () => print("next"));');
echo $next->rest(), $next->pid === $request->pid ? ' in the same process' : ' in another process', "\n";
--EXPECT--
held 1, finished, held 0
next in another process
