--TEST--
The renewal child amid each fault of a server: it begins anew, and the lock is kept
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/faults.inc';
const RENEWAL = "EXPECT EVAL * 1 child_faults mine 5000\n";
/* Asked for tracking, in front of the first renewal. */
const REFUSAL = "EXPECT HELLO 3\nSEND -ERR unknown command\nEXPECT CLIENT TRACKING ON NOLOOP\nSEND -ERR unknown command\n";
/* Under valgrind, where phpt.sh sets this variable, the fake server may take longer for an answer: it is a PHP, too. */
$limit = getenv('ZEND_DONT_UNLOAD_MODULES') === '1' ? 1.0 : FAULT_LIMIT;
$more = [
	'an answer nobody asked for' => ['SENDRAW :1\r\n:1\r\n', 'SILENCE'],
	'array' => ['SEND *1\r\n:1', 'SILENCE'],
	'number out of range' => ['SEND :99999999999999999999', 'SILENCE'],
	'string for a number' => ['SEND $1\r\n1'],
];
$errors = array_slice(array_keys(FAULTS), array_search('NOSCRIPT', array_keys(FAULTS)));
$same_connection = [...array_diff($errors, ['NOSCRIPT', 'NOAUTH', 'too many clients']), 'string for a number'];
foreach (FAULTS + $more as $fault => $steps) {
	/* The next renewal: by text on a new connection, else by digest. */
	if (in_array($fault, $same_connection)) {
		$next = "EXPECT EVALSHA * 1 child_faults mine 5000\nSEND :1\n";
	} else {
		$next = RENEWAL . "SEND :1\n";
	}
	/* On a machine that stalls for $limit we or the child give up on the answer as well. */
	echo "$fault: ", unless_stalled(function () use ($fault, $steps, $next, $limit): string {
		$server = new FakeServer("EXPECT SET child_faults mine NX PX 5000\nSEND +OK\nNEXT\n" . REFUSAL . RENEWAL .
			str_replace('SILENCE', 'EXPECT-CLOSE', implode("\n", $steps)) . ($fault === 'NOAUTH' ? "\nEXPECT-CLOSE" : '') .
			"\n{$next}SAY renewed\nSILENCE");
		$lock = new RedisLock($server->options(['name' => 'child_faults', 'token' => 'mine', 'ttl' => 5, 'interval' => 0.02,
			'read_timeout' => $limit, 'timeout' => $limit, 'renew' => true]));
		try {
			$_ = $lock->acquire();
			$acquired = now();
			$server->await('renewed');
			/* Due after 20 ms, a fault of $limit at most, and a pause before the next try. */
			return ($lock->isHeld() ? 'held' : 'not held') . (taken($acquired) < 15 * $limit ? '' : ' late');
		} catch (RuntimeException $e) {
			return $e->getMessage();
		} finally {
			$lock->isHeld() && $lock->detach();
		}
	}, fn (string $said) => $said === 'held'), "\n";
}
?>
--EXPECT--
silent: held
closed: held
half, then silent: held
half, then closed: held
one byte in a while: held
garbage: held
zeros: held
huge string: held
more than a number: held
huge array: held
endless line: held
NOSCRIPT: held
READONLY: held
LOADING: held
BUSY: held
MASTERDOWN: held
CLUSTERDOWN: held
TRYAGAIN: held
OOM: held
MISCONF: held
NOREPLICAS: held
NOAUTH: held
WRONGPASS: held
NOPERM: held
too many clients: held
WRONGTYPE: held
unknown command: held
no words: held
an answer nobody asked for: held
array: held
number out of range: held
string for a number: held
