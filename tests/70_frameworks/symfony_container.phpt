--TEST--
Symfony: with the services of docs/guide/symfony.md a container gives locks of ours to whoever asks for a LockFactory
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();

use Symfony\Component\Config\FileLocator;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\PhpFileLoader;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Messenger\Middleware\DeduplicateMiddleware;

final class Work
{
	public function __construct(public LockFactory $locks)
	{
	}
}

$server = new Server;
$redis = $server->client();
putenv("REDIS_URL=unix:$server->socket");
$guide = file_get_contents(dirname(__DIR__, 2) . '/docs/guide/symfony.md');
preg_match('~^```php\n(// config/services\.php\n.*?)^```~ms', $guide, $found);
$file = tempnam(sys_get_temp_dir(), 'rlk');
file_put_contents($file, "<?php\n$found[1]");
$container = new ContainerBuilder;
(new PhpFileLoader($container, new FileLocator))->load($file);
unlink($file);
$container->autowire(Work::class, Work::class)->setPublic(true);
/* As the bundle has it. */
$container->register('deduplicate', DeduplicateMiddleware::class)->setPublic(true)
	->addArgument(new Symfony\Component\DependencyInjection\Reference('lock.factory'));
$container->compile(true);

$lock = $container->get(Work::class)->locks->createLock('service', 30);
var_dump($lock->acquire(), str_starts_with($redis('GET', 'service'), 'rlk1:'), $redis('PTTL', 'service') > 29_000);
$lock->release();
var_dump($container->get('deduplicate') instanceof DeduplicateMiddleware);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
