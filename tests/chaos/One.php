<?php
/** One server. Some go to it directly, over a unix socket, some through the proxy. */
final class One
{
	/** Names in use; locks called fenced... are taken with a fence. */
	public const NAMES = ['fenced-a', 'fenced-b', 'fenced-c', 'plain-a', 'plain-b', 'plain-c'];

	/** @var Node[] */
	public readonly array $nodes;

	public function __construct()
	{
		$this->nodes = [new Node('server')];
	}

	public function options(bool $proxied): array
	{
		return $this->nodes[0]->options($proxied);
	}

	/** What is there that should not be, once nobody works any more. */
	public function left(): array
	{
		return array_merge(...array_map(fn (Node $node) => $node->left(), $this->nodes));
	}
}
