--TEST--
RedisLock\Async\Swoole: locks wait in coroutines, and the others go on; a loss is told in the coroutine that holds
--SKIPIF--
<?php require __DIR__ . '/../inc/ext.inc'; require __DIR__ . '/../inc/vendor.inc'; skip_unless_coroutines(); skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/ext.inc';
require __DIR__ . '/../inc/docs.inc';
require __DIR__ . '/../inc/vendor.inc';

/* REDISLOCK_TEST_SWOOLE: the module of a real Swoole, instead of the extension that stands in for it. */
$swoole = getenv('REDISLOCK_TEST_SWOOLE');
$ini = ['extension=' . ($swoole ?: build_extension('swoole'))];
$server = new Server(true);
echo Php::program(__DIR__ . '/async_swoole.inc', [$server->socket], $ini)->rest();

/* The HTTP server serves others while a request waits. */
if ($swoole) {
	putenv("REDIS_URL=unix:$server->socket");
	putenv('COMPOSER_AUTOLOAD=' . vendor_autoload());
	$listens = stream_socket_server('tcp://127.0.0.1:0');
	$port = substr(strrchr(stream_socket_get_name($listens, false), ':'), 1);
	fclose($listens);
	putenv("PORT=$port");
	$http = Php::program(dirname(__DIR__, 2) . '/examples/frameworks/swoole.php', [], [...load('ctype', 'mbstring', 'tokenizer'), ...$ini]);
	$connect = fn () => @stream_socket_client("tcp://127.0.0.1:$port");
	wait_until(fn () => $connect() !== false);
	$holder = new RedisLock($server->options(['name' => 'report', 'ttl' => 30]));
	$_ = $holder->acquire();
	foreach (['report' => $connect(), '' => $connect()] as $path => $connection) {
		fwrite($connection, "GET /$path HTTP/1.0\r\n\r\n");
		$connections[$path] = $connection;
		$path === 'report' && wait_until(fn () => str_contains($server->client()('INFO', 'clients'), "blocked_clients:1\r"));
	}
	str_ends_with(stream_get_contents($connections['']), "served\n") || print("not served\n");
	$holder->release();
	str_ends_with(stream_get_contents($connections['report']), "the report\n") || print("no report\n");
	$http->signal(SIGTERM);
	$http->end();
}

$before = "require '" . dirname(__DIR__) . "/inc/adapters.inc'; require '" . dirname(__DIR__) . "/inc/swoole.inc'; load_adapters();";
/* Each connects by itself, so the second may line up before the first. */
ob_start();
(new Samples($before, $ini))->run('docs/guide/event-loops.md', ['Amp', 'Amp', 'ReactPHP', 'ReactPHP', []]);
$said = explode("\n", rtrim(ob_get_clean()));
sort($said);
echo implode("\n", $said), "\n";
?>
--EXPECT--
outside of coroutines: true, true
in a fiber outside of coroutines: true, true
two streams: 0, 1
time is over: true
to be written: true
in a fiber outside of coroutines: true, true
while all wait: 0
in order: '1 2 3 4 5'
loser: lock "async_swoole:loser" was lost: its key was deleted or has another owner
waiter: true
-- docs/guide/event-loops.md, 5
1 takes from the stock
2 takes from the stock
3 takes from the stock
