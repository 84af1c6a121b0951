#!/usr/bin/env php
<?php
/*
 * record.php: draws docs/pictures/demo.svg, a terminal, from a run of the demonstration.
 *
 *     scripts/demo.sh | scripts/dev/record.php
 *
 * It shows the parts about a kill and about a loss, as they were printed; each line appears when it did in that run.
 */

declare(strict_types=1);

const PARTS = ['3', '4'];
const BETWEEN_S = 1.0;
const LINE = 17;
const COLUMN = 7.25;

$lines = [['$ scripts/demo.sh', 0.0]];
$part = null;
$from = $at = BETWEEN_S;
foreach (file('php://stdin', FILE_IGNORE_NEW_LINES) ?: [] as $line) {
	if (preg_match('/^(\d)\. /', $line, $m)) {
		$part = $m[1];
		$from = $at + BETWEEN_S;
		if (in_array($part, PARTS, true)) {
			$lines[] = ['', $from];
			$lines[] = [$line, $from];
		}
	} elseif ($part !== null && in_array($part, PARTS, true) && preg_match('/^ *(\d+\.\d+) s /', $line, $m)) {
		$lines[] = [$line, $at = $from + (float) $m[1]];
	}
}
if (count($lines) < 12) {
	fwrite(STDERR, "usage: scripts/demo.sh | scripts/dev/record.php: this is no run of the demonstration\n");
	exit(2);
}

$width = (int) ceil(max(array_map(fn ($line) => strlen($line[0]), $lines)) * COLUMN) + 24;
$height = count($lines) * LINE + 24;
$svg = <<<SVG
	<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $width $height" role="img" font-family="ui-monospace, monospace" font-size="12" xml:space="preserve">
	<title>A run of the demonstration: a killed holder's lock is free after milliseconds, and a deleted lock is an exception in the running job</title>
	<style>
	text { fill: #e6edf3; white-space: pre }
	.ok { fill: #7ee787 } .part { fill: #fff; font-weight: bold } .bad { fill: #ffa198 }
	@media (prefers-reduced-motion: no-preference) { text { animation: show .01s backwards } }
	@keyframes show { from { opacity: 0 } }
	</style>
	<rect width="100%" height="100%" rx="8" fill="#0d1117"/>

	SVG;
foreach ($lines as $i => [$line, $at]) {
	$class = match (true) {
		(bool) preg_match('/^\d\. /', $line) => ' class="part"',
		(bool) preg_match('/ s {10,}ok: /', $line) => ' class="ok"',
		(bool) preg_match('/kill -9|DEL demo|LockLostException/', $line) => ' class="bad"',
		default => '',
	};
	$svg .= sprintf("<text x=\"12\" y=\"%d\"%s style=\"animation-delay: %.2fs\">%s</text>\n", 12 + ($i + 1) * LINE - 4, $class, $at, htmlspecialchars($line, ENT_XML1));
}
file_put_contents(dirname(__DIR__, 2) . '/docs/pictures/demo.svg', "$svg</svg>\n");
