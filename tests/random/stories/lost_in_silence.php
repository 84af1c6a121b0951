<?php
/* Whoever wants no exception gets none: isHeld() tells of the loss. */
return [1, function (Play $play) {
	$play->make('p', 'c', ['prefix' => '', 'name' => 'P:a', 'ttl' => 1.5, 'via' => 'unix', 'renew' => true, 'on_lost' => 'flag', 'interval' => 0.1, 'reentrant' => true, 'fence' => true]);
	$play->enter('c');
	$play->foreign(0, 'P:a', 'DEL', 'P:a');
}];
