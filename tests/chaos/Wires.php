<?php
/**
 * The process of a Proxy: passes bytes between clients and one server, and does to their connections what networks do.
 *
 * A stream that has lost bytes is of no use to anybody, so a connection that had some swallowed stays dumb until both
 * its ends have closed it or are reset.
 */
final class Wires
{
	private const CLIENT = 0;
	private const SERVER = 1;

	private $listener = null;
	private array $ends = []; /* id => [client, server]; null: closed */
	private array $owners = []; /* stream => [id, side] */
	private array $dumb = []; /* id => [bool, bool]: what comes from that side is swallowed, its end included */
	private array $late = []; /* [due at ns, id, side it came from, bytes] in the order of coming; '' is the end */
	private array $forgotten = []; /* id => anything: the next that comes from its client is answered by a reset */
	private int $delay = 0; /* ns */
	private array $swallow = [false, false]; /* what new connections start with */
	private int $count = 0;

	public function __construct(private int $port, private int $target)
	{
	}

	public function run(): void
	{
		stream_set_blocking(STDIN, false);
		$this->listen(true);
		echo "passing\n";
		for (;;) {
			$read = array_filter([STDIN, $this->listener, ...array_merge([], ...array_values($this->ends))]);
			$none = null;
			$wait = $this->late ? max(0, $this->late[0][0] - hrtime(true)) : null;
			stream_select($read, $none, $none, $wait === null ? null : 0, intdiv($wait ?? 0, 1000));
			foreach ($read as $stream) {
				if ($stream === STDIN) {
					if (feof(STDIN)) {
						return;
					}
					array_map($this->obey(...), explode("\n", trim((string) fread(STDIN, 4096))));
				} elseif ($stream === $this->listener) {
					$this->accept();
				} elseif (isset($this->owners[(int) $stream])) {
					$this->take($stream, ...$this->owners[(int) $stream]);
				}
			}
			while ($this->late && $this->late[0][0] <= hrtime(true)) {
				[, $id, $side, $bytes] = array_shift($this->late);
				$this->pass($id, $side, $bytes);
			}
		}
	}

	private function obey(string $command): void
	{
		[$word, $argument] = explode(' ', $command) + [1 => ''];
		match ($word) {
			'delay' => $this->delay = (int) ((float) $argument * 1e6),
			'arrive' => array_walk($this->late, static fn (array &$late) => $late[0] = 0),
			'swallow' => $this->swallow($argument !== 'down', $argument !== 'up'),
			'pass' => $this->swallow = [false, false],
			'leave' => $this->leave($argument === 'client' ? self::CLIENT : self::SERVER),
			'forget' => $this->forgotten = $this->ends,
			'reset' => array_map($this->reset(...), array_keys($this->ends)),
			'refuse' => $this->listen(false),
			'accept' => $this->listen(true),
		};
		echo "obeyed\n";
	}

	private function listen(bool $open): void
	{
		if ($this->listener !== null && !$open) {
			fclose($this->listener);
		}
		$context = stream_context_create(['socket' => ['tcp_nodelay' => true, 'backlog' => 511]]);
		$this->listener = $open ? ($this->listener ?? stream_socket_server("tcp://127.0.0.1:$this->port", $code, $text,
			STREAM_SERVER_BIND | STREAM_SERVER_LISTEN, $context)) : null;
	}

	private function accept(): void
	{
		$client = @stream_socket_accept($this->listener, 0);
		if (!$client) {
			return;
		}
		$server = @stream_socket_client("tcp://127.0.0.1:$this->target", $code, $text, 1, STREAM_CLIENT_CONNECT,
			stream_context_create(['socket' => ['tcp_nodelay' => true]]));
		if (!$server) {
			self::close($client, true);
			return;
		}
		$id = ++$this->count;
		$this->ends[$id] = [$client, $server];
		$this->dumb[$id] = $this->swallow;
		foreach ($this->ends[$id] as $side => $stream) {
			stream_set_blocking($stream, false);
			$this->owners[(int) $stream] = [$id, $side];
		}
	}

	private function take($stream, int $id, int $side): void
	{
		$bytes = (string) @stream_socket_recvfrom($stream, 65536);
		if ($side === self::CLIENT && isset($this->forgotten[$id])) {
			$this->reset($id);
			return;
		}
		if ($bytes === '') {
			$this->forget($id, $side);
		}
		/* What one side of a connection sends stays in order. */
		if ($this->delay > 0 || array_filter($this->late, static fn ($late) => $late[1] === $id && $late[2] === $side)) {
			$this->late[] = [hrtime(true) + $this->delay, $id, $side, $bytes];
		} else {
			$this->pass($id, $side, $bytes);
		}
	}

	private function pass(int $id, int $side, string $bytes): void
	{
		$to = $this->ends[$id][1 - $side] ?? null;
		if ($to === null || $this->dumb[$id][$side]) {
			return;
		}
		if ($bytes === '') {
			$this->forget($id, 1 - $side);
			return;
		}
		/* What does not fit, a reader that stands still for long, is lost with the connection. */
		if (@stream_socket_sendto($to, $bytes) !== strlen($bytes)) {
			$this->reset($id);
		}
	}

	private function swallow(bool $up, bool $down): void
	{
		$this->swallow = [$up, $down];
		foreach ($this->dumb as [self::CLIENT => &$from_client, self::SERVER => &$from_server]) {
			$from_client = $from_client || $up;
			$from_server = $from_server || $down;
		}
	}

	/** Closes all ends of one side; the other is not told. */
	private function leave(int $side): void
	{
		foreach (array_keys($this->ends) as $id) {
			$this->dumb[$id] = [true, true];
			$this->forget($id, $side);
		}
	}

	private function reset(int $id): void
	{
		$this->forget($id, self::CLIENT, true);
		$this->forget($id, self::SERVER, true);
	}

	private function forget(int $id, int $side, bool $reset = false): void
	{
		$stream = $this->ends[$id][$side] ?? null;
		if ($stream === null) {
			return;
		}
		unset($this->owners[(int) $stream]);
		self::close($stream, $reset);
		$this->ends[$id][$side] = null;
		if ($this->ends[$id] === [null, null]) {
			unset($this->ends[$id], $this->dumb[$id], $this->forgotten[$id]);
		}
	}

	private static function close($stream, bool $reset): void
	{
		if ($reset) {
			socket_set_option(socket_import_stream($stream), SOL_SOCKET, SO_LINGER, ['l_onoff' => 1, 'l_linger' => 0]);
		}
		fclose($stream);
	}
}
