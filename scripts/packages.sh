#!/usr/bin/env bash
#
# packages.sh: installs each package of packages/ by its own composer.json, below build/packages, with the lowest and with the highest
# versions that it allows, and runs its tests there.
#
#     scripts/packages.sh [--install] [PACKAGE...]
#
# --install: runs no tests. Packages that only tests need are in require-dev. Where a registry lacks packages of Symfony, Symfony as a
# whole is installed, and what no test runs is left out, as in tests/composer.json. With PHP 8.4, as in scripts/long/matrix.sh, also
# the lowest versions of Laravel 13 and Symfony 8.1. Last, an application with Symfony 6.4 gets redislock/lock and redislock/symfony.

set -euo pipefail
. "$(dirname "$0")/lib.sh"

install=false
packages=()
for arg; do
	case "$arg" in
		--install) install=true ;;
		-*) usage_error "unknown argument $arg" ;;
		*) [ -r "$top/packages/$arg/composer.json" ] || usage_error "there is no package $arg"; packages+=("$arg") ;;
	esac
done
[ ${#packages[@]} -gt 0 ] || packages=(lock laravel symfony console async adapters)
need composer php unzip
cd "$top"

# project PACKAGE FOLDER [REQUIREMENT VERSION]...: writes the composer.json of an application that requires the package.
project()
{
	mkdir -p "$2"
	php -n -r '
		[, $package, $folder] = $argv;
		$read = fn (string $file): array => json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR);
		$all = $read("tests/composer.json");
		$own = $read("packages/$package/composer.json");
		$given = array_column(array_chunk(array_slice($argv, 3), 2), 1, 0);
		/* Ours are of this folder, whatever version they have. */
		$require = array_map(fn (string $version): string => $version === "self.version" ? "*@dev" : $version,
			$given + ["redislock/$package" => "*@dev", "redislock/lock" => "*@dev"] + ($own["require-dev"] ?? []));
		$require += preg_grep("~^redislock/~", array_keys($own["require"])) === [] ? [] : ["redislock/lock" => "*@dev"];
		$all["replace"] += ["symfony/polyfill-php86" => "*", "symfony/polyfill-deepclone" => "*", /* of Symfony 8.1 */
			"friendsofphp/proxy-manager-lts" => "1.0.3"]; /* of Symfony 6.4 */
		$all["repositories"] = [["type" => "path", "url" => "../../../packages/*"]];
		$all["autoload"]["files"] = array_map(fn (string $file): string => "../../../tests/inc/$file.inc",
			isset($require["laravel/framework"]) || $package === "laravel" ? ["deepclone", "standins/laravel"] : ["deepclone"]);
		file_put_contents("$folder/composer.json", json_encode(["require" => $require] + $all, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES));
	' "$@"
}

# fetch FOLDER [composer's arguments]...
fetch()
{
	COLUMNS=500 COMPOSER_ALLOW_SUPERUSER=1 timeout 300 composer update --working-dir="$1" --no-interaction --no-progress \
		--no-scripts --no-plugins "${@:2}" >"$1/log" 2>&1 </dev/null || { sed 's/^/    /' "$1/log" >&2; die "composer cannot install what $1 requires"; }
}

# tests PACKAGE WAY. Symfony 6.4 has neither DeduplicateStamp nor a factory for commands, which four tests are about.
tests()
{
	case "$1" in
		lock) ls tests/70_frameworks/lock_factory*.phpt ;;
		laravel) ls tests/70_frameworks/{laravel_*,console_laravel}.phpt ;;
		symfony) ls tests/70_frameworks/{symfony_*,console_symfony}.phpt | { [ "$2" != 6.4 ] && cat || grep -vE '_(bundle|container|messenger|processes)\.'; } ;;
		console) ls tests/70_frameworks/console_*.phpt | grep -vE '_(laravel|symfony|phar)\.' ;;
		async) ls tests/70_frameworks/async*.phpt ;;
	esac
}

failed=()
for package in "${packages[@]}"; do
	COMPOSER_ALLOW_SUPERUSER=1 composer validate --strict --quiet --no-interaction --no-plugins --working-dir="packages/$package" ||
		die "packages/$package/composer.json is not valid: composer validate --strict"
	for way in lowest highest later 6.4; do
		given=()
		if [ $way = 6.4 ]; then
			[ "$package" = symfony ] || continue
			given=(symfony/symfony ^6.4)
		elif [ $way = later ]; then
			php -n -r 'exit(PHP_VERSION_ID >= 80400 ? 0 : 1);' || continue
			case "$package" in
				laravel) given=(laravel/framework ^13.0) ;;
				symfony) given=(symfony/symfony ^8.1 symfony/service-contracts ^3.8) ;;
				console) given=(symfony/console ^8.0) ;;
				*) continue ;;
			esac
		fi
		folder=$top/build/packages/$package-$way
		rm -rf "$folder"
		project "$package" "$folder" "${given[@]}"
		fetch "$folder" --prefer-stable $([ $way = highest ] || [ $way = 6.4 ] || echo --prefer-lowest)
		echo "-- redislock/$package, $way: $(COMPOSER_ALLOW_SUPERUSER=1 composer show --working-dir="$folder" --no-plugins 2>/dev/null |
			awk '/^(laravel\/framework|symfony\/(symfony|lock|console)|predis|revolt|amphp\/sync|react\/promise)/ { printf "%s%s %s", n++ ? ", " : "", $1, $2 }')"
		$install || [ -z "$(tests "$package" $way)" ] || REDISLOCK_TEST_VENDOR=$folder scripts/phpt.sh $(tests "$package" $way) || failed+=("$package, $way")
	done
done

[ ${#failed[@]} -eq 0 ] || die "failed: $(printf '%s; ' "${failed[@]}")"
