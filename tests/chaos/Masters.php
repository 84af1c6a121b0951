<?php
/** One server with a replica, or several independent ones (a quorum). Some go to them over unix sockets, some through proxies. */
final class Masters implements World
{
	/** @var Node[] */
	private array $nodes = [];
	/** Without troubles of its own: it loses its server often enough. */
	private ?Server $replica = null;

	public function __construct(int $count)
	{
		for ($i = 1; $i <= $count; $i++) {
			$this->nodes[] = new Node($count === 1 ? 'the server' : "server $i");
		}
		if ($count === 1) {
			$this->replica = new Server(true, '--replicaof', '127.0.0.1', (string) $this->nodes[0]->server->port);
		}
	}

	public function names(): array
	{
		/* Several servers mint no common fences, and need no replicas. */
		$of_one = ['fenced-a', 'fenced-b', 'fenced-c', 'replicated-a', 'replicated-b', 'replicated-c'];
		return [...$this->replica !== null ? $of_one : [], 'plain-a', 'plain-b', 'plain-c'];
	}

	public function options(bool $proxied): array
	{
		$options = array_map(fn (Node $node) => $node->options($proxied), $this->nodes);
		return count($options) === 1 ? $options[0] : ['servers' => $options];
	}

	public function faults(): array
	{
		return Node::TROUBLE + Node::CUTS;
	}

	public function trouble(string $how, int $ms): ?array
	{
		$node = $this->nodes[array_rand($this->nodes)];
		if (isset(Node::CUTS[$how])) {
			return $node->cut ? null : [$node->label, $node->cut($how)];
		}
		return $node->troubled ? null : [$node->label, $node->trouble($how, $ms)];
	}

	public function delete(string $name): void
	{
		foreach ($this->nodes as $node) {
			if (!$node->troubled) {
				$node->server->client()('DEL', $name);
			}
		}
	}

	public function left(): array
	{
		return array_merge(...array_map(fn (Node $node) => $node->left(), $this->nodes));
	}
}
