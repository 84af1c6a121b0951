<?php
/* A release on a new connection finds that somebody else has the lock. */
return [1, function (Play $play) {
	$play->make('p', 'a', ['name' => 'a', 'ttl' => 30, 'via' => 'proxy']);
	$play->call('a', 'acquire', 0.0);
	$play->foreign(0, 'a', 'SET', 'a', 'foreign');
	$play->cut(0, 'kill');
	$play->call('a', 'release');
}];
