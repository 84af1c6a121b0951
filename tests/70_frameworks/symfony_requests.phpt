--TEST--
Symfony: a kernel that serves many requests ends the locks of each with it, and logs which they were
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor('mbstring', 'ctype', 'tokenizer'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/vendor_deprecations.inc';
require vendor_autoload();

use RedisLock\Symfony\ProcessLockStore;
use Symfony\Component\Config\Loader\LoaderInterface;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\DependencyInjection\Loader\PhpFileLoader;
use Symfony\Component\DependencyInjection\Reference;
use Symfony\Component\EventDispatcher\DependencyInjection\RegisterListenersPass;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\RequestStack;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpFoundation\StreamedResponse;
use Symfony\Component\HttpKernel\Controller\ControllerResolver;
use Symfony\Component\HttpKernel\DependencyInjection\ResettableServicePass;
use Symfony\Component\HttpKernel\DependencyInjection\ServicesResetter;
use Symfony\Component\HttpKernel\EventListener\ErrorListener;
use Symfony\Component\HttpKernel\HttpKernel;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;
use Symfony\Contracts\Service\ResetInterface;

final class Log extends Psr\Log\AbstractLogger
{
	public function log($level, Stringable|string $message, array $context = []): void
	{
		if (isset($context['locks'])) {
			echo "$level: $message ", json_encode($context), "\n";
		}
	}
}

/** What Symfony's FrameworkBundle would register, which refuses to work with all of Symfony in one package. */
final class App extends Symfony\Component\HttpKernel\Kernel
{
	public static array $kept = [];

	public function registerBundles(): iterable
	{
		return [];
	}

	public function getProjectDir(): string
	{
		return sys_get_temp_dir() . '/rlk-symfony' . getmypid();
	}

	protected function build(ContainerBuilder $container): void
	{
		$container->registerForAutoconfiguration(ResetInterface::class)->addTag('kernel.reset', ['method' => 'reset']);
		$container->registerForAutoconfiguration(EventSubscriberInterface::class)->addTag('kernel.event_subscriber');
		$container->addCompilerPass(new RegisterListenersPass);
		$container->addCompilerPass(new ResettableServicePass);
		$container->register('event_dispatcher', EventDispatcher::class)->setPublic(true);
		$container->register('request_stack', RequestStack::class);
		$container->register('controller_resolver', ControllerResolver::class);
		$container->register('http_kernel', HttpKernel::class)->setPublic(true)->setArguments([new Reference('event_dispatcher'),
			new Reference('controller_resolver'), new Reference('request_stack'), null, true]);
		$container->register('services_resetter', ServicesResetter::class)->setPublic(true);
		$container->register('errors', ErrorListener::class)->addTag('kernel.event_subscriber')
			->addArgument([self::class, 'failed']);
		$container->register(Psr\Log\LoggerInterface::class, Log::class);
		$container->register(ProcessLockStore::class)->setPublic(true)->addArgument(['unix_socket' => getenv('SOCKET')]);
	}

	public function registerContainerConfiguration(LoaderInterface $loader): void
	{
		$guide = file_get_contents(dirname(__DIR__, 2) . '/docs/guide/symfony.md');
		preg_match('~^```php\n(// config/services\.php: for workers.*?)^```~ms', $guide, $found);
		file_put_contents($this->getProjectDir() . '/services.php', "<?php\n$found[1]");
		$loader->load($this->getProjectDir() . '/services.php');
	}

	public static function failed(): Response
	{
		return new Response('', 500);
	}

	public static function serve(string $what, App $kernel): Response
	{
		$take = fn (string $name) => self::$kept[] = self::take($name);
		switch ($what) {
			case 'streamed':
				return new StreamedResponse(fn () => $take($what));
			case 'inside':
				$take($what);
				$inner = $kernel->handle($request = self::request('nothing', $kernel));
				$kernel->terminate($request, $inner);
				return new Response(end(self::$kept)->isHeld() ? 'still held' : 'gone');
			case 'thrown':
				$take($what);
				throw new RuntimeException('no');
			case 'store':
				$lock = (new LockFactory($kernel->getContainer()->get(ProcessLockStore::class)))->createLockFromKey(new Key('store'), 30, false);
				return new Response($lock->acquire() ? 'taken' : 'refused');
			case 'nothing':
				return new Response;
		}
		$take($what);
		$take("$what/2");
		return new Response;
	}

	public static function request(string $what, App $kernel): Request
	{
		return new Request(attributes: ['_controller' => [self::class, 'serve'], 'what' => $what, 'kernel' => $kernel]);
	}

	public static function take(string $name): RedisLock
	{
		$lock = new RedisLock(['unix_socket' => getenv('SOCKET'), 'name' => $name, 'renew' => true]);
		$lock->acquire() || print("$name was not acquired\n");
		return $lock;
	}
}

$server = new Server;
$redis = $server->client();
putenv("SOCKET=$server->socket");
$kernel = new App('prod', false);
$files = new Symfony\Component\Filesystem\Filesystem;
$files->mkdir($kernel->getProjectDir());
register_shutdown_function(fn () => $files->remove($kernel->getProjectDir()));
$worker = App::take('worker');

/* As the runtimes do it. */
$serve = function (string $path, bool $terminate = true) use ($kernel, $redis): void {
	$request = App::request($path, $kernel);
	$response = $kernel->handle($request);
	ob_start();
	$response->sendContent();
	$said = ob_get_clean();
	if ($terminate) {
		$kernel->terminate($request, $response);
	}
	$keys = $redis('KEYS', '*');
	sort($keys);
	echo "$path: ", $response->getStatusCode() === 200 ? $said : $response->getStatusCode(), ' (', implode(', ', $keys), ")\n";
};
foreach (['nothing', 'left', 'left', 'streamed', 'inside', 'store', 'store'] as $path) {
	$serve($path);
}
$held = (new ReflectionProperty(ProcessLockStore::class, 'locks'))->getValue($kernel->getContainer()->get(ProcessLockStore::class));
echo count($held), " kept by the store, of the last one\n";

echo "-- not terminated: with the next request\n";
$serve('thrown', false);
$serve('nothing', false);
var_dump($worker->isHeld());
$kernel->shutdown();
?>
--EXPECT--
nothing:  (worker)
notice: A request left the locks "left/2", "left" behind. They have ended with the request. {"locks":["left\/2","left"]}
left:  (worker)
notice: A request left the locks "left/2", "left" behind. They have ended with the request. {"locks":["left\/2","left"]}
left:  (worker)
notice: A request left the lock "streamed" behind. It has ended with the request. {"locks":["streamed"]}
streamed:  (worker)
notice: A request left the lock "inside" behind. It has ended with the request. {"locks":["inside"]}
inside: still held (worker)
notice: A request left the lock "store" behind. It has ended with the request. {"locks":["store"]}
store: taken (worker)
notice: A request left the lock "store" behind. It has ended with the request. {"locks":["store"]}
store: taken (worker)
1 kept by the store, of the last one
-- not terminated: with the next request
thrown: 500 (thrown, worker)
notice: A request left the lock "thrown" behind. It has ended with the request. {"locks":["thrown"]}
nothing:  (worker)
bool(true)
