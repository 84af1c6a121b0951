<?php
/**
 * Stands between clients and a server, in a process of its own (class Wires).
 *
 *     delay MS                from now on everything arrives so much later; 0 ends it
 *     arrive                  what is on its way arrives now
 *     swallow up|down|both    what clients (up) or the server (down) send vanishes, on all connections there are and on
 *                             new ones until "pass"; those that lost bytes stay dumb for good
 *     pass                    new connections are whole again
 *     leave client|server     hangs up on that side; the other keeps a connection that is dumb (half-open)
 *     forget                  RST to both sides as soon as a client says something, on the connections there are now; what it said
 *                             goes nowhere. As balancers do with what has been idle for too long
 *     reset                   RST on all connections, to both sides
 *     refuse, accept          takes no new connections, takes them again
 */
final class Proxy
{
	public readonly int $port;
	private Php $process;

	public function __construct(int $target)
	{
		$this->port = Server::freePort();
		$this->process = new Php('require ' . var_export(__DIR__ . '/Wires.php', true) . ';
			(new Wires((int) $argv[1], (int) $argv[2]))->run();', [$this->port, $target]);
		$this->process->await('passing');
	}

	public function tell(string $command): void
	{
		$this->process->tell($command);
		$this->process->await('obeyed');
	}
}
