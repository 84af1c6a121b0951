<?php
/* Who deletes the key that it entered holds it no more. */
return [1, function (Play $play) {
	$play->make('p', 'a', ['name' => 'a', 'ttl' => 30, 'via' => 'unix', 'reentrant' => true]);
	$play->make('p', 'b', ['name' => 'a', 'ttl' => 30, 'via' => 'unix', 'reentrant' => true]);
	$play->call('a', 'acquire', 0.0);
	$play->call('b', 'acquire', 0.0);
	$play->call('b', 'forceRelease');
	$play->call('b', 'acquire', 0.0);
}];
