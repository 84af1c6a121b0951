--TEST--
renewal child: started in processes of many mappings, which stay as they are
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('ffi');
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
$code = <<<'PHP'
	$libc = FFI::cdef('uint8_t *mmap(void *, size_t, int, int, int, long);');
	[$private, $read, $write] = [0x22, 1, 2]; /* and anonymous */
	$areas = [];
	$mappings = fn () => substr_count(file_get_contents('/proc/self/maps'), "\n");
	for ($i = 0; $i % 50 > 0 || $mappings() < $argv[2]; $i++) {
		/* Neighbours of different protection are not joined. */
		$libc->mmap(null, 4096, $read, $private, -1, 0);
		$areas[] = $area = $libc->mmap(null, 1 << 20, $read | $write, $private, -1, 0);
		$area[7] = 1;
	}
	$sum = fn () => array_sum(array_map(fn ($area) => $area[7], $areas));
	/* Those that a copy of the process would not get. */
	$left_out = fn () => preg_match_all('/^VmFlags:.* dc/m', file_get_contents('/proc/self/smaps'));
	$before = $left_out();

	SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'many_mappings', 'ttl' => 10, 'interval' => 0.02],
		function ($lock) use ($sum, $left_out, $before, $areas) {
			for ($renewals = 0, $remaining = $lock->remaining(); $renewals < 3; $remaining = $now) {
				$now = $lock->remaining();
				$renewals += $now > $remaining;
			}
			$status = 0;
			if (pcntl_fork() === 0) {
				exit($sum() === count($areas) ? 3 : 4);
			}
			pcntl_wait($status);
			echo json_encode([$sum() === count($areas), $left_out() === $before, pcntl_wexitstatus($status), $lock->isHeld()]), "\n";
		});
	PHP;
foreach ([500, 2000, 5000] as $count) {
	$php = new Php($code, [$s->socket, (string) $count], [...load('ffi'), 'ffi.enable=1']);
	echo $count, ': ', $php->rest();
	if ($php->end() !== ['exit' => 0]) {
		var_dump($php->end());
	}
}
var_dump($s->client()('DBSIZE'));
--EXPECT--
500: [true,true,3,true]
2000: [true,true,3,true]
5000: [true,true,3,true]
int(0)
