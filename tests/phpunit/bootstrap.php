<?php

declare(strict_types=1);

/* The adapters as Composer would load them, the scenarios, and who plays them. */
require __DIR__ . '/../inc/adapters.inc';
load_adapters();
require_once __DIR__ . '/../inc/lock_contract.inc';
require_once __DIR__ . '/../inc/autoload.inc';
require_once __DIR__ . '/implementations.php';
require_once __DIR__ . '/../../examples/testing/NightlyReport.php';
