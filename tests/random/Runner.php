<?php
/** Plays one story after the other; makes one that fails as short as it can. */
final class Runner
{
	/* How often a story that failed is played again before it counts as not failing. */
	private const TRIES = 2;
	/* A short one is worth so much time, s. */
	private const SHRINK = 20.0;

	/** @var list<Place> */
	private array $places = [];

	private string $lie = '';

	private function places(int $count): array
	{
		while (count($this->places) < $count) {
			$this->places[] = new Place($this->places === []);
		}
		return array_slice($this->places, 0, $count);
	}

	/** What is wrong with it, null for nothing. */
	private function play(int $servers, Closure $steps): ?Wrong
	{
		$play = new Play($this->places($servers), $this->lie);
		try {
			$steps($play);
			$play->over();
			return null;
		} catch (Wrong $wrong) {
			return $wrong;
		} finally {
			$play->clear();
		}
	}

	private static function steps(array $steps): Closure
	{
		return function (Play $play) use ($steps) {
			foreach ($steps as $i => [$step, $arguments]) {
				try {
					$play->$step(...$arguments);
				} catch (Wrong $wrong) {
					throw $wrong->at($i + 1);
				}
			}
		};
	}

	/** Stories of their own files, as they were printed. */
	public function files(array $files): int
	{
		$failed = 0;
		foreach ($files as $file) {
			[$servers, $steps] = require $file;
			$wrong = $this->play($servers, $steps);
			echo basename($file), ': ', $wrong ? 'wrong: ' . $wrong->getMessage() : 'nothing is wrong', "\n";
			$failed += $wrong ? 1 : 0;
		}
		printf("%d passed, %d failed, 0 skipped\n", count($files) - $failed, $failed);
		return $failed > 0 ? 1 : 0;
	}

	public function many(int $seed, int $stories, float $seconds): int
	{
		$end = hrtime(true) / 1e9 + $seconds;
		$failed = $passed = $steps = 0;
		for ($i = 0; $i < $stories && hrtime(true) / 1e9 < $end; $i++) {
			[$servers, $story] = Story::fromSeed($seed + $i);
			$wrong = $this->play($servers, self::steps($story));
			$steps += count($story);
			if ($wrong && $this->isSo($seed + $i, $servers, $story, $wrong)) {
				$failed++;
			} else {
				$passed++;
			}
		}
		printf("%d stories, %d steps\n%d passed, %d failed, 0 skipped\n", $passed + $failed, $steps, $passed, $failed);
		return $failed > 0 ? 1 : 0;
	}

	/** Whether the oracle finds each lie: a check of the checker. */
	public function lies(int $seed, int $stories): int
	{
		$failed = 0;
		foreach (Actor::LIES as $this->lie) {
			for ($i = 0, $wrong = null; $i < $stories && !$wrong; $i++) {
				[$servers, $story] = Story::fromSeed($seed + $i);
				$wrong = $this->play($servers, self::steps($story));
			}
			echo "$this->lie: ", $wrong ? "found by story $i: " . $wrong->getMessage() : "NOT FOUND in $i stories", "\n";
			$failed += $wrong ? 0 : 1;
		}
		printf("%d passed, %d failed, 0 skipped\n", count(Actor::LIES) - $failed, $failed);
		return $failed > 0 ? 1 : 0;
	}

	/** Prints it. One that depends on times must fail again to count. */
	private function isSo(int $seed, int $servers, array $story, Wrong $wrong): bool
	{
		[$short, $again] = $this->shrink($servers, $story);
		if ($again === null) {
			echo "seed $seed, once: ", $wrong->getMessage(), $wrong->late ? " (not again, and it depends on time: does not count)\n" : "\n",
				Story::code($servers, $story);
			return !$wrong->late;
		}
		echo "seed $seed: ", $again->getMessage(), "\n", Story::code($servers, $short);
		return true;
	}

	/** The story without what can be left out of it, and what is wrong with it: null if it does not fail again. */
	private function shrink(int $servers, array $story): array
	{
		$fails = function (array $story) use ($servers): ?Wrong {
			for ($try = 0; $try < self::TRIES; $try++) {
				if ($wrong = $this->play($servers, self::steps($story))) {
					return $wrong;
				}
			}
			return null;
		};
		$found = $fails($story);
		$end = hrtime(true) / 1e9 + self::SHRINK;
		for ($size = intdiv(count($story) + 1, 2); $found && $size >= 1; ) {
			$shorter = false;
			for ($at = count($story) - $size; $at > -$size && hrtime(true) / 1e9 < $end; $at -= $size) {
				$less = $story;
				array_splice($less, max(0, $at), $size + min(0, $at));
				if ($wrong = $fails($less)) {
					[$story, $found, $shorter] = [$less, $wrong, true];
				}
			}
			$size = $shorter ? min($size, count($story)) : intdiv($size, 2);
		}
		return [$story, $found];
	}
}
