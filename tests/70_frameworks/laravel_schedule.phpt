--TEST--
Laravel: schedule:run on two hosts, with withoutOverlapping(), onOneServer() and a command in the background
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel('dom'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';

$server = new Server(true);
$redis = $server->client();
/* The time stands still, else a minute may pass between two runs. */
$laravel = new LaravelApp($server, <<<'CODE'
	Illuminate\Support\Carbon::setTestNow('2026-01-01 12:00:30');
	function ran(string $what) {
		file_put_contents(__DIR__ . '/../ran', "$what\n", FILE_APPEND);
	}
	$builder->withSchedule(function (Schedule $schedule) {
		$schedule->useCache('redislock');
		$schedule->call(fn () => ran('on one server'))->name('one')->everyMinute()->onOneServer();
		$schedule->exec('until [ -e ' . base_path('go') . ' ]; do sleep 0.01; done')->everyMinute()->withoutOverlapping()->runInBackground()
			->before(fn () => ran('in the background'));
		$schedule->call(function () {
			ran('without overlapping');
			echo "working\n";
			fgets(STDIN);
		})->name('alone')->everyMinute()->withoutOverlapping(10);
	});
	CODE);
$ran = function () use ($laravel) {
	echo file_get_contents("$laravel->folder/ran");
	unlink("$laravel->folder/ran");
};
$keys = function () use ($redis) {
	$ttls = array_map(fn ($key) => (int) ceil($redis('PTTL', $key) / 60_000), $redis('KEYS', '*schedule*'));
	sort($ttls);
	echo 'minutes held: ', implode(', ', $ttls), "\n";
};

echo "-- the first host is at it when the second comes\n";
$first = $laravel->artisan('schedule:run');
wait_until(fn () => @substr_count(file_get_contents("$laravel->folder/ran"), "\n") === 3, 60);
$second = $laravel->artisan('schedule:run');
echo preg_match('/Skipping .*one/', $second->rest()) ? "skipped\n" : "not skipped\n";
$ran();
$keys();

echo "-- what has ended may run again, and is not let in twice for this minute\n";
$first->tell('go');
$first->end();
touch("$laravel->folder/go");
$ended = fn () => count($redis('KEYS', '*schedule*')) === 1;
wait_until($ended);
$keys();
$third = $laravel->artisan('schedule:run');
$third->tell('go');
$third->end();
$ran();
wait_until($ended);
?>
--EXPECT--
-- the first host is at it when the second comes
skipped
on one server
in the background
without overlapping
minutes held: 10, 60, 1440
-- what has ended may run again, and is not let in twice for this minute
minutes held: 60
in the background
without overlapping
