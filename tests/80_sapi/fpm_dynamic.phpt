--TEST--
PHP-FPM: workers that come and go take turns
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s, "pm = dynamic\npm.max_children = 4\npm.start_servers = 1\npm.min_spare_servers = 1\n" .
	"pm.max_spare_servers = 1\npm.max_requests = 3");

/* Started by the master while others hold the lock. */
$first = $fpm->request('task("fpm_dynamic", function () { gate(); });')->await('in');
$refused = $fpm->request('try { task("fpm_dynamic", fn () => 1); }
	catch (RedisLock\\NotAcquiredException) { echo "refused"; }');
echo $refused->rest(), ' in ', $refused->pid === $first->pid ? 'the same' : 'another', " worker\n";
$first->go()->rest();
echo 'then free: ', $redis('EXISTS', 'fpm_dynamic') ? 'no' : 'yes', "\n";

/* Three requests at any time, and one of them inside. Each worker ends after its third. */
$work = $fpm->script('SequenceTask::execute(redis(["name" => "fpm_dynamic", "wait" => 30, "retry_ms" => 2]), function () {
	$alone = flock($file = fopen(__FILE__, "r"), LOCK_EX | LOCK_NB); usleep(2000); echo $alone ? "alone" : "overlap"; });');
$pids = $answers = $requests = [];
for ($i = 1; $i <= 45; $i++) {
	$requests[] = $request = $fpm->run($work);
	$pids[] = $request->pid;
	while (count($requests) > ($i < 45 ? 2 : 0)) {
		$answers[] = array_shift($requests)->rest();
	}
}
echo json_encode(array_count_values($answers)), ', requests of a worker: at most ', max(array_count_values($pids)), "\n";
echo 'keys left: ', $redis('EXISTS', 'fpm_dynamic'), "\n";
--EXPECT--
refused in another worker
then free: yes
{"alone":45}, requests of a worker: at most 3
keys left: 0
