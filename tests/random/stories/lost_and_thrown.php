<?php
/* An exception out of a callable whose lock was lost tells so. */
return [1, function (Play $play) {
	$play->make('p', 'a', ['name' => 'a', 'ttl' => 30, 'via' => 'unix', 'interval' => 0.1]);
	$play->enter('a');
	$play->foreign(0, 'a', 'SET', 'a', 'foreign');
	$play->leave('p', 'throw');
}];
