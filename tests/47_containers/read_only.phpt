--TEST--
containers: a read-only root and no /dev/shm change nothing
--SKIPIF--
<?php require __DIR__ . '/../inc/container.inc'; skip_unless_container();
exec('mountpoint -q /', $output, $status);
if ($status !== 0) {
	die('skip the root of a chroot is no mount, so it cannot be made read-only');
}
--FILE--
<?php
require __DIR__ . '/../inc/container.inc';

$s = new Server;
$redis = $s->client();
$read_only = 'mount --bind / / && mount -o remount,bind,ro / && { umount -l /dev/shm || :; } 2>/dev/null; ' .
	'touch /rlk_read_only 2>/dev/null && rm /rlk_read_only && echo "can be written"; exec "$@"';
/* Then the root has a mount of its own below the old one: /proc and the socket are reached as before. */
$job = new Job([...mounts_of_its_own(...CONTAINER), 'sh', '-c', $read_only, 'sh', 'sh', '-c', '"$@"; :', 'sh'], $s, 'read_only', 1, 'works');
echo $job->said, "\n", 'renewed: ', json_encode(is_renewed($redis, 'read_only', 1)), "\n";
posix_kill($job->pid(2), SIGKILL);
expect_between('free at the latest', seconds_until_free($redis, 'read_only'), 0, 1.5);
$job->end();
--EXPECT--
holds
renewed: true
free at the latest: ok
