<?php
/** One server and one lock for all, plain or shared by readers, so that a long queue stands before it. What is done leaves those who wait their place. */
final class Queue implements World
{
	private Node $node;

	public function __construct(private string $name)
	{
		$this->node = new Node('the server');
	}

	public function names(): array
	{
		return [$this->name];
	}

	public function options(bool $proxied): array
	{
		return $this->node->options(false);
	}

	public function faults(): array
	{
		return ['freeze' => [3, 50, 400], 'pause' => [3, 50, 400], 'forget scripts' => [2, 0, 0]];
	}

	public function trouble(string $how, int $ms): ?array
	{
		return $this->node->troubled ? null : [$this->node->label, $this->node->trouble($how, $ms)];
	}

	public function delete(string $name): void
	{
		$this->node->server->client()('DEL', $name);
	}

	public function left(): array
	{
		return $this->node->left();
	}
}
