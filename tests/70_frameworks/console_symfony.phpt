--TEST--
Symfony: the bundle has commands that list, show and release the configured locks, and examine their server
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/symfony.inc'; skip_unless_symfony(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/symfony.inc';

use RedisLock\Symfony\RedisLockBundle;
use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Component\Console\Tester\ApplicationTester;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

final class App extends SymfonyApp
{
	public function registerBundles(): iterable
	{
		yield new FrameworkBundle;
		yield new RedisLockBundle;
	}

	protected function configureContainer(ContainerConfigurator $container): void
	{
		$container->extension('framework', self::FRAMEWORK);
		$container->extension('redislock', ['server' => '%env(DSN)%', 'options' => ['prefix' => 'all:'],
			'locks' => ['job' => ['options' => ['prefix' => 'job:']], 'tests' => 'in-memory', 'client' => 'app.redis']]);
		$container->services()->set('app.redis', \Predis\Client::class)->args(['unix:' . getenv('SOCKET'), ['prefix' => 'client:']]);
	}

	protected function configureRoutes(RoutingConfigurator $routes): void
	{
	}
}

$server = new Server;
$redis = $server->client();
symfony_folder();
putenv("SOCKET=$server->socket");
putenv("DSN=unix:$server->socket");
$app = new Application(new App('prod', false));
$app->setAutoExit(false);
$run = function (string $command, array $arguments = []) use ($app): void {
	$tester = new ApplicationTester($app);
	$status = $tester->run(['command' => $command] + $arguments, ['capture_stderr_separately' => false]);
	echo "$command ", json_encode($arguments), ": $status\n", preg_replace(['/^/m', '/process \d+ on \S+/', '/"(host|pid|ttl)":[^,}]+,?/'], ["\t", 'process on', ''], trim($tester->getDisplay())), "\n";
};
foreach (['all:', 'job:', 'client:'] as $prefix) {
	$_ = (new RedisLock($server->options(['prefix' => $prefix, 'name' => 'a', 'ttl' => 18000])))->acquire();
}
$run('redislock:list', ['--json' => true]);
foreach (['job', 'client', 'tests', 'nope'] as $lock) {
	$run('redislock:show', ['name' => 'a', '--lock' => $lock]);
}
$run('redislock:release', ['name' => 'a', '--lock' => 'job', '--force' => true]);
$keys = $redis('KEYS', '*');
sort($keys);
echo implode(' ', $keys), "\n";
$tester = new ApplicationTester($app);
$old = server_is_before('6.2');
echo 'doctor: ', $tester->run(['command' => 'redislock:doctor', '--lock' => 'client']) === ($old ? 1 : 0) &&
	str_contains($tester->getDisplay(), $old ? 'Redis 6.2 or later' : 'No problem of 1 server') ? 'ok' : $tester->getDisplay(), "\n";
?>
--EXPECT--
redislock:list {"--json":true}: 0
	{"name":"a","kind":"plain","label":null,"waited":false,"resting":false,"permits":1,"holders":[{"label":null,"weight":1}]}
redislock:show {"name":"a","--lock":"job"}: 0
	name     a
	kind     plain
	holder   process on
	ttl      5h
	waiters  none
redislock:show {"name":"a","--lock":"client"}: 0
	name     a
	kind     plain
	holder   process on
	ttl      5h
	waiters  none
redislock:show {"name":"a","--lock":"tests"}: 64
	redislock: These locks are in memory, where nobody else sees them.
redislock:show {"name":"a","--lock":"nope"}: 64
	redislock: The configuration "redislock" has no lock "nope".
redislock:release {"name":"a","--lock":"job","--force":true}: 0
	Released a.
all:a client:a
doctor: ok
