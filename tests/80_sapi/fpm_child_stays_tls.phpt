--TEST--
PHP-FPM: a renewal child that speaks TLS stays, too, without the heap of the request that started it
--SKIPIF--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/checks.inc';
skip_unless_fpm();
skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/checks.inc';

$ca = new Authority;
$tls = $ca->server($ca->issue());
$redis = $tls->server->client();
chmod($ca->dir, 0755); /* the workers may be another user */
chmod($ca->cafile, 0644);
$fpm = new Fpm($tls->server, Fpm::ONE_WORKER . 'php_admin_value[memory_limit] = 300M');
$options = fn (array $more = []) => var_export($tls->options($more + ['name' => 'fpm_child_stays_tls', 'ttl' => 30]), true);
$begin = fn (string $first = '', array $more = []) => $fpm->request("$first SequenceTask::execute({$options($more)}, fn () => gate());")->await('in');

/* Small pieces, which lie in chunks, and large ones, which do not. */
$request = $begin('for ($live = []; count($live) < 1000;) $live[] = str_repeat("x", 65000);
	for ($i = 0; $i < 8; $i++) $live[] = str_repeat("x", 8 << 20);', ['interval' => 0.1]);
$child = $request->renewalChild();
echo 'renews: ', json_encode(is_renewed($redis, 'fpm_child_stays_tls')), "\n";
expect_between('private kB of a child of 128 MB', private_kb($child), 1, 4000);
$request->go()->rest();
expect_between('and when it is idle', private_kb($child), 1, 4000);
$run = function () use ($begin) {
	$request = $begin();
	$child = $request->renewalChild();
	$request->go()->rest();
	return $child;
};
echo 'the same: ', json_encode([$run(), $run()] === [$child, $child]), "\n";
/* The worker looks at the files once a second. */
file_put_contents($ca->cafile, "\n", FILE_APPEND);
echo 'other certificates, another child: ', json_encode(comes_true(fn () => $run() !== $child) && !is_running($child, true)), "\n";
$request = $begin();
posix_kill($request->pid, SIGKILL);
expect_free('the worker killed', $tls->server, 'fpm_child_stays_tls', now());
--EXPECT--
renews: true
private kB of a child of 128 MB: ok
and when it is idle: ok
the same: true
other certificates, another child: true
the worker killed: ok
