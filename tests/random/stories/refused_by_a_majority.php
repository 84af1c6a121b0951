<?php
/* What was set at a server that forgot the scripts is released there, read or not. */
return [3, function (Play $play) {
	$play->make('p', 'a', ['name' => 'a', 'ttl' => 30, 'via' => 'proxy', 'redlock' => true]);
	$play->foreign(0, 'a', 'SET', 'a', 'foreign');
	$play->stop(1);
	$play->call('a', 'acquire', 0.0);
	$play->go(1);
	$play->forgetScripts(2);
	$play->pause(20);
	$play->call('a', 'acquire', 0.0);
}];
