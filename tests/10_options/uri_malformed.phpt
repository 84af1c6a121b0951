--TEST--
Malformed URIs are refused, and nothing of their passwords is shown
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
foreach ([
	'', 'redis.example', '/run/redis.sock', '://redis.example', 'http://redis.example', 'redis:redis.example', 'redis:',
	'redis://redis.example:port', 'redis://redis.example:0', 'redis://redis.example:70000', 'redis://redis.example:-1',
	'redis://redis.example/one', 'redis://redis.example/0/1', 'redis://redis.example#1', 'redis://redis.example /1',
	"redis://redis.example/\n", 'redis://[::1', 'redis://[::1]6379', 'redis://::1', 'redis://%zz', 'redis://a?ttl=5%',
	'redis://s3cret@redis.example', 'redis://user:s3c@ret@redis.example', 'redis://user:s3c/ret@redis.example',
	'redis://user:s3c?ret@redis.example', 'redis://user:s3c#ret@redis.example', 'redis://user:s3c%ret@redis.example',
	'redis://redis.example?pasword=s3cret', 'redis://redis.example?ttl=-1', 'redis://redis.example?ttl=a',
	'redis://redis.example?ttl=1&ttl=2', 'redis://redis.example?url=redis://b', 'redis://redis.example?options=1',
	'unix:', 'unix:relative', 'unix://relative', 'unix://', 'unix:///', 'redis://a?host[b:1]&host[c:2]', 'redis:///run/redis.sock',
] as $uri) {
	$said = outcome(fn () => (string) new RedisLock($uri));
	echo addcslashes($uri, "\n"), "\n\t",
		str_replace('ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: ', '', $said), "\n";
}
?>
--EXPECT--
the URI must name a server, and names none; the default server is never used instead
redis.example
	the URI must be a server, as "tcp://host:port" and "host:port" are; a lock's name goes into "name"
/run/redis.sock
	the URI must be a server, as "tcp://host:port" and "host:port" are; a lock's name goes into "name"
://redis.example
	the URI must be a server, as "tcp://host:port" and "host:port" are; a lock's name goes into "name"
http://redis.example
	the scheme of the URI must be one of tcp, redis, valkey, unix, tls, rediss, valkeys
redis:redis.example
	the URI must have "//" behind its scheme
redis:
	the URI must have "//" behind its scheme
redis://redis.example:port
	the URI has a port that is no number; an IPv6 address is written in brackets, and ":", "/" and "?" in a password percent-encoded
redis://redis.example:0
	option "port" must be a whole number from 1 to 65535, 0 given
redis://redis.example:70000
	option "port" must be a whole number from 1 to 65535
redis://redis.example:-1
	the URI has a port that is no number; an IPv6 address is written in brackets, and ":", "/" and "?" in a password percent-encoded
redis://redis.example/one
	the URI must have nothing but the number of a database behind its host; a socket is "unix:/run/redis.sock"
redis://redis.example/0/1
	the URI must have nothing but the number of a database behind its host; a socket is "unix:/run/redis.sock"
redis://redis.example#1
	the URI must not contain "#", which is written "%23"
redis://redis.example /1
	the URI must not contain blanks or control characters; they are percent-encoded
redis://redis.example/\n
	the URI must not contain blanks or control characters; they are percent-encoded
redis://[::1
	the URI has a "[" without "]"
redis://[::1]6379
	the URI has something between the "]" of its address and the port
redis://::1
	the URI has a port that is no number; an IPv6 address is written in brackets, and ":", "/" and "?" in a password percent-encoded
redis://%zz
	the URI has a broken percent-encoding; a "%" itself is written "%25"
redis://a?ttl=5%
	the URI has a broken percent-encoding; a "%" itself is written "%25"
redis://s3cret@redis.example
	the URI has no ":" in front of its "@": a user or a password? Write ":password@" or "user:password@"
redis://user:s3c@ret@redis.example
	the URI has more than one "@"; in a user name or password it is written "%40"
redis://user:s3c/ret@redis.example
	the URI has an "@" in its path; a "/" in a user name or password is written "%2F"
redis://user:s3c?ret@redis.example
	the URI has a port that is no number; an IPv6 address is written in brackets, and ":", "/" and "?" in a password percent-encoded
redis://user:s3c#ret@redis.example
	the URI must not contain "#", which is written "%23"
redis://user:s3c%ret@redis.example
	the URI has a broken percent-encoding; a "%" itself is written "%25"
redis://redis.example?pasword=s3cret
	unknown option "pasword", did you mean "password"?
redis://redis.example?ttl=-1
	option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000
redis://redis.example?ttl=a
	TypeError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, string given
redis://redis.example?ttl=1&ttl=2
	option "ttl" is given twice, with different values, one of them in the URI
redis://redis.example?url=redis://b
	option "url" cannot be given in a URI
redis://redis.example?options=1
	unknown option "options"; RedisLock\Options::from() of redislock/lock reads it
unix:
	the URI must have the absolute path of a socket behind "unix:"
unix:relative
	the URI must have the absolute path of a socket behind "unix:"
unix://relative
	the URI must have the absolute path of a socket behind "unix://", which makes three slashes
unix://
	the URI must have the absolute path of a socket behind "unix://", which makes three slashes
unix:///
	the URI must have the absolute path of a socket behind "unix://", which makes three slashes
redis://a?host[b:1]&host[c:2]
	unknown option "host[b:1]"
redis:///run/redis.sock
	the URI must name a host; a socket is "unix:/run/redis.sock"; the default server is never used instead
