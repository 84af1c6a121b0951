<?php
/*
 * A console command with LockableTrait and a store of redislock. It runs once at a time on any number of machines. If it is
 * killed, it does not block the next run.
 *
 *     php symfony_command.php report & php symfony_command.php report
 */

use RedisLock\Symfony\ProcessLockStore;
use Symfony\Component\Console\Application;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Command\Command;
use Symfony\Component\Console\Command\LockableTrait;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Output\OutputInterface;
use Symfony\Component\Lock\LockFactory;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

#[AsCommand('report')]
final class ReportCommand extends Command
{
	use LockableTrait;

	public function __construct(LockFactory $lockFactory)
	{
		parent::__construct();
		$this->lockFactory = $lockFactory;
	}

	protected function execute(InputInterface $input, OutputInterface $output): int
	{
		if (!$this->lock()) {
			$output->writeln('another process writes the report');
			return Command::SUCCESS;
		}
		$output->writeln('writing the report');
		usleep((int) ((float) (getenv('SECONDS') ?: 2) * 1e6));
		$this->release();
		return Command::SUCCESS;
	}
}

$store = new ProcessLockStore(getenv('REDIS_URL') ?: 'redis://127.0.0.1:6379');
$application = new Application;
$application->addCommands([new ReportCommand(new LockFactory($store))]);
$application->run();
