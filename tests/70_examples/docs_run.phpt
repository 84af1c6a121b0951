--TEST--
README, docs: the samples run
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/docs.inc';

/* What the samples call is the reader's. Here it says whether the lock is held. */
$samples = new Samples(<<<'CODE'
	function servers(): array {
		$guarded = new Client('tcp://127.0.0.1:' . GUARDED);
		$guarded('AUTH', 'secret');
		return [new Client('unix://' . SOCKET), $guarded];
	}
	function held(string $key): string {
		[$redis, $guarded] = servers();
		$found = $redis('EXISTS', $key) + $guarded('EXISTS', $key);
		$guarded('SELECT', 1);
		return "$key is " . ($found + $guarded('EXISTS', $key) ? 'held' : 'free') . "\n";
	}
	function held_by_another(string $key, int $of = 0, int $database = 0): void {
		$redis = servers()[$of];
		$redis('SELECT', $database);
		$redis('SET', $key, 'rlk1:web3:4711::' . str_repeat('0', 32), 'PX', 18000);
	}
	function buildReport() { echo __FUNCTION__, ': ', held('nightly-report'); return 'report'; }
	function writeReport() { echo __FUNCTION__, ': ', held('nightly-report'); }
	function takeOneFromStock() { echo __FUNCTION__, ': ', held('stock'); return 41; }
	function pay(int $order) { echo __FUNCTION__, ': ', held("pay:$order"); }
	function work() { echo __FUNCTION__, ': ', held(WORK); }
	function callApi() { echo __FUNCTION__, ': ', held('slow-api'); }
	function readCatalogue() { echo __FUNCTION__, ': ', held('catalogue'); }
	function writeCatalogue() { echo __FUNCTION__, ': ', held('catalogue'); }
	function isOutdated() { return true; }
	CODE);
$secret = ["'10.0.0.5'" => "'{$samples->guarded->socket}'"];
$free = fn (string ...$keys) => implode('', array_map(fn ($key) => "echo held('$key');", $keys));

$samples->run('README.md', [[], ['', $free('stock')]]);
echo "-- another process has the lock\n";
$samples->run('README.md', [['held_by_another("nightly-report");'], 'it would only wait']);
$samples->run('docs/guide/getting-started.md', [
	['', 'var_dump($report);' . $free('nightly-report')],
	['', $free('nightly-report')],
	['', $free('stock')],
]);
$samples->run('docs/guide/coming-from.md', [
	['', $free('nightly-report', 'stock', 'b')],
	['', $free('invoice-7')],
	'frameworks_docs_run.phpt runs it',
]);
$samples->run('docs/guide/options.md', [['putenv("REDIS_PASSWORD=secret");', 'var_dump($lock->acquire()); echo held("report");', $secret]]);
$samples->run('docs/guide/waiting.md', [['', $free('stock')]]);
$samples->run('docs/guide/many-holders.md', [['', $free('slow-api')], ['', $free('catalogue')], ['', $free('catalogue')]]);
$samples->run('docs/operate/operations.md', [['held_by_another("nightly-report");', 'echo json_encode($holder), "\n";']]);
$samples->run('docs/operate/containers.md', [['', $free('nightly-report')]]);
/* Three sentinels, Clusters, TLS: the objects are made, and connect to nothing. The tests in 55_routing and 35_tls use such servers. */
$samples->run('docs/guide/servers.md', [['', 'echo $lock, "\n";'], ['', 'echo $lock, "\n";'], ['', 'echo $lock->isHeld() ? "held" : "free", "\n";']]);
$samples->run('docs/operate/tls.md', [['', 'echo $lock, "\n";'], ['', 'echo $lock, "\n";']]);

/* Those of other pages are run by these tests. */
$elsewhere = ['docs/reference/api.md' => 'methods.phpt', 'docs/guide/laravel.md' => 'frameworks_docs_run.phpt',
	'docs/guide/symfony.md' => 'the same',
	'docs/guide/frameworks.md' => 'the same, and more_docs.phpt',
	'docs/guide/runtimes.md' => 'roadrunner.phpt there', 'docs/guide/testing.md' => 'frameworks_docs_run.phpt',
	'docs/guide/observing.md' => 'the same', 'docs/guide/event-loops.md' => 'async.phpt there',
	'packages/lock/README.md' => 'frameworks_docs_run.phpt', 'stubs/README.md' => 'scripts/ci/phpstan.sh'];
$here = ['README.md', ...array_map(fn ($name) => "docs/$name.md", ['guide/getting-started', 'guide/options', 'guide/coming-from', 'guide/servers', 'guide/waiting', 'guide/many-holders',
	'operate/operations', 'operate/containers', 'operate/tls'])];
foreach (array_diff(pages(), $here, array_keys($elsewhere)) as $page) {
	/* The code of a translation is that of its page: scripts/ci/check-docs.php. */
	if (preg_match('~^docs/zh/|\.zh-CN\.md$~', $page)) {
		continue;
	}
	echo samples($page) ? "who runs the samples of $page?\n" : '';
}
?>
--EXPECTF--
-- README.md, 1
report written
-- README.md, 2
takeOneFromStock: stock is held
stock is free
-- another process has the lock
-- README.md, 1
nothing to do: lock "nightly-report": held by process 4711 on web3, %d s left unless renewed
-- docs/guide/getting-started.md, 1
buildReport: nightly-report is held
string(6) "report"
nightly-report is free
-- docs/guide/getting-started.md, 2
buildReport: nightly-report is held
nightly-report is free
-- docs/guide/getting-started.md, 3
stock is free
-- docs/guide/coming-from.md, 1
buildReport: nightly-report is held
takeOneFromStock: stock is held
nightly-report is free
stock is free
b is free
-- docs/guide/coming-from.md, 2
enough time
invoice-7 is free
-- docs/guide/options.md, 1
bool(true)
report is held
-- docs/guide/waiting.md, 1
takeOneFromStock: stock is held
stock is free
-- docs/guide/many-holders.md, 1
callApi: slow-api is held
slow-api is free
-- docs/guide/many-holders.md, 2
readCatalogue: catalogue is held
writeCatalogue: catalogue is held
catalogue is free
-- docs/guide/many-holders.md, 3
writeCatalogue: catalogue is held
readCatalogue: catalogue is held
catalogue is free
-- docs/operate/operations.md, 1
{"token":"rlk1:web3:4711::%s","host":"web3","pid":4711,"label":null,"ttl":%f,"waited":false,"resting":false}
-- docs/operate/containers.md, 1
writeReport: nightly-report is held
nightly-report is free
-- docs/guide/servers.md, 1
nightly-report[60]
-- docs/guide/servers.md, 2
nightly-report[60]
-- docs/guide/servers.md, 3
writeReport: nightly-report is held
free
-- docs/operate/tls.md, 1
stock[60]
-- docs/operate/tls.md, 2
stock[60]
