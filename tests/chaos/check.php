<?php
/* Checks a history again: check.php FILE */
require __DIR__ . '/Room.php';
require __DIR__ . '/Reading.php';
require __DIR__ . '/Check.php';

exit((new Check($argv[1]))->report() ? 0 : 1);
