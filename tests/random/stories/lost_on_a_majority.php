<?php
/* A lost lock is released where it is still held. */
return [3, function (Play $play) {
	$play->make('p', 'a', ['name' => 'a', 'ttl' => 30, 'via' => 'tcp', 'renew' => true, 'interval' => 0.1, 'on_lost' => 'flag']);
	$play->call('a', 'acquire', 0.0);
	$play->foreign(1, 'a', 'DEL', 'a');
	$play->foreign(2, 'a', 'DEL', 'a');
	$play->call('a', 'isAcquired');
	$play->call('a', 'release');
}];
