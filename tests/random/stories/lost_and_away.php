<?php
/* Nobody lets go of a lock that most servers have lost, and the one that has its key was away then. */
return [3, function (Play $play) {
	$play->make('p', 'a', ['prefix' => '', 'name' => 'P:a', 'ttl' => 30, 'via' => 'tcp', 'renew' => true, 'on_lost' => 'flag', 'interval' => 0.1]);
	$play->call('a', 'acquire', 0.0);
	$play->pause(20);
	$play->stop(2);
	$play->foreign(0, 'P:a', 'DEL', 'P:a');
	$play->foreign(1, 'P:a', 'DEL', 'P:a');
	$play->pause(300);
	$play->go(2);
}];
