<?php
/*
 * Chart: curves over two logarithmic axes, as SVG.
 *
 * Each curve is named at its right end, where the eye is already; names move apart where curves meet.
 */
declare(strict_types=1);

namespace Bench;

final class Chart
{
	private const WIDTH = 760;
	private const HEIGHT = 430;
	private const LEFT = 70;
	private const RIGHT = 200;
	private const TOP = 50;
	private const BOTTOM = 60;
	private const COLOURS = ['#444444', '#0a7d3c', '#1f6fd1', '#ea580c', '#854d0e', '#9333a8', '#be123c'];

	/** @var list<array{string, array<int|float, float>, string}>  name, points, colour */
	private array $curves = [];

	/**
	 * @param list<int|float> $x  values marked on the axis, from the first to the last
	 * @param array<int|float, string> $y  likewise, with their labels
	 */
	public function __construct(
		private readonly string $title,
		private readonly string $xTitle,
		private readonly array $x,
		private readonly array $y,
	) {
	}

	/** @param array<int|float, float> $points  y by x */
	public function curve(string $name, array $points): void
	{
		$this->curves[] = [$name, $points, self::COLOURS[count($this->curves) % count(self::COLOURS)]];
	}

	public function svg(string $note): string
	{
		$svg = sprintf('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" '
			. 'font-size="12">' . "\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n", self::WIDTH, self::HEIGHT);
		$svg .= self::text(self::LEFT, 24, $this->title, 'font-size="15" font-weight="bold"');
		$svg .= self::text(self::LEFT, self::HEIGHT - 10, $note, 'font-size="10" fill="#666"');
		$svg .= $this->grid();
		$labels = [];
		foreach ($this->curves as [$name, $points, $colour]) {
			$svg .= $this->line($points, $colour);
			$labels[] = [$this->y(end($points)), $name, $colour];
		}

		return $svg . $this->labels($labels) . "</svg>\n";
	}

	private function grid(): string
	{
		$svg = '';
		[$right, $bottom] = [self::WIDTH - self::RIGHT, self::HEIGHT - self::BOTTOM];
		foreach ($this->y as $value => $label) {
			$y = $this->y((float) $value);
			$svg .= sprintf('<path d="M%d %.1fH%d" stroke="#ddd"/>' . "\n", self::LEFT, $y, $right);
			$svg .= self::text(self::LEFT - 8, $y + 4, $label, 'text-anchor="end"');
		}
		foreach ($this->x as $value) {
			$x = $this->x((float) $value);
			$svg .= sprintf('<path d="M%.1f %dV%d" stroke="#eee"/>' . "\n", $x, self::TOP, $bottom);
			$svg .= self::text($x, $bottom + 16, (string) $value, 'text-anchor="middle"');
		}

		return $svg . self::text((self::LEFT + $right) / 2, $bottom + 34, $this->xTitle, 'text-anchor="middle"');
	}

	private function line(array $points, string $colour): string
	{
		$path = $dots = '';
		foreach ($points as $x => $y) {
			[$at, $height] = [$this->x((float) $x), $this->y($y)];
			$path .= sprintf('%s%.1f %.1f', $path === '' ? 'M' : 'L', $at, $height);
			$dots .= sprintf('<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' . "\n", $at, $height, $colour);
		}

		return "<path d=\"$path\" fill=\"none\" stroke=\"$colour\" stroke-width=\"2\"/>\n$dots";
	}

	/** @param list<array{float, string, string}> $labels  height, text, colour */
	private function labels(array $labels): string
	{
		sort($labels);
		$svg = '';
		$free = 0.0;
		foreach ($labels as [$y, $name, $colour]) {
			$y = max($y, $free);
			$free = $y + 15;
			$svg .= self::text(self::WIDTH - self::RIGHT + 10, $y + 4, $name, "fill=\"$colour\"");
		}

		return $svg;
	}

	private function x(float $value): float
	{
		$share = log($value / $this->x[0]) / log(max($this->x) / $this->x[0]);

		return self::LEFT + $share * (self::WIDTH - self::LEFT - self::RIGHT);
	}

	private function y(float $value): float
	{
		$share = log($value / array_key_first($this->y)) / log(array_key_last($this->y) / array_key_first($this->y));

		return self::HEIGHT - self::BOTTOM - $share * (self::HEIGHT - self::TOP - self::BOTTOM);
	}

	private static function text(float $x, float $y, string $text, string $attributes): string
	{
		return sprintf('<text x="%.1f" y="%.1f" %s>%s</text>' . "\n", $x, $y, $attributes,
			htmlspecialchars($text, ENT_XML1));
	}
}
