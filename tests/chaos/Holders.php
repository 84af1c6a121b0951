<?php
/** One server, and names that several may hold at a time: permits, weights, readers and writers. */
final class Holders implements World
{
	/* How many may be inside; of those who share a name, its writer takes all the room. */
	public const ROOMS = ['permits-one-a' => 1, 'permits-one-b' => 1, 'permits-one-c' => 1, 'permits-three-a' => 3, 'permits-three-b' => 3,
		'permits-sixteen' => 16, 'weights' => 16, 'shared-a' => 1000, 'shared-b' => 1000, 'shared-c' => 1000];
	/* How many want each, in relation. */
	private const CROWD = [3, 3, 3, 5, 5, 22, 7, 4, 4, 4];
	/* The longest ttl, s, and some room: so long those who were killed with their child keep what they held. */
	private const KEPT = 4.0;

	private Node $node;
	private ?float $since = null;
	private array $lost = []; /* permits */

	public function __construct()
	{
		$this->node = new Node('the server');
	}

	/** For each of so many workers which name it wants, as an index. */
	public static function crowd(int $workers): array
	{
		$crowd = [];
		foreach (self::CROWD as $room => $share) {
			for ($i = 0; $i < max(1, round($share * $workers / array_sum(self::CROWD))); $i++) {
				$crowd[] = $room;
			}
		}
		return $crowd;
	}

	public function names(): array
	{
		return array_keys(self::ROOMS);
	}

	public function options(bool $proxied): array
	{
		return $this->node->options($proxied);
	}

	public function faults(): array
	{
		return Node::TROUBLE + Node::CUTS;
	}

	public function trouble(string $how, int $ms): ?array
	{
		if (isset(Node::CUTS[$how])) {
			return $this->node->cut ? null : [$this->node->label, $this->node->cut($how)];
		}
		return $this->node->troubled ? null : [$this->node->label, $this->node->trouble($how, $ms)];
	}

	public function delete(string $name): void
	{
		$this->node->server->client()('DEL', $name);
	}

	/** What is held for longer than anybody alive or dead can hold it is lost, even if it should end some day. */
	public function left(): array
	{
		$now = hrtime(true) / 1e9;
		$this->since ??= $now;
		$left = $this->node->left();
		foreach ($now - $this->since > self::KEPT ? $this->names() : [] as $name) {
			if (in_array("key $name at {$this->node->label}", $left, true)) {
				$this->lost[$name] = "permits of $name, held by nobody";
			}
		}
		return [...$left, ...array_values($this->lost)];
	}
}
