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
	echo $lock = new RedisLock(...$arguments), ' ', $lock->getName(), "\n";
}
echo new RedisLock(options: ['name' => 'f']), "\n";
?>
--EXPECT--
default[60] default
default[60] default
a[5] a
default[60] default
b[2.5] b
c[0.5] c
d[5] d
a[5] a
e[3] e
default[4] default
default[30] default
default[0] default
f[60]
