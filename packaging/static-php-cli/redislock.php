<?php

declare(strict_types=1);

assert(class_exists('\RedisLock'));
assert(class_exists('\SequenceTask'));
