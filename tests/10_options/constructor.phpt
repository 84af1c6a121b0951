--TEST--
RedisLock::__construct(): an array, a URI, or either with options merged over it; connects to nothing
--EXTENSIONS--
redislock
--FILE--
<?php
foreach ([
	[],
	[[]],
	[['name' => 'a', 'ttl' => 5]],
	['redis://nobody.invalid:1234'],
	['redis://nobody.invalid?name=b&ttl=2.5'],
	['unix:/nowhere?name=c', ['ttl' => '0.5']],
	[['name' => 'a', 'ttl' => 5], ['name' => 'd']],
	[['name' => 'a', 'ttl' => 5], ['ttl' => null]],
	[['url' => 'tcp://nobody.invalid?ttl=3', 'name' => 'e']],
	[['expiredTime' => 4, 'ttl' => 4]],
	[['renew' => true]],
	[['renew' => 'off', 'ttl' => 0]],
] as $arguments) {
	echo new RedisLock(...$arguments), "\n";
}
echo new RedisLock(options: ['name' => 'f']), "\n";
?>
--EXPECT--
[60]
[60]
a[5]
[60]
b[2.5]
c[0.5]
d[5]
a[5]
e[3]
[4]
[30]
[0]
f[60]
