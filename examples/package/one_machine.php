<?php
/*
 * Locks of one machine, which need neither a server nor the extension: for development, or for what never leaves the machine. The
 * kernel frees them when the process ends, however it ends. Try it twice at the same time: php one_machine.php & php one_machine.php
 *
 * Inject the Locks, so that the class that locks does not know: later it may be `new LockFactory('tcp://redis:6379')`.
 */

use RedisLock\LockFactory;
use RedisLock\Locks;
use RedisLock\NotAcquiredException;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

final class Thumbnails
{
	public function __construct(private Locks $locks)
	{
	}

	public function make(float $seconds): void
	{
		$this->locks->run('thumbnails', function () use ($seconds): void {
			echo "making thumbnails\n";
			usleep((int) ($seconds * 1e6));
		});
	}
}

$locks = LockFactory::local($argv[2] ?? sys_get_temp_dir() . '/shop-locks', ['label' => 'thumbnails']); // made if it is not there

try {
	(new Thumbnails($locks))->make((float) ($argv[1] ?? 2));
	echo "made\n";
} catch (NotAcquiredException $e) {
	echo 'process ', $e->getHolder()['pid'] ?? '?', " makes them already\n";
}
