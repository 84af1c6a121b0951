<?php

declare(strict_types=1);

/* The adapters as Composer would load them, and the scenarios that the phpt tests have, too. */
require __DIR__ . '/../inc/adapters.inc';
load_adapters();
require_once __DIR__ . '/../inc/lock_contract.inc';
require_once __DIR__ . '/../../examples/testing/NightlyReport.php';
