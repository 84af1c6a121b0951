<?php
/*
 * Markdown: tables that read well both in a terminal and on a page.
 */
declare(strict_types=1);

namespace Bench;

final class Markdown
{
	public static function heading(string $text): void
	{
		echo "\n### $text\n\n";
	}

	public static function note(string $text): void
	{
		echo wordwrap($text, 110), "\n\n";
	}

	/**
	 * Prints a table. Columns are as wide as their content; all but the first are aligned to the right.
	 *
	 * @param list<string> $head
	 * @param list<list<string>> $rows
	 */
	public static function table(array $head, array $rows): void
	{
		$widths = array_map(static fn ($text) => max(3, self::width($text)), $head);
		foreach ($rows as $row) {
			foreach ($row as $i => $text) {
				$widths[$i] = max($widths[$i], self::width($text));
			}
		}
		self::line($head, $widths);
		$rule = [];
		foreach ($widths as $i => $width) {
			$rule[] = $i === 0 ? str_repeat('-', $width) : str_repeat('-', $width - 1) . ':';
		}
		self::line($rule, $widths);
		foreach ($rows as $row) {
			self::line($row, $widths);
		}
		echo "\n";
	}

	private static function line(array $cells, array $widths): void
	{
		foreach ($cells as $i => $text) {
			$fill = str_repeat(' ', $widths[$i] - self::width($text));
			$cells[$i] = $i === 0 ? $text . $fill : $fill . $text;
		}
		echo '| ', implode(' | ', $cells), " |\n";
	}

	/** Characters, not bytes: "µs" is two wide. mbstring need not be there. */
	private static function width(string $text): int
	{
		return preg_match_all('/./us', $text);
	}
}
