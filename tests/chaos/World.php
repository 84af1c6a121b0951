<?php
/** The servers of a run, one class for each variant. */
interface World
{
	/** The names of the locks: fenced... are taken with a fence, replicated... with min_replicas. */
	public function names(): array;

	/** Connection options; $proxied: through a proxy, if there are any. */
	public function options(bool $proxied): array;

	/** What can be done to it: how => [how often in relation, for how long at least and at most, ms]. */
	public function faults(): array;

	/** Does it. Returns to whom, and how it is undone or null; null alone: not now. */
	public function trouble(string $how, int $ms): ?array;

	/** Deletes a lock, whoever has it. */
	public function delete(string $name): void;

	/** What is there that should not be, once nobody works any more. */
	public function left(): array;
}
