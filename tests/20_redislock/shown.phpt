--TEST--
var_dump() and print_r() show what a lock is and how it stands, never its token or credentials
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server(true);
$s->client()('ACL', 'SETUSER', 'guest', 'on', '>s3cret', '~*', '+@all');
$server = ['user' => 'guest', 'password' => 's3cret'] + $s->options(tcp: true);
$options = fn (array $more = []) => $more + $server + ['name' => 'shown', 'prefix' => 'of:', 'ttl' => 20];

function show(string $title, object $object): void
{
	ob_start();
	var_dump($object);
	$dumped = ob_get_clean();
	$shown = print_r($object, true);
	if (preg_match('/s3cret|guest|rlk1:/', $dumped . $shown)) {
		echo "it tells a secret: $dumped\n";
	}
	echo "$title: ", preg_replace(['/\s+/', '/127\.0\.0\.1:\d+/', '/1\d\.\d+(?= s left)/', '/ => /'], [' ', 'SERVER', '10..20', '='], $shown), "\n";
}

$lock = new RedisLock($options(['fence' => true]));
show('made', $lock);
$_ = $lock->acquire();
show('held', $lock);
$lock->lock('other', config: ['renew' => true, 'fence' => false]);
$lock->lock('7', config: ['ttl' => 0.5, 'fence' => false]);
wait_until(fn () => $s->client()('EXISTS', 'of:7') === 0);
show('of other names', $lock);
$lock->unlock('other');
$token = $lock->detach();
show('detached', $lock);
show('restored', RedisLock::restore($options(), 'shown', $token));
show('without a name', new RedisLock(['name' => null, 'renew' => true] + $options()));

class Named extends RedisLock
{
	protected array $tags = ['a'];
}
class Secretive extends RedisLock
{
	public function __debugInfo(): array { return ['own' => 'words']; }
}
show('subclass', new Named('sentinel.test:1', ['name' => 'b', 'ttl' => 0]));
show('of its own', new Secretive($options()));
show('never constructed', (new ReflectionClass(Named::class))->newInstanceWithoutConstructor());

$red = new RedisLock\RedLock([['timeout' => 5, 'read_timeout' => 5] + $server], 1, 1, ['prefix' => 'red:']);
show('RedLock', $red);
$red->lock('many', 20000);
show('RedLock', $red);
?>
--EXPECT--
made: RedisLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=of: [locks]=Array ( [shown]=not held ) ) 
held: RedisLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=of: [locks]=Array ( [shown]=held, 10..20 s left ) ) 
of other names: RedisLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=of: [locks]=Array ( [shown]=held, 10..20 s left [other]=held, 10..20 s left unless renewed [7]=expired ) ) 
detached: RedisLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=of: [locks]=Array ( [shown]=not held [7]=expired ) ) 
restored: RedisLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=of: [locks]=Array ( [shown]=restored, not confirmed ) ) 
without a name: RedisLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=of: [locks]=Array ( ) ) 
subclass: Named Object ( [tags:protected]=Array ( [0]=a ) [servers]=Array ( [0]=tcp://sentinel.test:1 ) [prefix]=[locks]=Array ( [b]=not held ) ) 
of its own: Secretive Object ( [own]=words ) 
never constructed: Named Object ( [tags:protected]=Array ( [0]=a ) ) 
RedLock: RedisLock\RedLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=red: [locks]=Array ( ) ) 
RedLock: RedisLock\RedLock Object ( [servers]=Array ( [0]=tcp://SERVER ) [prefix]=red: [locks]=Array ( [many]=held, 10..20 s left ) ) 
