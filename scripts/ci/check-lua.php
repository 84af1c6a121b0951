#!/usr/bin/env php
<?php
/*
 * Runs the scripts of lua/ on a redis-server of its own, on a unix socket in a
 * temporary folder: the digests are the server's, and each script does what its
 * header says, wrong types and wrong owners included.
 *
 * REDISLOCK_TEST_SERVER names another server program to try them on.
 */

declare(strict_types=1);

/** A RESP2 conversation of a page: enough for a test, no extension needed. */
final class Redis_Talk
{
	/** @var resource */
	private $stream;

	public function __construct(string $socket)
	{
		$this->stream = stream_socket_client("unix://$socket", $code, $message, 5);
		stream_set_timeout($this->stream, 5);
	}

	/** The reply: int, string, null, list, or an Error_Reply. */
	public function __invoke(string|int ...$arguments): mixed
	{
		$request = '*' . count($arguments) . "\r\n";
		foreach ($arguments as $argument) {
			$request .= '$' . strlen((string) $argument) . "\r\n$argument\r\n";
		}
		fwrite($this->stream, $request);

		return $this->read();
	}

	private function take(int $length): string
	{
		return (string) stream_get_contents($this->stream, $length);
	}

	private function read(): mixed
	{
		$line = fgets($this->stream);
		if ($line === false) {
			throw new RuntimeException('the server went silent');
		}
		$rest = substr($line, 1, -2);
		switch ($line[0]) {
			case '+':
				return $rest;
			case '-':
				return new Error_Reply($rest);
			case ':':
				return (int) $rest;
			case '$':
				return $rest === '-1' ? null : substr($this->take((int) $rest + 2), 0, -2);
			case '*':
				$list = [];
				for ($i = 0; $i < (int) $rest; $i++) {
					$list[] = $this->read();
				}

				return $rest === '-1' ? null : $list;
			default:
				throw new RuntimeException("not RESP2: $line");
		}
	}
}

final class Error_Reply
{
	public function __construct(public readonly string $text)
	{
	}
}

/** A server of our own, gone when the script ends, however it ends. */
final class Own_Server
{
	public readonly string $socket;
	private string $folder;
	/** @var resource */
	private $process;

	public function __construct(string $program)
	{
		$this->folder = sys_get_temp_dir() . '/redislock-lua-' . bin2hex(random_bytes(6));
		mkdir($this->folder, 0700);
		$this->socket = $this->folder . '/s';
		$log = ['file', $this->folder . '/log', 'w'];
		$this->process = proc_open(
			[$program, '--port', '0', '--unixsocket', $this->socket, '--save', '', '--appendonly', 'no',
				'--dir', $this->folder],
			[['file', '/dev/null', 'r'], $log, $log],
			$pipes
		);
		register_shutdown_function(fn () => $this->stop());

		$until = hrtime(true) + 10_000_000_000;
		while (@stream_socket_client("unix://{$this->socket}") === false) {
			if (!$this->process || !proc_get_status($this->process)['running'] || hrtime(true) > $until) {
				throw new RuntimeException("$program does not start:\n" . @file_get_contents($this->folder . '/log'));
			}
			usleep(5000);
		}
	}

	public function stop(): void
	{
		if (is_resource($this->process)) {
			proc_terminate($this->process, 9);
			proc_close($this->process);
		}
		array_map(unlink(...), glob($this->folder . '/*') ?: []);
		@rmdir($this->folder);
	}
}

$failed = 0;

/** One expectation; ranges are closures. */
function expect(string $what, mixed $got, mixed $want): void
{
	global $failed;

	if ($want instanceof Closure ? $want($got) !== true : $got !== $want) {
		$failed++;
		echo "failed: $what: got ", var_export($got, true);
		echo $want instanceof Closure ? '' : ', want ' . var_export($want, true), "\n";
	}
}

function between(int $from, int $to): Closure
{
	return static fn (mixed $got): bool => is_int($got) && $got >= $from && $got <= $to;
}

function error_like(string $pattern): Closure
{
	return static fn (mixed $got): bool => $got instanceof Error_Reply && preg_match($pattern, $got->text) === 1;
}

$lua = dirname(__DIR__, 2) . '/lua';
$embedded = (string) file_get_contents(dirname(__DIR__, 2) . '/src/lock/rlk_scripts.c');
$server = new Own_Server(getenv('REDISLOCK_TEST_SERVER') ?: 'redis-server');
$redis = new Redis_Talk($server->socket);

// --- digests: the embedded text's, the header's and the server's are one ---------------------------------

/** The lines of a script, and those of the parts that it includes. */
$lines = static function (string $file) use (&$lines, $lua): array {
	return array_merge(...array_map(
		static fn ($line) => preg_match('/^#include "(.*)"$/', $line, $m) ? $lines("$lua/parts/$m[1]") : [$line],
		array_map(trim(...), file($file))
	));
};
$digests = [];
foreach (glob("$lua/*.lua") as $file) {
	$name = basename($file, '.lua');
	// The text as it is embedded: without comments and indentation.
	$text = '';
	preg_match("/^SCRIPT\\($name, \"(.*)\",((?:\n\t\".*\")+)\\)$/m", $embedded, $parts);
	foreach (preg_split('/\n\t/', $parts[2] ?? '', -1, PREG_SPLIT_NO_EMPTY) as $literal) {
		$text .= stripcslashes(substr($literal, 1, -1));
	}
	$digests[$name] = sha1($text);
	expect("$name: the server's digest", $redis('SCRIPT', 'LOAD', $text), $digests[$name]);
	expect("$name: the embedded digest", $parts[1] ?? '', $digests[$name]);
	// It does the same as the file: every line of code is there, in its order.
	$code = array_filter($lines($file), static fn ($line) => $line !== '' && !str_starts_with($line, '--'));
	expect("$name: the embedded text", $text, "-- $name.lua\n" . implode("\n", $code) . "\n");
}

/** Runs a script by its digest. */
$run = static function (string $name, array $keys, string|int ...$arguments) use ($redis, &$digests): mixed {
	return $redis('EVALSHA', $digests[$name], count($keys), ...$keys, ...$arguments);
};

// --- not ours: missing, another owner's, and every other type -----------------------------------

$make_key = [
	'a missing key' => static fn () => null,
	"another owner's key" => static fn () => $redis('SET', 'k', 'other', 'PX', 60000),
	'a list' => static fn () => $redis('RPUSH', 'k', 'me'),
	'a set' => static fn () => $redis('SADD', 'k', 'me'),
	'a sorted set' => static fn () => $redis('ZADD', 'k', 1, 'me'),
	'a hash' => static fn () => $redis('HSET', 'k', 'me', 'me'),
	'a stream' => static fn () => $redis('XADD', 'k', '*', 'me', 'me'),
];
$calls = [['release'], ['release', 'done', 5000], ['extend', 5000], ['lengthen', 5000], ['renew', 5000], ['owned']];
foreach ($make_key as $what => $make) {
	foreach ($calls as $more) {
		$name = array_shift($more);
		$redis('DEL', 'k');
		$make();
		$before = $redis('DUMP', 'k');
		expect("$name of $what", $run($name, ['k'], 'me', ...$more), $name === 'owned' ? -2 : 0);
		expect("$name leaves $what alone", $redis('DUMP', 'k'), $before);
	}
	$held = $run('holder', ['k']);
	if ($what === 'a missing key') {
		expect("holder of $what", $held, null);
	} elseif ($what === "another owner's key") {
		expect("holder of $what", [$held[0], $held[2]], ['other', 0]);
		expect("holder's time left", $held[1], between(55000, 60000));
	} else {
		expect("holder of $what", $held, ['', -1, 0]);
	}
	$fence = $run('acquire_fence', ['k', 'fence'], 'me', 5000);
	expect("acquire_fence of $what", $fence, $what === 'a missing key' ? 1 : 0);
}
expect('a refused acquisition takes no number', $redis('GET', 'fence'), '1');

// --- ours ---------------------------------------------------------------------------------------

$mine = static fn (int $ttl) => $ttl > 0 ? $redis('SET', 'k', 'me', 'PX', $ttl) : $redis('SET', 'k', 'me');

$mine(60000);
expect('release', $run('release', ['k'], 'me'), 1);
expect('release deletes', $redis('EXISTS', 'k'), 0);

$mine(60000);
expect('rest', $run('release', ['k'], 'me', 'done', 5000), 1);
expect('rest leaves the other token', $redis('GET', 'k'), 'done');
expect('rest sets its time', $redis('PTTL', 'k'), between(3000, 5000));
expect('rest happens once', $run('release', ['k'], 'me', 'done', 5000), 0);

$mine(60000);
expect('extend to less', $run('extend', ['k'], 'me', 5000), 1);
expect('extend sets exactly', $redis('PTTL', 'k'), between(3000, 5000));
expect('extend to 0', $run('extend', ['k'], 'me', 0), 1);
expect('extend to 0 drops the expiry', $redis('PTTL', 'k'), -1);
expect('extend to 0 again', $run('extend', ['k'], 'me', 0), 1);
expect('extend from no expiry', $run('extend', ['k'], 'me', 5000), 1);
expect('extend gives an expiry', $redis('PTTL', 'k'), between(3000, 5000));

foreach (['lengthen', 'renew'] as $name) {
	$mine(5000);
	expect($name, $run($name, ['k'], 'me', 60000), 1);
	expect("$name lengthens", $redis('PTTL', 'k'), between(55000, 60000));
	expect("$name to less", $run($name, ['k'], 'me', 5000), 2);
	expect("$name never shortens", $redis('PTTL', 'k'), between(50000, 60000));
	$mine(0);
	expect("$name without expiry", $run($name, ['k'], 'me', 5000), 2);
	expect("$name leaves no expiry alone", $redis('PTTL', 'k'), -1);
}
expect('owned without expiry', $run('owned', ['k'], 'me'), -1);
$mine(60000);
expect('owned', $run('owned', ['k'], 'me'), between(55000, 60000));
expect('owned asks only', $redis('GET', 'k'), 'me');

// --- holder -------------------------------------------------------------------------------------

$redis('SET', 'k', str_repeat('x', 1024) . 'rest', 'PX', 60000);
expect('holder cuts the value', $run('holder', ['k'])[0], str_repeat('x', 1024));
expect('nobody waits', $run('holder', ['k', 'waiters'])[2], 0);
$redis('SET', 'waiters', '');
expect('somebody waits', $run('holder', ['k', 'waiters'])[2], 1);
expect('no waiters key was asked about', $run('holder', ['k'])[2], 0);
$redis('SET', 'k', "a\0b\xff");
expect('holder is binary-safe', $run('holder', ['k']), ["a\0b\xff", -1, 0]);
$redis('SET', 'k', '');
expect('an empty value is a holder too', $run('holder', ['k']), ['', -1, 0]);

// --- waiting ------------------------------------------------------------------------------------

/** Wake tokens on the list, and what is left of its time; the list is gone afterwards. */
$tokens = static function () use ($redis): array {
	$found = [$redis('LLEN', 'signal'), $redis('PTTL', 'signal')];
	$redis('DEL', 'signal');

	return $found;
};
$three = ['k', 'waiters', 'signal'];
$six = [...$three, 'turn', 'turn-waiters', 'turn-signal'];
/* One, that lives as long as the waiters key. */
$one = static fn (array $got): bool => $got[0] === 1 && $got[1] > 5500 && $got[1] <= 6000;
$somebody_waits = static function () use ($redis): void {
	$redis('DEL', 'waiters');
	$redis('RPUSH', 'waiters', '6000 7000');
	$redis('PEXPIRE', 'waiters', 6000);
};
$none = [0, -2];

$redis('DEL', 'k', 'waiters');
expect('join of a free lock', $run('join', $six, 'me', 2000, '', 6000, 5000), [1, 0, 0, 0]);
expect('join takes it', [$redis('GET', 'k'), $redis('PTTL', 'k') <= 2000, $redis('EXISTS', 'waiters')], ['me', true, 0]);
expect('join of a foreign lock', array_slice($run('join', $six, 'you', 2000, '', 3000, 5000), 2), [0, 0]);
expect('join leaves the waiters key', $redis('PTTL', 'waiters'), between(2500, 3000));
$redis('SET', 'k', 'rlk1:host:1::0', 'PX', 60000);
[$got, $pttl, $wakes, $pause] = $run('join', $six, 'you', 2000, '', 6000, 5000);
expect('join of ours', [$got, $pttl > 55000, $wakes, $pause], [0, true, 1, 1000]);
expect('the waiters key lives longer', $redis('PTTL', 'waiters'), between(5500, 6000));
expect('join for a moment', $run('join', $six, 'you', 2000, '', 1000, 900)[3], 0);
expect('the waiters key never lives shorter', $redis('PTTL', 'waiters'), between(5000, 6000));
$redis('SET', 'k', 'rlk1:host:1::0:done');
expect('join of a lock at rest', $run('join', $six, 'you', 2000, '', 1000, 5000), [0, -1, 0, 0]);
$redis('DEL', 'k');
$redis('RPUSH', 'k', 'x');
expect('join of a list', $run('join', $six, 'you', 2000, '', 1000, 5000), error_like('/^NOLOCK /'));
$redis('DEL', 'k');
$redis('ZADD', 'k', 1, 'a');
expect('join of a sorted set', $run('join', $six, 'you', 2000, '', 1000, 5000), [0, -1, 2, 0]);
$redis('SET', 'turn', 'at-turn', 'PX', 900);
expect('join of one by whoever has the turnstile', [$run('join', $six, 'you', 2000, 'at-turn', 1000, 5000), $redis('PTTL', 'turn') > 1500], [[0, -1, 0, 0], true]);
$redis('PEXPIRE', 'turn', 900);
expect('a check keeps it', [$run('check', $six, 'you', 3000, 'at-turn'), $redis('PTTL', 'turn') > 1500], [1000, true]);
$redis('PEXPIRE', 'turn', 900);
expect("another's stays", [$run('check', $six, 'you', 3000, 'other') > 0, $redis('PTTL', 'turn') <= 900], [true, true]);
$redis('DEL', 'k');
expect('whoever comes while it is taken', [$run('join', $six, 'you', 2000, '', 1000, 5000), $redis('EXISTS', 'k')], [[0, -1, 2, 0], 0]);
expect('but who has it', [$run('join', $six, 'you', 2000, 'at-turn', 1000, 5000), $redis('GET', 'k')], [[1, 0, 0, 0], 'you']);
foreach (['rlk1:h:1::a' => 1, 'stranger' => 0, 'rlk1:h:1::a:done' => 0, 'rlk1:h:1::a:done#2' => 0] as $member => $wakes) {
	$redis('DEL', 'k');
	$redis('ZADD', 'k', 5, 'rlk1:h:1::0', 9, $member);
	expect("a set with $member", $run('join', $six, 'you', 2000, 'at-turn', 1000, 5000)[2], $wakes);
}
$redis('DEL', 'turn');
$redis('DEL', 'k', 'fence');
expect('join with a fence', $run('join', [...$six, 'fence'], 'me', 2000, '', 1000, 5000), [1, 0, 0, 0]);
$redis('DEL', 'k');
expect('join with the next fence', $run('join', [...$six, 'fence'], 'me', 2000, '', 1000, 5000), [2, 0, 0, 0]);

$redis('DEL', 'k', 'waiters');

/** Check twice within 10 ms, as a busy machine may not do at once. The first check wakes. */
$check_twice = static function (callable $check) use ($redis, $tokens, $one): array {
	for ($try = 1;; $try++) {
		usleep(12000);
		$began = hrtime(true);
		$first = [$check(), $one($tokens())];
		$second = [$check() < 0, $tokens()];
		if (hrtime(true) - $began < 9_000_000 || $try === 100) {
			return [$first, $second];
		}
	}
};

/* A check: once a second, or when the key is to expire; a free lock wakes one, when the caller found it free 10 ms ago, too. */
$ours = static fn (int $ttl) => $redis('SET', 'k', 'rlk1:host:1::0', 'PX', $ttl);
$redis('DEL', 'waiters');
$ours(60000);
expect('a check', [$run('check', $six, 'me', 3000, ''), $tokens()], [1000, $none]);
expect('a check leaves the waiters key', $redis('PTTL', 'waiters'), between(2500, 3000));
$ours(500);
expect('a check before the end', $run('check', $six, 'me', 3000, ''), between(400, 501));
$redis('DEL', 'k');
expect('a check at the end', [$run('check', $six, 'me', 3000, ''), $tokens()], [-10, $none]);
expect('another one at once', $run('check', $six, 'me', 3000, ''), between(-10, -1));
usleep(12000);
expect('free for another one', [$run('check', $six, 'you', 3000, '', ''), $tokens()], [-10, $none]);
expect('a check later wakes, the next one does not', $check_twice(fn () => $run('check', $six, 'me', 6000, '', '1')), [[-10, true], [true, $none]]);
usleep(12000);
$ours(60000);
$run('check', $six, 'me', 6000, '');
$redis('DEL', 'k');
$redis('SET', 'k', 'me');
expect('ours already', [$run('check', $six, 'me', 6000, '', '1'), $tokens()], [-10, $none]);
$redis('DEL', 'k');
expect('free anew', [$run('check', $six, 'me', 6000, '', '1'), $tokens()], [-10, $none]);
usleep(12000);
$ours(60000);
$run('join', $six, 'you', 2000, '', 6000, 5000);
$redis('DEL', 'k');
expect('held in between', [$run('check', $six, 'me', 6000, '', '1'), $tokens()], [-10, $none]);
usleep(1000000);
expect('free long ago, and not checked since', [$run('check', $six, 'me', 6000, '', '1'), $tokens()], [-10, $none]);

/* A release wakes if the waiters key is there: by the owner; by somebody else, unless the holder will do so itself. */
$redis('DEL', 'turn', 'turn:rlk:fence');
foreach (['release' => [], 'rest' => ['done', 5000]] as $what => $more) {
	$somebody_waits();
	$mine(60000);
	expect("$what wakes", [$run('release', $three, 'me', ...$more), $one($tokens())], [1, true]);
	$redis('DEL', 'waiters');
	$mine(60000);
	expect("$what without waiters", [$run('release', $three, 'me', ...$more), $tokens()], [1, $none]);
}
$somebody_waits();
$mine(60000);
expect('without the keys nobody is woken', [$run('release', ['k'], 'me'), $tokens()], [1, $none]);
$redis('DEL', 'k');
expect('a release of nothing wakes', [$run('release', $three, 'me'), $one($tokens())], [0, true]);
expect('a release by nobody wakes', [$run('release', $three), $one($tokens())], [0, true]);
$mine(60000);
expect('a release by nobody frees nothing', [$run('release', $three), $redis('GET', 'k')], [0, 'me']);
$redis('SET', 'k', '');
expect('nor what is empty', [$run('release', $three, ''), $redis('GET', 'k')], [0, '']);
$mine(60000);
/* Who has the turnstile, and blocks, takes the wake token; whoever does not is dead. */
$redis('SET', 'turn', 'first', 'PX', 1500);
$redis('SET', 'turn:rlk:fence', '', 'PX', 2000);
expect('somebody at the turnstile is woken', [$run('release', $three, 'me'), $one($tokens()), $redis('EXISTS', 'turn:rlk:fence')], [2, true, 0]);
expect('and has taken the wake token', [$run('release', $three, ''), $redis('EXISTS', 'turn')], [0, 1]);
expect('or not', [$run('release', $three, ''), $redis('EXISTS', 'turn')], [0, 0]);
$redis('DEL', 'k', 'signal');
foreach (['foreign' => true, 'rlk1:host:1::0:done' => true, 'rlk1:host:1::0' => false] as $holder => $wakes) {
	$redis('SET', 'k', $holder);
	expect("a release under $holder", [$run('release', $three, 'me'), $one($tokens())], [0, $wakes]);
	expect("$holder is left alone", $redis('GET', 'k'), $holder);
}
$redis('RPUSH', 'signal', 'older');
$mine(60000);
expect('one wake token is enough, and lives long enough', [$run('release', $three, 'me'), $one($tokens())], [1, true]);
$redis('SET', 'waiters', 'no list');
$redis('SET', 'signal', 'in the way');
$mine(60000);
expect('nothing stands in the way of a release', [$run('release', $three, 'me'), $redis('EXISTS', 'k')], [1, 0]);
$redis('DEL', 'signal');
$somebody_waits();
$mine(60000);
expect('a forced release wakes', [$run('force_release', $three), $redis('EXISTS', 'k'), $one($tokens())], [1, 0, true]);
$redis('HSET', 'k', 'a', 'b');
expect('a forced release of what is no lock', [$run('force_release', ['k']), $redis('EXISTS', 'k')], [-1, 1]);
$redis('DEL', 'k');
expect('a forced release of nothing', $run('force_release', ['k']), 0);
$redis('DEL', 'waiters', 'signal');

// --- fences -------------------------------------------------------------------------------------

$redis('DEL', 'k', 'fence');
expect('first fence', $run('acquire_fence', ['k', 'fence'], 'me', 60000), 1);
expect('acquired with the token', $redis('GET', 'k'), 'me');
expect('acquired with the ttl', $redis('PTTL', 'k'), between(55000, 60000));
expect('the counter stays', $redis('PTTL', 'fence'), -1);
expect('held', $run('acquire_fence', ['k', 'fence'], 'you', 60000), 0);
$redis('DEL', 'k');
expect('second fence', $run('acquire_fence', ['k', 'fence'], 'you', 60000), 2);
$unfit = ['not a number' => '/not an integer/', '-1' => '/out of range/', '9007199254740991' => '/out of range/'];
foreach ($unfit as $counter => $error) {
	$redis('DEL', 'k');
	$redis('SET', 'fence', $counter);
	expect("a counter of $counter", $run('acquire_fence', ['k', 'fence'], 'me', 60000), error_like($error));
	expect("a counter of $counter locks nothing", $redis('EXISTS', 'k'), 0);
}
$redis('SET', 'fence', '9007199254740990');
expect('the last fence', $run('acquire_fence', ['k', 'fence'], 'me', 60000), 9007199254740991);

// --- many holders -------------------------------------------------------------------------------

/** A script for several holders. $form is permits and weight, of those that are told these. A try names the turnstile alone. */
$set = static fn (string $operation, string|int $token, array $form, string|int ...$more): mixed =>
	$run("set_$operation", $operation === 'try' ? [$six[0], ...array_slice($six, 3)] : $six, $token,
		...(in_array($operation, ['try', 'take', 'join', 'check', 'release'], true) ? $form : []), ...$more);
$members = static fn (): array => $redis('ZRANGE', 'k', 0, -1);
/** All holders, by as many answers as they take: [value => [weight, some time left]]. */
$holders = static function () use ($set): array {
	for ($all = [], $next = 0, $more = true; $more; $more = $next > 0) {
		$got = $set('holders', $next, []);
		if ($got === null) {
			return [];
		}
		[, $next, $text] = $got;
		expect('an answer that fits', strlen($text) <= 4096, true);
		for (; $text !== ''; $text = substr($text, (int) $length)) {
			[$left, $weight, $length, $text] = explode(' ', $text, 4);
			$all[substr($text, 0, (int) $length)] = [(int) $weight, $left > 0];
		}
	}

	return $all;
};
/** The lock key expires with its longest member. */
$longest = static function () use ($redis): bool {
	$score = $redis('ZREVRANGE', 'k', 0, 0, 'WITHSCORES')[1] ?? 0;
	[$s, $us] = $redis('TIME');

	return abs($score - ($s * 1000 + intdiv((int) $us, 1000)) - $redis('PTTL', 'k')) < 50;
};
$clear = static fn () => $redis('DEL', ...$six);
$shared = [0, 1];
$of = static fn (int $permits, int $weight = 1): array => [$permits, $weight];

foreach ([1, 3, 16] as $n) {
	$clear();
	for ($i = 1; $i <= $n; $i++) {
		expect("permit $i of $n", $set('try', "t$i", $of($n), 60000), 1);
	}
	expect("no more than $n", [$set('try', 'more', $of($n), 60000), count($members())], [0, $n]);
	expect('a smaller number counts what is held', $set('try', 'more', $of(1), 60000), 0);
	expect('a larger one, too', $set('try', 'more', $of($n + 1), 60000), 1);
	expect('and its permit is too many for others', [$set('release', 't1', $of($n)), $set('try', 't1', $of($n), 60000)], [1, 0]);
	expect('the plain lock is refused', $redis('SET', 'k', 'me', 'NX', 'PX', 1000), null);
}
$clear();
expect('weight 2 of 3', [$set('try', 'a', $of(3, 2), 60000), $members()], [1, ['a', 'a#2']]);
expect('weight 2 beside it', $set('try', 'b', $of(3, 2), 60000), 0);
expect('weight 1 beside it', $set('try', 'b', $of(3), 5000), 1);
expect('all have their own end', [$set('owned', 'a', $of(3)) > 55000, $set('owned', 'b', $of(3)) <= 5000, $longest()], [true, true, true]);
/* Its last millisecond is the one before its end. All of it happens within one millisecond. */
do {
	$redis('MULTI');
	$redis('TIME');
	$set('owned', 'a', $of(3));
	$redis('TIME');
	[$before, $left, $after] = $redis('EXEC');
	[$began, $ended] = array_map(static fn (array $time): int => $time[0] * 1000 + intdiv((int) $time[1], 1000), [$before, $after]);
} while ($began !== $ended);
expect('a member is there before its end only', $began + $left, $redis('ZSCORE', 'k', 'a') - 1);
expect('both hold, the first to end first', $holders(), ['b' => [1, true], 'a' => [2, true]]);
expect('nobody waits', $set('holders', 0, [])[0], 0);
$redis('RPUSH', 'waiters', '');
expect('somebody waits', $set('holders', 0, [])[0], 1);
$redis('DEL', 'waiters');
expect('a weight is extended as a whole', [$set('extend', 'a', $of(3), 3000), $redis('ZSCORE', 'k', 'a') === $redis('ZSCORE', 'k', 'a#2'),
	$longest()], [1, true, true]);
expect('and leaves as a whole', [$set('release', 'a', $of(3)), $members(), $longest()], [1, ['b'], true]);
expect('renew never shortens', [$set('lengthen', 'b', $of(3), 100), $set('owned', 'b', $of(3)) > 1000], [2, true]);
expect('renew lengthens', [$set('lengthen', 'b', $of(3), 60000), $set('owned', 'b', $of(3)) > 55000, $longest()], [1, true, true]);
expect('extend sets exactly', [$set('extend', 'b', $of(3), 100), $set('owned', 'b', $of(3)) <= 100, $longest()], [1, true, true]);
expect('the second one', $set('try', 'c', $of(1), 60000), 0);
usleep(120000);
expect('what is over is nobody\'s', [$set('owned', 'b', $of(1)), $set('extend', 'b', $of(1), 9000), $set('release', 'b', $of(1))], [-2, 0, 0]);
$set('try', 'b', $of(2), 100);
$set('try', 'c', $of(2), 60000);
expect('full', $set('try', 'd', $of(2), 60000), 0);
usleep(120000);
expect('a member ends by itself', [$set('try', 'd', $of(2), 60000), $members()], [1, ['c', 'd']]);

$clear();
$many = array_map(static fn (int $i): string => "$i:" . str_repeat('x', $i % 300), range(1, 500));
foreach ($many as $i => $owner) {
	$set('try', $owner, $of(4096, 1 + $i % 3), 60000 + $i);
}
$set('try', str_repeat('y', 2000), $of(4096), 90000);
expect('all of many', array_keys($holders()), [...$many, str_repeat('y', 1024)]);

/* Others' values at the key: refused by, and left alone. */
foreach ($make_key as $what => $make) {
	if ($what === 'a missing key') {
		continue;
	}
	$clear();
	$make();
	$before = $redis('DUMP', 'k');
	$is_lock = in_array($what, ["another owner's key", 'a sorted set'], true);
	foreach ([$shared, $of(5)] as $form) {
		foreach (['try' => [5000, ''], 'join' => [2000, '', 3000, 5000]] as $operation => $more) {
			$got = $set($operation, 'me', $form, ...$more);
			expect("$operation beside $what", $got instanceof Error_Reply ? substr($got->text, 0, 7) : 'answered',
				$is_lock ? 'answered' : 'NOLOCK ');
		}
		expect("holders of $what", $set('holders', 0, []), static fn (array $got): bool => $got[1] === 0 &&
			preg_match($what === "another owner's key" ? '/^(59\d{3}|60000) 1 5 other$/' : '/^-1 1 0 $/', $got[2]) === 1);
		expect("nobody gets in beside $what", [$set('extend', 'me', $form, 5000), $set('lengthen', 'me', $form, 5000),
			$set('release', 'me', $form), $set('owned', 'me', $form), $set('downgrade', 'me', $form)],
			[0, 0, 0, -2, 0]);
	}
	expect("$what is left alone", $redis('DUMP', 'k'), $before);
	expect("$what is nothing to be freed", $set('free', '', $shared), $what === "another owner's key" ? 1 : -1);
}

/* Readers and the plain lock, their writer. */
$clear();
expect('readers', [$set('try', 'a', $shared, 60000), $set('try', 'b', $shared, 5000), $longest()], [1, 1, true]);
expect('no writer beside readers', $redis('SET', 'k', 'w', 'NX', 'PX', 5000), null);
$upgrade = static fn (string $token): mixed => $set('upgrade', $token, $shared);
expect('no upgrade beside readers', [$upgrade('a'), $upgrade('c')], [0, 0]);
expect('a reader is one', [$set('downgrade', 'a', $shared), $members()], [1, ['b', 'a']]);
$set('release', 'b', $shared);
expect('the only reader becomes the writer', [$upgrade('a'), $redis('GET', 'k'), $redis('PTTL', 'k') > 55000],
	[1, 'a', true]);
expect('no reader beside a writer', [$set('try', 'b', $shared, 5000), $set('try', 'b', $of(9), 5000)], [0, 0]);
expect('the wrong writer', $set('downgrade', 'b', $shared), 0);
expect('it is the writer', [$upgrade('a'), $upgrade('b'), $redis('GET', 'k')], [1, 0, 'a']);
expect('as whom it is extended', [$set('extend', 'a', $shared, 20000), $set('lengthen', 'a', $shared, 10000), $set('lengthen', 'a', $shared, 60000),
	$set('owned', 'a', $shared) > 55000, $set('owned', 'b', $shared)], [1, 2, 1, true, -2]);
$somebody_waits();
expect('the writer becomes a reader, and others may come in', [$set('downgrade', 'a', $shared), $members(), $longest(), $one($tokens())],
	[1, ['a'], true, true]);
$redis('DEL', 'k');
$redis('SET', 'k', 'a');
expect('a writer without expiry stays one', [$set('downgrade', 'a', $shared), $redis('GET', 'k')], [0, 'a']);

/* Wake-ups: by a release that makes room; by whoever got in, for the rest. */
$clear();
$somebody_waits();
foreach (['a', 'b', 'c'] as $token) {
	$set('try', $token, $shared, 60000);
}
expect('two share still, and who waits may be of another kind', [$set('release', 'a', $shared), $one($tokens())], [1, true]);
expect('one is left, who may wait to be the only one', [$set('release', 'b', $shared), $one($tokens())], [1, true]);
expect('nobody is left', [$set('release', 'c', $shared), $one($tokens()), $redis('EXISTS', 'k')], [1, true, 0]);
expect('nobody held it', [$set('release', 'c', $shared), $one($tokens())], [0, true]);
$set('take', 'a', $of(2), 60000, 'none');
expect('who got in wakes the next if there is room', $one($tokens()), true);
$set('take', 'b', $of(2), 60000, 'none');
expect('there is none', $tokens(), $none);
expect('a release does nothing for others', [$set('release', 'c', $of(2)), $tokens()], [0, $none]);
expect('a permit is free', [$set('release', 'a', $of(2)), $one($tokens())], [1, true]);
expect('rest', [$set('release', 'b', $of(2), 'b:done', 5000), $one($tokens()), $members(), $longest()], [1, true, ['b:done'], true]);
$clear();
$set('try', 'a', $of(3, 2), 60000);
$set('release', 'a', $of(3), 'a:done', 5000);
expect('a weight rests as a whole', $members(), ['a:done', 'a:done#2']);
foreach (['foreign' => true, 'rlk1:host:1::0:done' => true, 'rlk1:host:1::0' => false] as $holder => $wakes) {
	$somebody_waits();
	$redis('SET', 'k', $holder);
	expect("a release under $holder", [$set('release', 'me', $of(2)), $one($tokens()), $redis('GET', 'k')], [0, $wakes, $holder]);
}

/* Waiters. */
$clear();
expect('join of a free lock', [$set('join', 'a', $of(2), 2000, '', 6000, 5000), $redis('PTTL', 'k') <= 2000], [[1, 0, 0, 0], true]);
$redis('DEL', 'k');
$set('try', 'rlk1:h:1::a', $of(1), 500);
[$got, $pttl, $wakes, $pause] = $set('join', 'b', $of(1), 2000, '', 6000, 5000);
expect('join of a full one', [$got, $pttl > 300, $pttl <= 500, $wakes, $pause === $pttl + 1, $redis('PTTL', 'waiters') > 5500],
	[0, true, true, 1, true, true]);
expect('join for a moment', $set('join', 'b', $of(1), 2000, '', 6000, 100)[3], 0);
expect('a check before the end', $set('check', 'b', $of(1), 3000), between(200, 501));
expect('the waiters key never lives shorter', $redis('PTTL', 'waiters'), between(5000, 6000));
expect('a check for more', [$set('check', 'b', $of(3, 3), 3000) > 0, $set('check', 'b', $of(3, 2), 3000), $tokens()], [true, -10, $none]);
expect('another one at once', $set('check', 'b', $of(3, 2), 3000), between(-10, -1));
expect('a check later wakes, the next one does not', $check_twice(fn () => $set('check', 'b', $of(3, 2), 6000, '', '1')), [[-10, true], [true, $none]]);
$redis('DEL', 'waiters');
expect('a check sets the waiters key', [$set('check', 'b', $of(1), 3000) > 0, $redis('PTTL', 'waiters') > 2500], [true, true]);
$redis('DEL', 'k');
$set('try', 'rlk1:h:1::a', $of(2), 60000);
$set('try', 'rlk1:h:1::b', $of(2), 500);
expect('the first of several ends soon', $set('join', 'c', $of(2), 2000, '', 6000, 5000)[1], between(200, 500));
expect('of those who share, the last one counts', $set('check', 'rlk1:h:1::c', $shared, 3000), -10);
$tokens();
$redis('DEL', 'k');
$redis('ZADD', 'k', 1, 'over');
$redis('PEXPIRE', 'k', 60000);
expect('all are over', [$set('holders', 0, []), $members()], [null, ['over']]);
$set('try', 'a', $of(2), 5000);
expect('the next one has its own end', [$members(), $longest()], [['a'], true]);
$tokens();
$redis('DEL', 'k', 'waiters');
$redis('ZADD', 'k', 1, 'over');
$redis('PEXPIRE', 'k', 60000);
expect('and count no more', [$set('check', 'me', $of(2), 3000), $redis('EXISTS', 'k')], [-10, 0]);
$tokens();
$set('try', 'rlk1:h:1::a', $of(2), 60000);
$tokens();
expect('a check of one who is in', [$set('check', 'rlk1:h:1::a', $of(1), 3000), $tokens()], [-10, $none]);
$redis('DEL', 'k');
$set('try', 'stranger', $of(1), 60000);
expect('join beside a stranger', array_slice($set('join', 'b', $of(1), 2000, '', 6000, 5000), 2), [0, 0]);

foreach (['rlk1:h:1::a' => 'stranger', 'stranger' => 'rlk1:h:1::a'] as $first => $last) {
	$redis('DEL', 'k');
	$set('try', $first, $of(2), 5000);
	$set('try', $last, $of(2), 60000);
	expect("join beside $first and $last", $set('join', 'b', $of(2), 2000, '', 6000, 5000)[2], 0);
}
$tokens();
expect('the longest one leaves', [$set('release', $last, $of(2)), $longest()], [1, true]);
$set('try', 'z', $of(2), 50000);
expect('the shortest one leaves more behind', [$set('release', $first, $of(2), 'x:done', 90000), $longest()], [1, true]);
$tokens();

/* Who was woken, and who leaves in time: the quick way and the whole one. */
foreach ([[''], ['none']] as $more) {
	foreach ([2, 3, 5] as $n) {
		foreach ([1000, 90000] as $ttl) {
			$clear();
			for ($i = 1; $i < $n; $i++) {
				$set('try', "t$i", $of($n), 60000 + $i);
			}
			expect("the last of $n", [$set('take', 'a', $of($n), $ttl, ...$more), count($members()), $longest()], [1, $n, true]);
			expect("one more than $n", [$set('take', 'b', $of($n), $ttl, ...$more), count($members()), $longest()], [0, $n, true]);
		}
	}
	foreach (['w' => 60000, '__write__' => 0] as $member => $expiry) {
		$clear();
		$redis('ZADD', 'k', '9e15', 's', '9e15', $member);
		$expiry > 0 && $redis('PEXPIRE', 'k', $expiry);
		expect("beside $member", $set('take', 'a', $of(3), 1000, ...$more), (int) ($expiry > 0));
	}
	$redis('PEXPIRE', 'k', 60000);
	expect('beside a writer of Symfony', [$set('take', 'a', $of(3), 1000, ...$more), count($members())], [0, 2]);
	$clear();
	$redis('SET', 'k', 'w');
	expect('beside the plain lock', [$set('take', 'a', $of(1), 1000, ...$more), $set('release', 'a', $of(2)), $redis('GET', 'k')], [0, 0, 'w']);
}
foreach ([false, true] as $waited) {
	$clear();
	foreach (['a' => 5000, 'b' => 7000, 'c' => 9000] as $token => $ttl) {
		$set('try', $token, $of(3), $ttl);
	}
	foreach (['b', 'c', 'a'] as $i => $token) {
		if ($waited) {
			$somebody_waits();
		}
		expect("$token leaves", [$set('release', $token, $of(3)), count($members()), $longest() || $i === 2], [1, 2 - $i, true]);
		expect('the next one is woken', $tokens(), static fn (array $got): bool => $got[0] === (int) $waited);
	}
	expect('it has left', $set('release', 'a', $of(3)), 0);
	$tokens();
}
foreach ([1, 2] as $weight) {
	$clear();
	$redis('ZADD', 'k', '1', 'a', '9e15', 'b');
	$redis('PEXPIRE', 'k', 60000);
	expect("it was over, weight $weight", [$set('release', 'a', $of(3, $weight)), $members()], [0, ['b']]);
}

/* The turnstile: readers and weights take it before they wait, and everybody while it is taken. */
$at = ['{k}:rlk:turn', 'tw', 'ts', 'tt', 'ttw', 'tts'];
$redis('RPUSH', 'tw', '');
expect('whoever it woke takes it', [$run('join', $at, 'w', 2000, '', 6000, 5000), $redis('EXISTS', $at[0])], [[0, -2, 1, 1000], 0]);
$redis('RPUSH', 'ts', '');
expect('nobody was woken', [$run('join', $at, 'w', 2000, '', 6000, 5000), $redis('GET', $at[0])], [[1, 0, 0, 0], 'w']);
$redis('DEL', $at[0], 'tw', 'ts');
$clear();
$set('try', 'a', $shared, 60000);
$redis('SET', 'turn', 'head', 'PX', 60000);
expect('who was woken before does', [$set('take', 'z', $shared, 60000, ''), $set('release', 'z', $shared)], [1, 1]);
expect('nobody passes the turnstile', [$set('try', 'b', $shared, 60000), $set('join', 'b', $shared, 2000, '', 6000, 5000),
	$set('join', 'b', $of(9), 2000, '', 6000, 5000)], [0, [0, -1, 2, 0], [0, -1, 2, 0]]);
expect('whoever has it gets in, and opens it', [$set('take', 'h', $shared, 60000, 'head'), $redis('EXISTS', 'turn')], [1, 0]);
$try = static fn (): mixed => $set('try', 'b', $shared, 60000);
$redis('RPUSH', $six[4], '');
expect('nor whoever it woke', [$try(), $set('join', 'b', $shared, 2000, '', 6000, 5000), $run('join', $six, 'w', 2000, '', 1000, 5000)],
	[0, [0, -1, 2, 0], [0, -1, 2, 0]]);
$redis('PEXPIRE', $six[4], 60000);
$left = $redis('PTTL', $six[4]);
foreach ([60000, 0, -2000, -60000] as $booked) {
	$redis('LSET', $six[4], 0, sprintf('%d %d', $left - $booked, $left - $booked + 1000));
	expect('nor who checked lately', [$try(), $set('release', 'b', $shared)], $booked > -2000 ? [0, 0] : [1, 1]);
}
$redis('RPUSH', $six[5], '');
expect('unless that was nobody', [$try(), $set('release', 'b', $shared)], [1, 1]);
$redis('DEL', $six[4], $six[5]);
$redis('SET', 'turn', 'head', 'PX', 60000);
$set('release', 'h', $shared);
expect('an upgrade passes it', [$upgrade('a'), $redis('GET', 'turn')], [1, 'head']);
$redis('DEL', 'turn');
expect('released as a whole', [$set('release', 'a', $shared), $redis('EXISTS', 'k')], [1, 0]);
$set('try', 'a', $shared, 60000);
expect('or put to rest', [$upgrade('a'), $set('release', 'a', $shared, 'a:done', 5000), $redis('GET', 'k')], [1, 1, 'a:done']);
$redis('SET', 'turn', 'head', 'PX', 60000);
$redis('DEL', 'k');
$redis('SET', 'k', 'rlk1:h:1::w', 'PX', 60000);
expect('its holder waits', $set('join', 'b', $shared, 2000, 'head', 6000, 5000), static fn ($got): bool => $got[0] === 0 && $got[2] === 1);
$redis('RPUSH', 'turn-waiters', '6000 7000');
$redis('DEL', 'k');
expect('gets in', $set('join', 'b', $shared, 2000, 'head', 6000, 5000), [1, 0, 0, 0]);
expect('and opens it', [$redis('EXISTS', 'turn'), $redis('LLEN', 'turn-signal')], [0, 1]);
$clear();
$redis('SET', 'k', 'rlk1:h:1::w', 'PX', 60000);
expect('readers take it first', $set('join', 'b', $shared, 2000, '', 6000, 5000), [0, -1, 2, 0]);
expect('and weights', $set('join', 'b', $of(3, 2), 2000, '', 6000, 5000), [0, -1, 2, 0]);
expect('a permit needs none', $set('join', 'b', $of(3), 2000, '', 6000, 5000)[2], 1);

/* Force. */
$clear();
$set('try', 'a', $of(4, 2), 60000);
$set('try', 'b', $of(4), 5000);
$somebody_waits();
expect('one holder', [$set('free', 'a', $of(4)), $members(), $longest(), $one($tokens())], [1, ['b'], true, true]);
expect('not a holder', [$set('free', 'a', $of(4)), $tokens()], [0, $none]);
expect('all', [$set('free', '', $of(4)), $redis('EXISTS', 'k'), $one($tokens()), $set('free', '', $of(4))], [1, 0, true, 0]);
$redis('SET', 'k', 'w');
expect('a writer', [$set('free', 'x', $shared), $set('free', 'w', $shared), $redis('EXISTS', 'k')], [0, 1, 0]);

/* Stock Symfony's RedisStore on the same key, by its own scripts. */
$store = @file_get_contents(dirname(__DIR__, 2) . '/build/vendor/vendor/symfony/symfony/src/Symfony/Component/Lock/Store/RedisStore.php');
if ($store === false) {
	echo "LEFT OUT: Symfony's own scripts, without scripts/vendor.sh\n";
} else {
	$stock = static function (string $method, string $token, int $ttl = 60000) use ($redis, $store): int {
		preg_match("/function $method\\(.*?\\\$script = '(.*?)';\n\n/s", $store, $found);
		$now = 'local now = redis.call("TIME") now = now[1] * 1000 + math.floor(now[2] / 1000)';
		$text = preg_replace("/'\\.\\\$this->getNowCode\\(\\)\\.'/", $now, $found[1]);

		return (int) $redis('EVAL', $text, 1, 'k', ...($method === 'delete' ? [$token] : ['0', $token, $ttl]));
	};
	$clear();
	expect('readers of both', [$stock('saveRead', 's'), $set('try', 'a', $shared, 60000), $stock('saveRead', 's2', 1000)], [1, 1, 1]);
	expect('neither writes', [$stock('save', 'x'), $stock('save', 's'), $upgrade('a')], [0, 0, 0]);
	expect('both are extended', [$stock('putOffExpiration', 's', 5000), $set('extend', 'a', $shared, 3000), $longest()], [1, 1, true]);
	expect('both are held', [$stock('exists', 'a'), $set('owned', 's', $shared) > 0], [1, true]);
	expect('both leave', [$stock('delete', 's'), $set('release', 'a', $shared), $members()], [1, 1, ['s2']]);
	expect("Symfony's writer", [$stock('delete', 's2'), $stock('save', 's'), $members()], [1, 1, ['__write__', 's']]);
	expect('keeps ours out', [$set('try', 'a', $shared, 60000), $set('try', 'a', $of(9), 60000),
		$redis('SET', 'k', 'w', 'NX', 'PX', 1000)], [0, 0, null]);
	expect('is one holder', $holders(), ['s' => [1, true]]);
	expect('is freed', [$set('free', 's', $shared), $redis('EXISTS', 'k')], [1, 0]);
	$stock('save', 's');
	expect('becomes a reader', [$stock('saveRead', 's'), $set('try', 'a', $shared, 60000)], [1, 1]);
	$stock('delete', 's');
	expect('our writer', [$upgrade('a'), $stock('saveRead', 's'), $stock('save', 's'), $redis('GET', 'k')], [1, 0, 0, 'a']);
	expect("ours, dropped by Symfony when over", [$set('downgrade', 'a', $shared), $set('extend', 'a', $shared, 60), usleep(80000),
		$stock('save', 's')], [1, 1, null, 1]);
}
$clear();

// --- trouble is an error, not an answer ---------------------------------------------------------

$redis('SET', 'k', 'me', 'PX', 60000);
if ($redis('ACL', 'SETUSER', 'limited', 'on', 'nopass', '~*', '+@all', '-get') === 'OK') {
	$limited = new Redis_Talk($server->socket);
	$limited('AUTH', 'limited', 'any');
	foreach ([...$calls, ['holder'], ['join', 1, 1, 1]] as $more) {
		$name = array_shift($more);
		expect("$name without the right to GET", $limited('EVALSHA', $digests[$name], 1, 'k', 'me', ...$more),
			static fn (mixed $got): bool => $got instanceof Error_Reply);
	}
	expect('nothing happened without the right to GET', $redis('GET', 'k'), 'me');
}

/* Without COPY, as before Redis 6.2, the wake token is pushed. */
if ($redis('ACL', 'SETUSER', 'older', 'on', 'nopass', '~*', '+@all', '-copy') === 'OK') {
	$older = new Redis_Talk($server->socket);
	$older('AUTH', 'older', 'any');
	$redis('DEL', 'turn:rlk:fence');
	foreach (['release' => ['me'], 'force_release' => []] as $name => $more) {
		$somebody_waits();
		$redis('RPUSH', 'signal', 'older');
		$mine(60000);
		expect("$name without COPY", $older('EVALSHA', $digests[$name], 3, ...$three, ...$more), 1);
		expect("$name without COPY wakes", $tokens(), static fn (array $got): bool => $got[0] === 1 && $got[1] > 61000);
		$redis('DEL', 'waiters');
		$mine(60000);
		expect("$name without COPY, without waiters", [$older('EVALSHA', $digests[$name], 3, ...$three, ...$more), $tokens()],
			[1, $none]);
	}
}

if ($failed > 0) {
	echo "expectations not met: $failed\n";
	exit(1);
}
