<?php
/*
 * plain_path.php: what a relative link leads to.
 */

/** "a/b/../c" without the dots. */
function plain_path(string $path): string
{
	$parts = [];
	foreach (explode('/', $path) as $part) {
		if ($part === '..') {
			array_pop($parts);
		} elseif ($part !== '' && $part !== '.') {
			$parts[] = $part;
		}
	}
	return implode('/', $parts);
}
