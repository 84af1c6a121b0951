--TEST--
Symfony: the profiler has a panel with the locks of each request, in debug mode only
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/symfony.inc'; skip_unless_symfony(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/symfony.inc';
use RedisLock\LockFactory;
use RedisLock\Observe\Observer;
use RedisLock\Symfony\{ProfilerCollector, RedisLockBundle};
use Symfony\Bundle\{FrameworkBundle\FrameworkBundle, TwigBundle\TwigBundle, WebProfilerBundle\WebProfilerBundle};
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\{Request, Response};
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

final class App extends SymfonyApp
{
	public ?string $token = null;
	private bool $first = true;

	public function registerBundles(): iterable
	{
		return [new RedisLockBundle, new FrameworkBundle, new TwigBundle, new WebProfilerBundle];
	}

	protected function configureContainer(ContainerConfigurator $container): void
	{
		$container->extension('framework', self::FRAMEWORK + ['profiler' => ['enabled' => true, 'collect_serializer_data' => true]]);
		$container->extension('redislock', ['server' => 'unix:' . getenv('SOCKET')]);
		$container->services()->set('logger', Psr\Log\NullLogger::class);
		$container->services()->alias('locks', LockFactory::class)->public();
	}

	protected function configureRoutes(RoutingConfigurator $routes): void
	{
		$routes->import('@WebProfilerBundle/Resources/config/routing/wdt.php')->prefix('/_wdt');
		$routes->import('@WebProfilerBundle/Resources/config/routing/profiler.php')->prefix('/_profiler');
		$routes->add('take', '/take')->controller([$this, 'take']);
		$routes->add('none', '/none')->controller([$this, 'none']);
	}

	public function take(): Response
	{
		$locks = $this->container->get('locks');
		if (!$this->first) {
			Observer::start(function (string $event) { echo "the controller sees $event\n"; });
		}
		$this->first = false;
		$lock = $locks->lock('<b>job');
		$_ = $lock->acquire();
		$_ = $locks->lock('<b>job')->acquire(0.5);
		$lock->release();
		$_ = ($lost = $locks->managed('lost'))->acquire();
		$locks->managed('lost')->forceRelease();
		$_ = $lost->keepAlive();
		return new Response('taken');
	}

	public function none(): Response
	{
		return new Response('none');
	}

	public function page(string $path): string
	{
		$request = Request::create($path);
		$response = $this->handle($request);
		$this->terminate($request, $response);
		$this->token = $response->headers->get('X-Debug-Token') ?? $this->token;
		return $response->getContent();
	}
}

$text = fn (string $html) => trim(preg_replace('/\s+/', ' ', html_entity_decode(strip_tags($html))));
$server = new Server;
putenv("SOCKET=$server->socket");
$app = new App('dev', true);
$app->boot();
$has = fn (App $app) => json_encode(isset($app->getContainer()->getRemovedIds()[ProfilerCollector::class]));
echo "registered: {$has($app)}\n";
Observer::start(function (string $event) { echo "the application sees $event\n"; });
foreach (['/take', '/take', '/none'] as $path) {
	echo '-- ', $app->page($path), "\n";
	$token = $app->token;
	$html = $app->page("/_profiler/$token?panel=redislock");
	preg_match('~<h2>Locks</h2>(.*?)</table>|<h2>Locks</h2>(.*?)</div>~s', $html, $panel);
	echo str_replace($server->socket, 'SOCKET', preg_replace('/[\d.]+ ms/', 'N ms', $text(end($panel)))), "\n";
	echo 'escaped: ', json_encode(!str_contains($html, '<b>job')), ', toolbar: ',
		json_encode(str_contains($app->page("/_wdt/$token"), 'icon-redislock')), "\n";
}
echo "-- without debug\n";
$app = new App('prod', false);
$app->boot();
echo $app->page('/none'), ", registered: {$has($app)}\n";
?>
--EXPECT--
registered: true
-- the application sees acquired
the application sees waited
the application sees refused
the application sees released
the application sees acquired
the application sees lost
taken
2Acquired 1Refused 1Lost 1Released N msWaited #EventLockKindWaitHoldServer 1 acquired <b>job lease N ms unix://SOCKET 2 waited <b>job lease N ms unix://SOCKET 3 refused <b>job lease N ms unix://SOCKET 4 released <b>job lease N ms unix://SOCKET 5 acquired lost lease N ms unix://SOCKET 6 lost lost lease N ms unix://SOCKET
escaped: true, toolbar: true
-- the controller sees acquired
the controller sees waited
the controller sees refused
the controller sees released
the controller sees acquired
the controller sees lost
taken
2Acquired 1Refused 1Lost 1Released N msWaited #EventLockKindWaitHoldServer 1 acquired <b>job lease N ms unix://SOCKET 2 waited <b>job lease N ms unix://SOCKET 3 refused <b>job lease N ms unix://SOCKET 4 released <b>job lease N ms unix://SOCKET 5 acquired lost lease N ms unix://SOCKET 6 lost lost lease N ms unix://SOCKET
escaped: true, toolbar: true
-- none
No lock of redislock was used.
escaped: true, toolbar: false
-- without debug
none, registered: false
