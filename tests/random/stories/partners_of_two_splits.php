<?php
/* One key split in two ways: who enters by one of them releases and acquires the same key. */
return [1, function (Play $play) {
	$play->make('p', 'a', ['name' => 'P:a', 'ttl' => 30, 'via' => 'unix', 'reentrant' => true]);
	$play->make('p', 'b', ['prefix' => 'P:', 'name' => 'a', 'ttl' => 30, 'via' => 'unix', 'reentrant' => true]);
	$play->call('a', 'acquire', 0.0);
	$play->call('b', 'acquire', 0.0);
	$play->call('b', 'release');
	$play->call('b', 'acquire', 0.0);
}];
