--TEST--
RedisLock may be extended
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
class Job extends RedisLock
{
	private array $log = [];

	public function __construct(Server $server, private string $job)
	{
		parent::__construct($server->options(), ['name' => "subclass:$job"]);
	}

	public function acquire(?float $wait = null): bool
	{
		$this->log[] = 'acquire';
		return parent::acquire($wait);
	}

	public function log(): string
	{
		return "$this->job: " . implode(' ', $this->log);
	}
}
$job = new Job($server, 'a');
var_dump($job->acquire(), $job->isAcquired(), $job->log(), (string) $job, $job->release());
?>
--EXPECT--
bool(true)
bool(true)
string(10) "a: acquire"
string(14) "subclass:a[60]"
bool(true)
