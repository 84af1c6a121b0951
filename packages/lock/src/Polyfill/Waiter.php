<?php

declare(strict_types=1);

namespace RedisLock\Polyfill;

/** @internal A wait for a lock, in the server's own queue: docs/internals/protocol.md has the steps. Times are ms. */
final class Waiter
{
	/** How long a woken waiter has the lock until its ttl is confirmed, how long one blocks, and one that cannot check. */
	private const PROVISIONAL = 2000, LONGEST = 60_000, SLICE = 5000;
	/** The pause between two timers of the server: for less BLPOP is of no use. */
	private const TICK = 100;
	/** So many checks in a row take a second that find the lock ours: the connection that blocks should have said so. */
	private const UNREPORTED = 14;

	/** By a wake token, or it has let the key run out: others wait for the next one. */
	private bool $isWoken = false;
	/** May a request without an answer get the lock? */
	private bool $isOutstanding = false;
	/** The server does not block for us until then, or holds back the keys. */
	private int $pollsUntil = 0;
	private readonly int $provisional;
	private readonly Server $server;
	/** The second connection, over which the lock is checked. */
	private ?Connection $checker = null;
	private bool $isChecking = false;
	private int $checksAt = Server::NEVER;
	/** Checks are in vain: the next wait is a slice. */
	private int $failures = 0;
	private int $unreported = 0;
	private int $blocksUntil = 0;
	private int $heardAt = 0;

	public function __construct(private readonly Hold $hold, private readonly int $deadline)
	{
		$this->server = $hold->server;
		$this->provisional = min($hold->options->ttl ?: self::PROVISIONAL, self::PROVISIONAL);
		$this->pollsUntil = $hold->keysToLineUp() === [] ? Server::NEVER : 0;
	}

	/** @return bool false: another one had it all that time */
	public function wait(): bool
	{
		$got = false;
		try {
			while (!$got && Server::now() < $this->deadline) {
				$got = Server::now() < $this->pollsUntil ? $this->poll() : $this->join();
			}
		} catch (Trouble $trouble) {
			// An answer that the end of the wait has cut off is no trouble.
			if (!$trouble->isUnknown || Server::now() < $this->deadline) {
				throw $trouble;
			}
		} finally {
			// Also when a signal handler has thrown.
			$until = Hold::oneMore($this->deadline);
			if ($this->isOutstanding) {
				$this->hold->undo($this->provisional);
			} elseif (!$got && ($this->isWoken || $this->hold->isOurs)) {
				$this->hold->withdraw($until, false);
				$this->hold->forget();
			}
			$this->hold->passTurnstile($until, false);
		}

		return $got;
	}

	/** Pauses for the retry time ± 50 %, so that waiters do not poll in step, and tries. */
	private function poll(): bool
	{
		$retry = $this->hold->options->retry;
		$until = min($this->deadline, Server::later($retry - intdiv($retry, 2) + random_int(0, $retry)));
		while (($left = $until - Server::now()) > 0) {
			usleep($left * 1000);
		}
		$got = $this->hold->try(Hold::oneMore($this->deadline));
		$got && $this->hold->passTurnstile($this->deadline, $this->hold->isSet);

		return $got;
	}

	/** Tries once more, lines up, and blocks. */
	private function join(): bool
	{
		$hold = $this->hold;
		$left = $this->deadline === Server::NEVER ? Server::NEVER : $this->deadline - Server::now();
		$keys = [...$hold->keysToLineUp(), ...($hold->options->fence ? ["$hold->helper:rlk:fence"] : [])];
		$arguments = array_map(strval(...), [$hold->token, $this->provisional, $hold->turn(), min($left, self::LONGEST) + 1000, $left]);
		$connection = $this->server->connection($this->deadline);
		try {
			$this->isOutstanding = true;
			$joined = $connection->run(...[...$hold->translated('join', $keys, $arguments), $this->deadline]);
			array_map(is_int(...), (array) $joined) === [true, true, true, true] || throw $this->server->misfit();
			$this->isOutstanding = false;
		} catch (Trouble $trouble) {
			return $this->recover($trouble);
		}
		/** @var array{int, int, int, int} $joined */
		[$got, $pttl, $wakes, $pause] = $joined;
		if ($got > 0) {
			return $this->secure($connection->sentAt, $got);
		}
		if ($wakes === 2) {
			$hold->turnstile()->freshToken();
			(new self($hold->turnstile(), $this->deadline))->wait();

			return false;
		}
		// The answer to a BLPOP that ends with the wait comes after it, and a token of the caller would be spent.
		$most = $hold->isCallers ? $left - self::TICK - 20 : $left;
		if ($wakes === 0 && $hold->options->retry < self::TICK || $most < $left && $most < self::TICK) {
			return $this->poll();
		}
		// As long as possible if the waiter can check the lock. Else until that expires, or a slice; who has the turnstile keeps it by joining again.
		$checks = $wakes === 1 && $this->failures === 0;
		$longest = $checks ? self::LONGEST : ($hold->turn() !== '' ? intdiv(self::PROVISIONAL, 2) : self::SLICE);
		$longest = $wakes === 1 ? $longest : min($longest, $hold->options->retry);
		$longest += $checks ? 0 : random_int(0, intdiv($longest, 20));

		// Some servers round 0.001 s to 0, which means for ever.
		return $this->block(max(2, min($longest, $most, $checks || $pttl < 0 ? $longest : $pttl + 1)), $pause);
	}

	private function block(int $longest, int $firstCheck): bool
	{
		$connection = $this->server->connection($this->deadline);
		$this->isOutstanding = true;
		try {
			$connection->send(['BLPOP', $this->hold->keysToLineUp()[2], sprintf('%d.%03d', intdiv($longest, 1000), $longest % 1000)],
				Connection::words(...$this->hold->wordsToTry($this->provisional, true)));
			[$this->blocksUntil, $this->unreported, $this->heardAt] = [Server::later($longest), 0, Server::now()];
			if (!$this->isChecking && ($this->failures === 0 || $this->checksAt === Server::NEVER)) {
				$firstCheck > 0 ? $this->checkIn($firstCheck) : $this->checksAt = Server::NEVER;
			}
			$refusal = null;
			try {
				if (!$this->isAnswered($connection)) {
					return false;
				}
				$this->isWoken = $connection->read() !== null || $this->isWoken;
			} catch (Trouble $refusal) {
				$refusal->answer !== '' || throw $refusal;
			}
			if (!$this->isAnswered($connection)) {
				return false;
			}
			$got = $this->hold->answered($connection->read());
			$this->isOutstanding = false;
		} catch (Trouble $trouble) {
			return $this->recover($trouble);
		}

		return $got > 0 ? $this->secure($connection->sentAt, $got) : $refusal !== null && $this->recover($refusal);
	}

	/** It is ours for the provisional ttl, which is extended to the ttl. */
	private function secure(int $sentAt, int $answer): bool
	{
		[$hold, $ttl] = [$this->hold, $this->hold->options->ttl];
		$hold->take($this->provisional, $sentAt, $answer);
		// The script that adds to a set has opened it.
		$hold->passTurnstile($this->deadline, $hold->isSet);
		if ($ttl === $this->provisional && $hold->left() > intdiv($ttl, 2)) {
			return true;
		}
		try {
			if ($hold->extend($ttl, Hold::oneMore($this->deadline), false) && $hold->left() > 0) {
				return true;
			}
		} catch (Trouble $trouble) {
			$trouble->isUnknown && $hold->undo($ttl);
			throw $trouble;
		}
		$hold->forget();
		$this->isWoken = true;

		return false;
	}

	/** What may have got the lock is released, and its token is not used again: a server that has not noticed the break may even set the key later. */
	private function recover(Trouble $trouble): bool
	{
		if ($trouble->answer === 'NOLOCK') {
			throw $this->hold->noLock($this->hold->kind(true));
		}
		if ($trouble->answer === 'SCRIPTS' || $trouble->answer === '' && (!$trouble->isBroken || $this->hold->isCallers)) {
			throw $trouble;
		}
		$this->isOutstanding = false;
		if ($trouble->answer === '') {
			$this->server->connection($this->deadline);
			$this->hold->withdraw($this->deadline, false);
			$this->hold->freshToken();
		} elseif (in_array($trouble->answer, ['ERR', 'NOPERM'], true)) {
			// The server does not block for us.
			$this->pollsUntil = Server::later(self::SLICE);
		}

		// Trouble that lasts shows in the answer to the next SET.
		return $this->poll();
	}

	/* --- checks --- */

	/** Waits for an answer of the connection that blocks, and checks the lock when that is due. false: the wait is over. */
	private function isAnswered(Connection $connection): bool
	{
		$lateAt = $this->blocksUntil + $this->server->answersIn;
		for (;;) {
			$until = min($lateAt, $this->deadline);
			$ready = Connection::await(min($until, $this->checksAt), $connection, ...($this->isChecking && $this->checker !== null ? [$this->checker] : []));
			if (in_array($connection, $ready, true)) {
				return true;
			}
			if ($ready === [] && Server::now() >= $until) {
				return $until === $this->deadline ? false : throw new Trouble('the server did not answer in time', $this->server->uri, true, true);
			}
			try {
				$isDue = $ready === [];
				$ready = []; // who is kept here would not be closed
				$isDue ? $this->sendCheck() : $this->takeCheck();
			} catch (Trouble $trouble) {
				$isLate = $trouble->isUnknown && !$trouble->isBroken;
				$this->heardAt = $isLate ? $this->heardAt : Server::now();
				// A second time in a row the cause is not a pause of this machine.
				if ($isLate && $this->failures > 0 && Server::now() - $this->heardAt >= self::SLICE) {
					throw $trouble;
				}
				// The server is asked less and less often.
				[$this->checker, $this->isChecking, $this->failures] = [null, false, min(3, $this->failures + 1)];
				$this->checkIn(1000 << $this->failures);
			}
			if ($this->unreported === self::UNREPORTED) {
				$this->server->leave();
				throw new Trouble('the connection broke while waiting', $this->server->uri, true, true, true);
			}
		}
	}

	private function checkIn(int $ms): void
	{
		// Waiters may all know when a ttl ends, but do not all check at that moment.
		$this->checksAt = Server::later($ms + random_int(0, min(intdiv($ms, 10), 32)));
	}

	private function sendCheck(): void
	{
		if (Server::now() < $this->checksAt) {
			return;
		}
		$this->isChecking && throw new Trouble('the server did not answer in time', $this->server->uri, true, true);
		$hold = $this->hold;
		$this->checker = $this->checker?->isFit() ? $this->checker : $this->server->open(min($this->deadline, Server::later(self::TICK)), 0);
		// A caller's token may be in the key for another process.
		$arguments = [$hold->isCallers ? '' : $hold->token, (string) (max(0, $this->blocksUntil - Server::now()) + 1000), $hold->turn(), $this->unreported > 0 ? '1' : ''];
		$this->checker->send(Connection::words(...$hold->translated('check', $hold->keysToLineUp(), $arguments)));
		[$this->isChecking, $this->checksAt] = [true, Server::later($this->server->answersIn)];
	}

	private function takeCheck(): void
	{
		$pause = $this->checker?->read();
		is_int($pause) && $pause !== 0 && $pause >= -10 && $pause <= self::LONGEST + 1000 || throw $this->server->misfit();
		[$this->isChecking, $this->failures, $this->unreported, $this->heardAt] = [false, 0, $pause < 0 ? $this->unreported + 1 : 0, Server::now()];
		$this->checkIn($pause > 0 ? $pause : ($this->unreported === 1 ? -$pause : $this->unreported * 10));
		$this->checker = $pause > 2000 ? null : $this->checker;
	}
}
