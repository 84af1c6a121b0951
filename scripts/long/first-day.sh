#!/usr/bin/env bash
#
# first-day.sh: does what README, INSTALL.md and the page of a framework tell a new user, until a lock is held: in fresh projects with
# plain PHP, cron, Laravel and Symfony. Prints how long each took, and fails if one took more than ten minutes.
#
#     scripts/long/first-day.sh [plain|cron|laravel|symfony]...
#
# Commands, settings and code are read from the pages. The clone is a copy of this tree, "make install" has a folder of its own, and the
# server another port; what the network does not have is left out, and named. Takes some minutes, and needs redis-server and Packagist.

set -euo pipefail
. "$(dirname "$0")/../lib.sh"

ways=("$@")
[ $# -gt 0 ] || ways=(plain cron laravel symfony)
need composer git make phpize redis-server redis-cli unzip
scratch=$(mktemp -d)
clone=$scratch/redislock
server=
trap 'kill $server $(jobs -p) 2>/dev/null || true; wait; rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM

# block PAGE TEXT: prints the block of code of a page that has this text.
block()
{
	awk -v text="$2" '
		function ends() { if (!found && index(block, text)) { printf "%s", block; found = 1 } block = "" }
		/^```/ { ends(); fenced = !fenced; next }
		fenced { block = block $0 "\n"; next }
		/^    / && (block != "" || before == "") { block = block substr($0, 5) "\n"; before = $0; next }
		{ ends(); before = $0 }
		END { ends(); exit !found }' "$clone/$1" || die "$1 has no block with \"$2\""
}

# run LOG COMMAND...: says what the command wrote only if it failed.
run()
{
	local log=$1

	shift
	timeout 900 "$@" >"$log" 2>&1 </dev/null || { tail -n 30 "$log" | cut -c1-300 >&2; die "failed, or took 15 minutes: $*"; }
}

redis()
{
	redis-cli -p "$port" "$@"
}

# lock_is_held: prints "key = token" if the server has a lock of redislock.
lock_is_held()
{
	local key token

	for key in $(redis --scan); do
		token=$(redis get "$key" 2>/dev/null)
		[ "${token#rlk1:}" = "$token" ] || { echo "$key = $token"; return; }
	done
	return 1
}

# twice REFUSED COMMAND...: runs the command, and once more while the first run has its lock. The second run has to say REFUSED.
twice()
{
	local refused=$1 first held= i

	shift
	"$@" >"$scratch/first" 2>&1 </dev/null &
	first=$!
	for ((i = 0; i < 600; i++)); do
		! held=$(lock_is_held) || break
		kill -0 $first 2>/dev/null || break
		sleep 0.02
	done
	[ -n "$held" ] || { cat "$scratch/first" >&2; die "no lock is held: $*"; }
	# A process that is stopped keeps its lock.
	kill -STOP $first
	"$@" >"$scratch/second" 2>&1 </dev/null || true
	kill -CONT $first
	wait $first || { cat "$scratch/first" >&2; die "failed: $*"; }
	grep -q "$refused" "$scratch/second" || { cat "$scratch/second" >&2; die "the second one was not refused: $*"; }
	! lock_is_held || die "the lock is not released"
	echo "   was held: $held"
}

# take_packages PROJECT PACKAGE: installs a package as INSTALL.md says, before the first release.
take_packages()
{
	cd "$1"
	run "$scratch/log" bash -ec "$(block INSTALL.md 'composer config' | sed -n '/^composer/p' |
		sed "s|/path/to/redislock|$clone|; s|redislock/laravel|redislock/$2|")"
}

plain()
{
	mkdir plain && cd plain
	block README.md 'nightly-report' >nightly-report.php
	twice '^nothing to do: ' php nightly-report.php
	grep -qx 'report written' "$scratch/first" || die "README's sample printed something else"
}

cron()
{
	local backup=$PWD/backup line

	mkdir shop
	echo '{}' >shop/composer.json
	printf '#!/bin/sh\nsleep 1\n' >backup
	chmod +x backup
	take_packages "$PWD/shop" console
	line=$(block docs/operate/command-line.md '0 3 * * *' | sed "s|^0 3 \* \* \* ||; s|/srv/shop|$PWD|; s|/usr/bin/backup|$backup|")
	# As cron runs it.
	twice 'held by ' env -i PATH=/usr/bin:/bin PHP_INI_SCAN_DIR="$PHP_INI_SCAN_DIR" /bin/sh -c "$line"
}

laravel()
{
	local page=docs/guide/laravel.md store

	if ! timeout 900 composer create-project laravel/laravel laravel >"$scratch/log" 2>&1 </dev/null; then
		grep -q laravel/pint "$scratch/log" || { tail -n 30 "$scratch/log" >&2; die "there is no laravel/laravel"; }
		echo "   left out: laravel/pint, of which Packagist here has no version for this PHP"
		cd laravel
		run "$scratch/log" composer remove --dev --no-update laravel/pint
		run "$scratch/log" composer install
		run "$scratch/log" php artisan key:generate
		cd ..
	fi
	take_packages "$PWD/laravel" laravel
	store=$(block $page "'driver' => 'redislock'" | sed -n "/^\t*'redislock' =>/{p;q}")
	sed -i "/^    'stores' => \[/a\\$store" config/cache.php
	sed -i "s/^CACHE_STORE=.*/$(grep -om1 'CACHE_STORE=redislock' "$clone/$page")/; s/^REDIS_PORT=.*/REDIS_PORT=$port/" .env
	eval "twice false $(block $page 'artisan tinker')"
}

symfony()
{
	local page=docs/guide/symfony.md

	if ! timeout 900 composer create-project symfony/skeleton symfony >"$scratch/log" 2>&1 </dev/null; then
		grep -q raw.githubusercontent.com "$scratch/log" || { tail -n 30 "$scratch/log" >&2; die "there is no symfony/skeleton"; }
		echo "   left out: Flex, which cannot reach its recipes; this script writes their files"
		rm -rf symfony
		run "$scratch/log" composer create-project --no-plugins symfony/skeleton symfony
		cd symfony
		# symfony/skeleton wants a composer.lock, which a machine may have switched off.
		run "$scratch/log" composer config --no-plugins lock true
		run "$scratch/log" composer config --no-plugins allow-plugins.symfony/flex false
		run "$scratch/log" composer require symfony/{console,dotenv,framework-bundle,runtime,yaml}
		files_of_recipes
		cd ..
	fi
	take_packages "$PWD/symfony" symfony
	(echo '<?php'; block $page 'RedisLockBundle::class') >config/bundles.php
	block $page 'REDISLOCK_DSN' >config/packages/redislock.yaml
	grep -om1 'REDISLOCK_DSN=[^`]*' "$clone/$page" | sed "s/6379/$port/" >>.env
	mkdir -p src/Command
	(echo '<?php'; block $page 'final class ReportCommand') >src/Command/ReportCommand.php
	twice 'is being written already' php bin/console app:report
}

# Writes the files of the recipes of symfony/framework-bundle and symfony/console that a console needs.
files_of_recipes()
{
	mkdir -p bin config/packages src
	cat >src/Kernel.php <<-'PHP'
		<?php
		namespace App;

		class Kernel extends \Symfony\Component\HttpKernel\Kernel
		{
			use \Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
		}
	PHP
	cat >bin/console <<-'PHP'
		<?php
		require dirname(__DIR__) . '/vendor/autoload.php';
		(new Symfony\Component\Dotenv\Dotenv)->bootEnv(dirname(__DIR__) . '/.env');
		(new Symfony\Bundle\FrameworkBundle\Console\Application(new App\Kernel($_SERVER['APP_ENV'], (bool) $_SERVER['APP_DEBUG'])))->run();
	PHP
	cat >config/services.yaml <<-'YAML'
		services:
		    _defaults: { autowire: true, autoconfigure: true }
		    App\: { resource: '../src/' }
	YAML
	printf 'APP_ENV=dev\nAPP_SECRET=secret\n' >.env
	printf 'framework:\n    secret: "%%env(APP_SECRET)%%"\n' >config/packages/framework.yaml
}

# --- the extension, from source ---------------------------------------------------------------------

export COMPOSER_ALLOW_SUPERUSER=1 COMPOSER_NO_INTERACTION=1 NO_COLOR=1
# shellcheck disable=SC2154
cd "$top"
mkdir "$clone" "$scratch/ini" "$scratch/projects"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
	[ ! -e "$file" ] || printf '%s\0' "$file"
done | xargs -0 cp --parents -t "$clone"
cd "$clone"
SECONDS=0
echo "-- the extension, from source"
run "$scratch/log" bash -ec "$(block INSTALL.md phpize | sed "s|sudo make install|make install INSTALL_ROOT=$scratch/root|")"
block INSTALL.md extension=redislock | sed "s|redislock|$(find "$scratch/root" -name redislock.so)|" >"$scratch/ini/redislock.ini"
export PHP_INI_SCAN_DIR=:$scratch/ini
php --ri redislock >/dev/null
build=$SECONDS
echo "   $build s. Not done: the packages of Debian, git clone, sudo"

port=$(php -r 'echo parse_url("tcp://" . stream_socket_get_name(stream_socket_server("tcp://127.0.0.1:0"), false), PHP_URL_PORT);')
redis-server --bind 127.0.0.1 --port "$port" --dir "$scratch" --save '' >"$scratch/server" 2>&1 </dev/null &
server=$!
for ((i = 0; i < 200; i++)); do
	[ "$(redis ping 2>/dev/null)" != PONG ] || break
	sleep 0.05
done
[ "$(redis ping)" = PONG ] || die "redis-server did not start"
echo "redislock.server = redis://127.0.0.1:$port" >>"$scratch/ini/redislock.ini"

# --- a lock in a project ------------------------------------------------------------------------------

for way in "${ways[@]}"; do
	case "$way" in plain | cron | laravel | symfony) ;; *) usage_error "unknown way $way" ;; esac
	echo "-- $way"
	SECONDS=0
	(
		trap 'kill -KILL $(jobs -p) 2>/dev/null || true' EXIT
		cd "$scratch/projects"
		"$way"
	)
	echo "   $SECONDS s; with the extension $((build + SECONDS)) s"
	[ $((build + SECONDS)) -le 600 ] || die "$way took more than ten minutes"
done
