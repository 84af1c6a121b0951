--TEST--
redislock completion: Tab in bash, zsh and fish
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php
require __DIR__ . '/../inc/console.inc';
skip_unless_console();
foreach (['/bin/bash', '/usr/share/bash-completion/bash_completion', '/usr/bin/zsh', '/usr/bin/fish'] as $file) {
	is_readable($file) || die("skip $file is not here");
}
?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';

const SHELLS = [
	'bash' => [['/bin/bash', '--norc', '-i'], '. /usr/share/bash-completion/bash_completion; eval "$(redislock completion bash)"'],
	'zsh' => [['/usr/bin/zsh', '-f', '-i'], 'autoload -U compinit; compinit -u -D; eval "$(redislock completion zsh)"'],
	'fish' => [['/usr/bin/fish', '--no-config', '-i'], 'redislock completion fish | source'],
];

$server = new Server;
mkdir("$server->dir/bin");
$program = "$server->dir/bin/redislock";
file_put_contents($program, "#!/bin/sh\nexec " . implode(' ', array_map(escapeshellarg(...), redislock_command())) . ' "$@"' . "\n");
chmod($program, 0700);
putenv("PATH=$server->dir/bin:" . getenv('PATH'));
putenv("REDISLOCK_SERVER=unix:$server->socket");
putenv("HOME=$server->dir");
putenv('TERM=dumb');
$lock = new RedisLock($server->options(['name' => 'console_completion', 'ttl' => 3600]));
$_ = $lock->acquire();

foreach (SHELLS as $name => [$words, $setUp]) {
	$shell = new Run(['setsid', '-c', '-w', ...$words], true);
	/* Tab completes before the shell reads on: what the completed line prints tells. */
	$say = function (string $text, string $awaited) use ($shell): void {
		$shell->out = '';
		$shell->say($text);
		$shell->await($awaited);
	};
	$say("$setUp; echo set-''up\n", 'set-up');
	$say("redislock rel\t--help\n", 'Releases a lock, whoever holds it');
	$say("redislock list --js\t\n", '"name":"console_completion"');
	$say("exit\n", '');
	echo "$name: ", $shell->end(), "\n";
}
exec('rm -r ' . escapeshellarg("$server->dir/bin") . ' ' . escapeshellarg($server->dir) . '/.[a-z]*');
?>
--EXPECT--
bash: 0
zsh: 0
fish: 0
