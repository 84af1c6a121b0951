<?php
/*
 * What the scenes of run.php stand on: timed lines, processes that are listened to line by line, redis-cli.
 */

/** Prints with the time since the scene began, and keeps count of what was not as promised. */
final class Stage
{
	private float $began;
	private float $sceneBegan;
	private int $failed = 0;
	private readonly bool $colour;

	public function __construct(private readonly string $module, private readonly string $socket)
	{
		$this->began = $this->sceneBegan = microtime(true);
		$this->colour = stream_isatty(STDOUT) && getenv('NO_COLOR') === false && getenv('TERM') !== 'dumb';
	}

	private function paint(string $code, string $text): string
	{
		return $this->colour ? "\e[{$code}m$text\e[0m" : $text;
	}

	public function title(string $format, mixed ...$args): void
	{
		echo $this->paint('1', vsprintf($format, $args)), "\n";
	}

	public function scene(string $title): void
	{
		echo "\n", $this->paint('1', $title), "\n";
		$this->sceneBegan = microtime(true);
	}

	public function say(string $who, string $format, mixed ...$args): void
	{
		printf("%s  %-10s  %s\n", $this->paint('2', sprintf('%6.3f s', microtime(true) - $this->sceneBegan)), $who,
			vsprintf($format, $args));
	}

	public function check(bool $asPromised, string $what): void
	{
		$this->failed += $asPromised ? 0 : 1;
		$this->say('', '%s', $asPromised ? $this->paint('32', "ok: $what") : $this->paint('31', "NOT AS PROMISED: $what"));
	}

	/** The exit status. */
	public function finish(): int
	{
		$took = microtime(true) - $this->began;
		echo "\n", $this->failed === 0 ? $this->paint('32', sprintf('All as promised, in %.0f s.', $took)) :
			$this->paint('31', "Not as promised: $this->failed, see above."), "\n";
		return $this->failed === 0 ? 0 : 1;
	}

	/** For the eye of the beholder. */
	public function pause(float $seconds): void
	{
		usleep((int) ($seconds * 1e6));
	}

	/** redis-cli, as an operator would use it. */
	public function redis(string ...$args): string
	{
		return rtrim((string) shell_exec(implode(' ', array_map(escapeshellarg(...),
			['redis-cli', '-s', $this->socket, ...$args]))));
	}

	public function start(string $who, string $file, string ...$args): Job
	{
		return new Job($this, $who, [PHP_BINARY, '-n', '-d', "extension=$this->module", $file, ...$args],
			['REDIS_URL' => "unix:$this->socket"] + getenv());
	}
}

/** A PHP process. */
final class Job
{
	/* Nobody who watches waits longer; what is still silent by then has failed. */
	private const PATIENCE = 20;

	public readonly int $pid;
	private $process;
	private array $pipes = [];
	private string $unread = '';

	public function __construct(private readonly Stage $stage, private readonly string $who, array $command, array $env)
	{
		$this->process = proc_open($command, [['file', '/dev/null', 'r'], ['pipe', 'w'], ['redirect', 1]], $this->pipes, null,
			$env);
		stream_set_blocking($this->pipes[1], false);
		$this->pid = proc_get_status($this->process)['pid'];
	}

	/** Reads up to the first line that matches, showing what it reads, and returns that line; "" when none came. */
	public function await(string $pattern, bool $show = true): string
	{
		while (($line = $this->line()) !== null) {
			$matches = preg_match($pattern, $line) === 1;
			if ($show || !$matches) {
				$this->stage->say($this->who, '%s', $line);
			}
			if ($matches) {
				return $line;
			}
		}
		$this->stage->check(false, "$this->who was to say something like $pattern");
		return '';
	}

	private function line(): ?string
	{
		$end = microtime(true) + self::PATIENCE;
		while (($length = strpos($this->unread, "\n")) === false) {
			$ready = [$this->pipes[1]];
			$none = [];
			if (microtime(true) >= $end || !@stream_select($ready, $none, $none, 1) && microtime(true) >= $end) {
				return null;
			}
			$piece = fread($this->pipes[1], 8192);
			if ($piece === '' && feof($this->pipes[1])) {
				return null;
			}
			$this->unread .= $piece;
		}
		$line = substr($this->unread, 0, $length);
		$this->unread = substr($this->unread, $length + 1);
		return $line;
	}

	public function kill(): void
	{
		proc_terminate($this->process, 9);
	}

	/** The exit status, once it has ended by itself. */
	public function end(): int
	{
		$end = microtime(true) + self::PATIENCE;
		while (($status = proc_get_status($this->process))['running'] && microtime(true) < $end) {
			usleep(1000);
		}
		return $status['running'] || $status['signaled'] ? -1 : $status['exitcode'];
	}
}
