--TEST--
TLS: the passphrase appears in no message, dump or trace
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--INI--
zend.exception_ignore_args=0
zend.exception_string_param_max_len=100
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
$ca = new Authority;
$tls = $ca->server($ca->issue(), '--tls-auth-clients', 'yes');
$locked = $ca->lock($ca->issue(['DNS:client']), 's3cret-right');
$own = ['local_cert' => $locked->cert, 'local_pk' => $locked->key];
$seen = '';
$look = function (callable $code) use (&$seen) {
	try {
		$result = $code();
	} catch (Throwable $result) {
		$seen .= $result->getMessage() . $result->getTraceAsString() . $result;
	}
	ob_start();
	var_dump($result);
	$seen .= ob_get_clean() . print_r($result, true) . print_r((array) $result, true);
};
foreach ([
	fn () => new RedisLock($tls->options([], $own + ['passphrase' => 's3cret-1'])),
	fn () => (new RedisLock($tls->options([], $own + ['passphrase' => 's3cret-2'])))->acquire(),
	fn () => (new RedisLock($tls->options([], $own + ['passphrase' => 's3cret-right'])))->acquire(),
	fn () => (new RedisLock($tls->options([], ['local_cert' => '/s', 'passphrase' => 's3cret-3'])))->acquire(),
	fn () => new RedisLock($tls->options([], $own + ['passphrase' => ['s3cret-4']])),
	fn () => new RedisLock($tls->options([], $own + ['passphrase' => "s3cret-5\0"])),
	fn () => new RedisLock($tls->options([], $own + ['pasphrase' => 's3cret-6'])),
	fn () => new RedisLock('tls://127.0.0.1?ssl[passphrase]=s3cret-7&ssl[passphras]=s3cret-8'),
	fn () => new RedisLock($tls->options([], ['passphrase' => 's3cret-9']), ['ssl' => ['passphrase' => 's3cret-10', 'a' => 1]]),
	fn () => SequenceTask::execute($tls->options([], $own + ['passphrase' => 's3cret-11']), fn () => 1),
	fn () => RedisLock::restore($tls->options([], $own + ['passphrase' => 's3cret-12']), 'a', 'b')->isAcquired(),
] as $code) {
	$look($code);
}
echo strlen($seen) > 5000 && str_contains($seen, 'passphrase is not that of the key') ? "looked\n" : $seen;
preg_match_all('/s3cret[-\w]*/', $seen, $m);
print_r($m[0]);
/* Nor do our failures turn up as those of PHP's openssl extension. */
var_dump(function_exists('openssl_error_string') ? openssl_error_string() : false);
?>
--EXPECT--
looked
Array
(
)
bool(false)
