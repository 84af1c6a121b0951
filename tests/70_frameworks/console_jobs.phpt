--TEST--
redislock run: as a job of a shell in a terminal
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php
require __DIR__ . '/../inc/console.inc';
skip_unless_console();
is_executable('/bin/bash') || die('skip bash is not here');
?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';

$server = new Server;
$redis = $server->client();
putenv("REDISLOCK_SERVER=unix:$server->socket");
putenv('PS1=$ ');
putenv("HOME=$server->dir");
$left = fn (): int => $redis('PTTL', 'console_jobs');
posix_mkfifo($go = "$server->dir/go", 0600);
foreach (['it becomes the program' => ['process', ''], 'it stays' => ['process', '--stay'], 'a thread' => ['thread', '']] as $what => [$backend, $more]) {
	echo "== $what\n";
	$shell = new Run(['setsid', '-c', '-w', '/bin/bash', '--norc', '--noediting', '-i'], true);
	/* What comes from now on. */
	$say = function (string $text, string ...$awaited) use ($shell): void {
		$shell->out = '';
		$shell->say($text);
		array_map($shell->await(...), $awaited);
	};
	/* The shell looks at the process that it has started only. Its program would read what is typed until it stops, too. */
	$stop = function () use ($say, &$program): void {
		$say("\x1a", 'Stopped');
		wait_until_stopped($program);
	};
	$words = implode(' ', array_map(escapeshellarg(...), array_filter([...redislock_command("redislock.renewal=$backend"), 'run', '--name=console_jobs', '--ttl=600', $more])));
	/* Since PHP 8.4 proc_open() may use posix_spawn(): what stops the program before it is the program stops its parent for good. */
	$say("$words -- sh -c 'echo rea''dy-\$\$-rea''dy; read a; echo got-\$a; read b < $go; echo gone; exit 7'; echo ended-\$?\n", '-ready');
	sscanf(strstr($shell->out, 'ready-'), 'ready-%d', $program);
	$stop();
	$say("echo held-\$((40 + 2))\n", 'held-42');
	step('stopped', $left() > 0);
	$say("fg\n", 'read a');
	$say("one\n", 'got-one');
	$stop();
	$say("bg\n", '&');
	file_put_contents($go, "now\n");
	$shell->await('gone');
	$say("wait %1; echo ended-\$?\n", 'ended-7');
	wait_until(fn () => $left() === -2);
	$say("$words -- sh -c 'echo rea''dy; exec sleep 600'\n", 'ready');
	$say("\x03", "$ ");
	$say("echo ended-\$?\n", 'ended-130');
	wait_until(fn () => $left() === -2);
	$say("$words -- sh -c 'echo rea''dy; exec sleep 600' & echo\n", 'ready');
	$say("kill %1; wait %1; echo ended-\$?\n", 'ended-143');
	wait_until(fn () => $left() === -2);
	$say("exit\n");
	echo "done: ", $shell->end(), "\n";
}
?>
--EXPECT--
== it becomes the program
stopped: true
done: 0
== it stays
stopped: true
done: 0
== a thread
stopped: true
done: 0
