--TEST--
LockFactory::local(): who has opened the file before its holder removes it, and locks it afterwards, does not hold the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php

namespace RedisLock\Local {
	/** In place of PHP's, which LockFile calls between opening the file and asking whether it is still the one of that name. */
	function flock($file, int $operation, &$taken = null): bool
	{
		if ($operation !== LOCK_UN && Opened::$then !== null) {
			[$then, Opened::$then] = [Opened::$then, null];
			$then();
		}
		return \flock($file, $operation, $taken);
	}

	final class Opened
	{
		/** What happens when the next file is open. */
		public static ?\Closure $then = null;
	}
}

namespace {
	require __DIR__ . '/../inc/vendor.inc';
	load_adapters();
	require_once __DIR__ . '/../inc/outcome.inc';

	use RedisLock\LockFactory;
	use RedisLock\Local\Opened;

	$dir = sys_get_temp_dir() . '/lock_factory_local_race-' . getmypid();
	$locks = LockFactory::local($dir);
	[$first, $second, $third] = array_map(fn () => $locks->lock('job'), range(1, 3));

	echo "-- the holder goes\n";
	$_ = $first->acquire();
	Opened::$then = fn () => step('released', $first->release(), glob("$dir/*"));
	step('acquired', $second->acquire(), $second->isAcquired());
	step('alone', $third->acquire(), $second->release());

	echo "-- and another comes\n";
	$_ = $first->acquire();
	Opened::$then = fn () => step('passed on', $first->release(), $third->acquire());
	step('refused', $second->acquire(), $second->isHeld());
	step('not disturbed', $third->isAcquired(), $third->release());
	step('left', glob("$dir/*"), rmdir($dir));
}
?>
--EXPECT--
-- the holder goes
released: true, array (
)
acquired: true, true
alone: false, true
-- and another comes
passed on: true, true
refused: false, false
not disturbed: true, true
left: array (
), true
