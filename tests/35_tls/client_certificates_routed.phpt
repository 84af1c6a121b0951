--TEST--
TLS: our own certificate for sentinels and whom they name, and for every node of a Cluster, from us and from the renewal child
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
/* slow: each refusal takes its whole time limit */
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/outcome.inc';
$ca = new Authority;
$other = new Authority;
$arguments = [...$ca->arguments($ca->issue(['IP:127.0.0.1'])), '--tls-auth-clients', 'yes'];
$pair = fn (Certificate $certificate) => ['cafile' => $ca->cafile, 'local_cert' => $certificate->cert, 'local_pk' => $certificate->key];
$mine = $pair($ca->issue(['DNS:client']));
$wrong = ['none' => ['cafile' => $ca->cafile], 'of another authority' => $pair($other->issue(['DNS:client']))];
$options = ['name' => 'tls_mutual', 'ttl' => 30, 'interval' => 0.2];

$refused = function (callable $lock) use ($wrong) {
	$timeout = 1.1;
	foreach ($wrong as $name => $ssl) {
		try {
			var_dump($lock(['timeout' => $timeout += 0.1, 'ssl' => $ssl])->acquire());
		} catch (RedisLock\ConnectionException $e) {
			/* It is tried again until the time is over, which the last try may say. */
			echo "$name: ", preg_match('/TLS|did not answer in time|cannot connect: Connection timed out/', in_words_of_glibc($e->getMessage())) ? 'refused' : $e->getMessage(), "\n";
		}
	}
};

echo "Sentinel\n";
$all = new Sentinels(1, 2, tls: $arguments);
$make = fn (array $more) => new RedisLock($all->options($more + $options));
$lock = $make(['renew' => true, 'ssl' => $mine]);
var_dump($lock->acquire());
$all->awaitCopies('tls_mutual');
$new = $all->client($all->kill());
var_dump(is_renewed($new, 'tls_mutual'), $lock->isHeld(), $lock->release(), $new('KEYS', '*'));
$refused($make);

echo "Cluster\n";
$all = new Cluster('--tls-cluster', 'yes', '--tls-replication', 'yes', ...$arguments);
$name = $all->name('tls_mutual', 0);
$make = fn (array $more) => new RedisLock($all->options($more + ['name' => $name] + $options, [1]));
$lock = $make(['renew' => true, 'ssl' => $mine]);
var_dump($lock->acquire());
$all->beginMove($all->slot($name), 0, 2);
$all->endMove($all->slot($name), 0, 2);
var_dump(is_renewed($all->nodes[2]->client(), $name), $lock->isHeld(), $lock->release());
$refused($make);
?>
--EXPECT--
Sentinel
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
none: refused
of another authority: refused
Cluster
bool(true)
bool(true)
bool(true)
bool(true)
none: refused
of another authority: refused
