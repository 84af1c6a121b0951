--TEST--
Laravel: with the config/cache.php of docs/guide/frameworks.md the locks are ours
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';
require __DIR__ . '/../inc/docs.inc';

$laravel = new LaravelApp(new Server(true));
preg_match('~^```php\n(// config/cache\.php.*?)^```~ms', page('docs/guide/frameworks.md'), $found);
$laravel->write('config/cache.php', "<?php\n$found[1]");
$process = $laravel->run(<<<'CODE'
	use Illuminate\Support\Facades\Cache;
	echo get_class(Cache::lock('a', 30)), "\n";
	var_dump(Cache::lock('a', 30)->get(), Cache::lock('a', 30)->get(), Cache::processLock('b')->get(fn () => 'done'));
	CODE);
echo $process->rest();
?>
--EXPECT--
RedisLock\Laravel\Lock
bool(true)
bool(false)
string(4) "done"
