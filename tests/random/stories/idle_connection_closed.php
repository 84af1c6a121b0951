<?php
/* A connection that a server has closed meanwhile is no trouble. */
return [1, function (Play $play) {
	$play->make('p', 'a', ['name' => 'a', 'ttl' => 30, 'via' => 'proxy', 'persistent' => true]);
	$play->call('a', 'acquire', 0.0);
	$play->call('a', 'release');
	$play->cut(0, 'late');
	$play->call('a', 'acquire', 0.0);
	$play->call('a', 'release');
	$play->unset('a');
	$play->cut(0, 'late');
	$play->make('p', 'b', ['name' => 'a', 'ttl' => 30, 'via' => 'proxy', 'persistent' => true]);
	$play->call('b', 'acquire', 0.0);
}];
