--TEST--
examples/frameworks: each runs, and a second one at the same time waits or stops
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';

$server = new Server(true);
putenv("REDIS_URL=tcp://127.0.0.1:$server->port");
$run = function (string $example, string $framework = '', string ...$arguments): Php {
	/* What an application has as vendor/autoload.php. */
	$autoload = $framework === '' ? vendor_autoload() : tempnam(sys_get_temp_dir(), 'rlk');
	if ($framework !== '') {
		file_put_contents($autoload, '<?php unlink(__FILE__); require_once ' .
			var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . "; load_framework('$framework');");
	}
	putenv("COMPOSER_AUTOLOAD=$autoload");
	return new Php('require ' . var_export(dirname(__DIR__, 2) . "/examples/frameworks/$example.php", true) . ';', $arguments,
		[...load(...LARAVEL_EXTENSIONS), 'auto_prepend_file=' . dirname(__DIR__) . '/inc/vendor_deprecations.inc']);
};
$twice = function (string $first_line, string ...$example) use ($run): void {
	echo "-- $example[0]\n";
	$first = $run(...$example);
	$first->await($first_line);
	$second = $run(...$example);
	foreach ([$first, $second] as $n => $process) {
		/* The two are close together there. */
		$said = str_replace('another process writes it', 'report written', $process->rest());
		echo preg_replace('/^/m', ($n + 1) . ': ', $said), json_encode($process->end()), "\n";
	}
};
$twice('paying', 'laravel', '', '0.2');
$twice('paying', 'symfony', '', '0.2');

echo "-- symfony_command\n";
putenv('SECONDS=600');
$first = $run('symfony_command', '', 'report');
$first->await('writing the report');
$second = $run('symfony_command', '', 'report');
echo '2: ', $second->rest(), json_encode($second->end()), "\n";
$first->signal(SIGKILL);
echo '1: ', json_encode($first->end()), "\n";
$redis = $server->client();
wait_until(fn () => !$redis('EXISTS', 'report'));
putenv('SECONDS=0.01');
$third = $run('symfony_command', '', 'report');
echo '3: ', $third->rest(), json_encode($third->end()), "\n";

$twice('writing the report', 'yii2', 'yii2', '0.2');
$twice('writing the report', 'yii3', 'yii3', '0.2');
echo "-- symfony_messenger\n", $run('symfony_messenger')->rest();
echo "-- php_lock\n", $run('php_lock', 'php-lock', '0')->rest();

echo "-- laravel_job\n";
(new LaravelApp($server, 'require_once ' . var_export(dirname(__DIR__, 2) . '/examples/frameworks/laravel_job.php', true) . ';'))
	->boot();
dispatch(new App\Jobs\RecalculateBalance(7));
Illuminate\Support\Facades\Artisan::call('queue:work', ['--once' => true, '--quiet' => true]);
echo $server->client()('KEYS', '*overlap*') === [] ? "free\n" : "taken\n";
?>
--EXPECT--
-- laravel
1: report written
1: released by its owner
{"exit":0}
2: paying
2: report written
2: released by its owner
{"exit":0}
-- symfony
1: report written
1: the handler has it
{"exit":0}
2: paying
2: report written
2: the handler has it
{"exit":0}
-- symfony_command
2: another process writes the report
{"exit":0}
1: {"signal":9}
3: writing the report
{"exit":0}
-- yii2
1: {"exit":0}
2: writing the report
{"exit":0}
-- yii3
1: {"exit":0}
2: writing the report
{"exit":0}
-- symfony_messenger
1 message sent
reindexing shop 7
2 messages sent
-- php_lock
70 left
-- laravel_job
recalculating the balance of user 7
free
