--TEST--
PHP-FPM: a lock lives on after fastcgi_finish_request(), until the work is done
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s);
$request = $fpm->request('task("fpm_background", function ($lock) { say("in"); fastcgi_finish_request(); $_ = $lock->keepAlive(90);
	while (!file_exists(__FILE__ . ".go")) usleep(500); });')->await('in');
echo 'answered: "', $request->rest(), '"', "\n";
wait_until(fn () => $redis('PTTL', 'fpm_background') > 60000);
$request->go();
wait_until(fn () => !$redis('EXISTS', 'fpm_background'));
echo $fpm->request('echo "next";')->pid === $request->pid ? 'same' : 'another', " worker\n";
--EXPECT--
answered: ""
same worker
