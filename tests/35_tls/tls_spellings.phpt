--TEST--
TLS: every way of asking for it, and never clear text where somebody did
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/outcome.inc';
$ca = new Authority;
$tls = $ca->server($ca->issue());
$f = ['cafile' => $ca->cafile];
$at = ['host' => '127.0.0.1', 'port' => $tls->port, 'name' => 'tls_spellings'];
$uri = "127.0.0.1:$tls->port?name=tls_spellings&ssl[cafile]=" . urlencode($ca->cafile);
$works = fn ($params, $options = []) => outcome(function () use ($params, $options) {
	$lock = new RedisLock($params, $options + ['name' => 'tls_spellings']);
	return $lock->acquire() && $lock->release();
});
each_outcome([
	'tls and ssl' => ['scheme' => 'tls', 'ssl' => $f] + $at,
	'rediss' => ['scheme' => 'rediss', 'ssl' => $f] + $at,
	'valkeys' => ['scheme' => 'valkeys', 'ssl' => $f] + $at,
	'in host' => ['host' => 'tls://127.0.0.1', 'ssl' => $f] + $at,
	'useSSL' => ['useSSL' => true, 'ssl' => $f] + $at,
	'useSSL does not switch it off' => ['useSSL' => false, 'ssl' => $f] + $at,
	'ssl alone' => ['ssl' => $f] + $at,
	'what is so anyway' => ['ssl' => $f + ['SNI_enabled' => true, 'disable_compression' => true]] + $at,
	'words for yes' => ['ssl' => $f + ['verify_peer' => 'yes', 'verify_peer_name' => '1', 'allow_self_signed' => 0]] + $at,
	'null is absent' => ['ssl' => $f + ['local_cert' => null, 'passphrase' => '', 'peer_name' => null]] + $at,
	'url' => ['url' => "rediss://$uri", 'name' => 'tls_spellings'],
	'URI' => "tls://$uri",
	'valkeys URI' => "valkeys://$uri",
	'URI, not verified' => "rediss://127.0.0.1:$tls->port?name=tls_spellings&ssl[verify_peer]=0&ssl[verify_peer_name]=false",
	'URI, useSSL beside' => ['url' => "rediss://$uri", 'useSSL' => true],
], $works);
each_outcome([
	'a URI, the rest behind it' => ["rediss://127.0.0.1:$tls->port", ['name' => 'tls_spellings', 'ssl' => $f]],
	'options first, host behind' => [['scheme' => 'tls', 'ssl' => $f], $at],
	'another host is no clear text' => [['scheme' => 'tls', 'host' => 'other', 'ssl' => $f], $at],
], fn ($two) => $works(...$two));
/* Laravel's and php.ini's default. */
ini_set('redislock.server', "rediss://$uri");
var_dump($works(['name' => 'tls_spellings']));
ini_set('redislock.server', "tcp://127.0.0.1:$tls->port");
var_dump($works(['name' => 'tls_spellings', 'ssl' => $f]), $works(['name' => 'tls_spellings', 'useSSL' => true, 'ssl' => ['verify_peer' => false, 'verify_peer_name' => false]]));
ini_restore('redislock.server');
echo "\n";
each_configuration([
	'clear URI' => ['url' => 'redis://a', 'ssl' => ['verify_peer' => false]],
	'clear URI, useSSL' => ['url' => 'redis://a', 'useSSL' => true],
	'a socket' => ['path' => '/run/redis.sock', 'ssl' => $f],
	'scheme unix' => ['scheme' => 'unix', 'path' => '/run/redis.sock', 'useSSL' => true],
	'two schemes' => ['scheme' => 'tcp', 'host' => 'tls://a'],
	'nothing asked for' => ['scheme' => 'tcp', 'useSSL' => false, 'ssl' => []],
	'nothing asked for by nulls' => ['scheme' => 'tcp', 'ssl' => ['cafile' => null, 'verify_peer' => null]],
	'another crypto option' => ['ssl' => ['ciphers' => 'HIGH']],
	'mistyped' => ['ssl' => ['cafiel' => '/a']],
	'a fingerprint' => ['ssl' => ['peer_fingerprint' => 'ab']],
	'no SNI' => ['ssl' => ['SNI_enabled' => false]],
	'clear scheme' => ['scheme' => 'tcp', 'ssl' => $f],
	'in context' => ['context' => ['ssl' => $f]],
	'a list' => ['ssl' => ['/a']],
	'no bool' => ['ssl' => ['verify_peer' => 'perhaps']],
	'no path' => ['ssl' => ['cafile' => [1]]],
	'NUL' => ['ssl' => ['cafile' => "/a\0b"]],
	'useSSL with options' => ['useSSL' => ['verify_peer' => true]],
	'ssl is a word' => ['ssl' => 'perhaps'],
]);
each_outcome(['rediss:///run/redis.sock', 'redis://a?ssl[cafile]=/a', 'tls://a?ssl[ciphers]=x',
	'unix:///run/a?ssl[cafile]=/a', 'rediss://:s3cret@a?ssl[pass]=s3cret'],
	fn ($uri) => preg_replace('/.*not valid: /', '', outcome(fn () => new RedisLock($uri))));
$lock = new RedisLock(['name' => 'tls_spellings', 'auth' => 'right', 'ssl' => $f] + $at);
echo preg_replace('/\(.*|127\S+/', '', outcome(fn () => $lock->acquire())), "\n";
?>
--EXPECT--
tls and ssl: 'true'
rediss: 'true'
valkeys: 'true'
in host: 'true'
useSSL: 'true'
useSSL does not switch it off: 'true'
ssl alone: 'true'
what is so anyway: 'true'
words for yes: 'true'
null is absent: 'true'
url: 'true'
URI: 'true'
valkeys URI: 'true'
URI, not verified: 'true'
URI, useSSL beside: 'true'
a URI, the rest behind it: 'true'
options first, host behind: 'true'
another host is no clear text: 'true'
string(4) "true"
string(4) "true"
string(4) "true"

clear URI: ValueError: options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS
clear URI, useSSL: ValueError: options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS
a socket: ValueError: options of TLS are given for a unix socket, on which there is no TLS
scheme unix: ValueError: options of TLS are given for a unix socket, on which there is no TLS
two schemes: ValueError: options "scheme" and "host" contradict each other
nothing asked for: accepted as [60]
nothing asked for by nulls: accepted as [60]
another crypto option: ValueError: option "ssl.ciphers" is not supported; see docs/operate/tls.md
mistyped: ValueError: option "ssl.cafiel" is not supported; see docs/operate/tls.md
a fingerprint: ValueError: option "ssl.peer_fingerprint" is not supported; see docs/operate/tls.md
no SNI: ValueError: option "ssl.SNI_enabled" must be true, as it always is
clear scheme: ValueError: options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS
in context: ValueError: unknown option "context"; RedisLock\Options::from() of redislock/lock reads it
a list: TypeError: option "ssl" must be an array of PHP's SSL context options, array given
no bool: ValueError: option "ssl.verify_peer" must be true or false
no path: TypeError: option "ssl.cafile" must be a string, array given
NUL: ValueError: option "ssl.cafile" must not contain NUL bytes
useSSL with options: TypeError: option "useSSL" must be true or false, array given
ssl is a word: ValueError: option "ssl" must be true or false
0: 'the URI must name a host; a socket is "unix:/run/redis.sock"; the default server is never used instead'
1: 'options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS'
2: 'option "ssl.ciphers" is not supported; see docs/operate/tls.md'
3: 'options of TLS are given for a unix socket, on which there is no TLS'
4: 'unknown option of TLS in the query of the URI'
RedisLock\ConnectionException: lock "tls_spellings": the server refused the credentials: ERR AUTH <password> called without any password configured for the default user
