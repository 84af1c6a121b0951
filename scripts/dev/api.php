#!/usr/bin/env php
<?php
/*
 * Writes docs/reference/api.md, the reference to read, stubs/redislock.php, the one for IDEs and PHPStan, and the interfaces for
 * code that runs without the extension, packages/lock/polyfill/*.php, from redislock.stub.php. With
 * --check it writes nothing and exits 1 when one of them is not what it would write.
 *
 * The stub is loaded and reflected upon, in a PHP without the extension: run with php -n.
 */

declare(strict_types=1);

$root = dirname(__DIR__, 2);
if (array_diff(array_slice($argv, 1), ['--check']) !== []) {
	fwrite(STDERR, "usage: php -n scripts/dev/api.php [--check]\n");
	exit(2);
}
if (class_exists('RedisLock', false)) {
	fwrite(STDERR, "api.php: this PHP has the extension loaded: run it with php -n\n");
	exit(2);
}

/* --- what the stub says --------------------------------------------------------------------------------------- */

/** The text of the stub with the values of its constants, which C has, and without what only gen_stub.php reads. */
function stub_for_readers(string $root): string
{
	$stub = (string) file_get_contents("$root/redislock.stub.php");
	$values = (string) file_get_contents("$root/src/php/redislock_module.h");
	$stub = preg_replace_callback('~@cvalue (\w+)(.*?)= UNKNOWN;~s', static function (array $m) use ($values): string {
		if (preg_match("~^#define $m[1] (\S+)$~m", $values, $value) !== 1) {
			throw new RuntimeException("src/php/redislock_module.h does not define $m[1]");
		}
		return "@cvalue $m[1]$m[2]= $value[1];";
	}, $stub);
	$stub = preg_replace('~/\*\*(?:\s*\* @generate-[a-z-]+)+\s*\*/\s*~', '', $stub);
	$stub = preg_replace('~^\s*\* @(?:cvalue|strict-properties|not-serializable)\b.*\n~m', '', $stub);

	/* An empty line left at the end of a comment. */
	return preg_replace('~(?:^\s*\*\n)+(?=^\s*\*/)~m', '', $stub);
}

/** A file with one interface alone, which the stub describes. */
function polyfill(string $stub, string $interface): string
{
	if (preg_match("~^\tinterface $interface\b[^\n]*\n\t\{.*?^\t\}\n~ms", $stub, $m) !== 1) {
		throw new RuntimeException("redislock.stub.php has no interface $interface");
	}
	$text = preg_replace(['~^\t+/\*\*(?:(?!\*/).)*?\*/\n~ms', '~^\t~m', '~;\n\n~'], ['', '', ";\n"], $m[0]);

	return "<?php\n/* Made from redislock.stub.php, which describes it, by scripts/dev/api.php: for code that runs without the extension. */\n\n" .
		"namespace RedisLock;\n\n$text";
}

/** A comment as text in front of its tags, and the tags: [name, text]. */
function read_comment(string|false $comment): array
{
	$text = preg_replace('~^\s*(?:/\*\*|\*/|\*) ?~m', '', preg_replace('~\s*\*/$~', '', (string) $comment));
	$parts = preg_split('~^@(?=[a-z])~m', trim($text));
	$tags = [];
	foreach (array_slice($parts, 1) as $tag) {
		[$name, $rest] = preg_split('~\s+~', $tag, 2) + [1 => ''];
		$tags[] = [$name, preg_replace('~\s*\n\s*~', ' ', trim($rest))];
	}

	return [trim($parts[0]), $tags];
}

/* --- Markdown -------------------------------------------------------------------------------------------------- */

function parameter(ReflectionParameter $parameter): string
{
	$text = ($parameter->getAttributes('SensitiveParameter') !== [] ? '#[\SensitiveParameter] ' : '') .
		ltrim((string) $parameter->getType(), '\\') . " \${$parameter->getName()}";
	if (!$parameter->isDefaultValueAvailable()) {
		return $text;
	}
	$default = $parameter->isDefaultValueConstant() ? $parameter->getDefaultValueConstantName() :
		str_replace(['NULL', "array (\n)"], ['null', '[]'], var_export($parameter->getDefaultValue(), true));

	return "$text = $default";
}

function signature(ReflectionMethod|ReflectionFunction $method): string
{
	$line = "function {$method->getShortName()}(";
	if ($method instanceof ReflectionMethod) {
		$abstract = $method->getDeclaringClass()->isInterface() ? ReflectionMethod::IS_ABSTRACT : 0;
		$line = implode(' ', Reflection::getModifierNames($method->getModifiers() & ~$abstract)) . " $line";
	}
	$parameters = array_map(parameter(...), $method->getParameters());
	$end = ')' . ($method->hasReturnType() ? ": {$method->getReturnType()}" : '');
	if (strlen($line . implode(', ', $parameters) . $end) <= 100) {
		return "    $line" . implode(', ', $parameters) . "$end\n";
	}

	return "    $line\n        " . implode(",\n        ", $parameters) . "\n    $end\n";
}

/** "type $name text" as an item of a list. */
function item(string $tag, string $text): string
{
	if ($tag === 'param' && preg_match('~^\S+ (\$\w+)\s*(.*)$~', $text, $m) === 1) {
		return "- `$m[1]`: $m[2]\n";
	}
	/* What stands in braces or angle brackets may have blanks and bars. */
	if (preg_match('~^((?:[^\s{<]|\{[^}]*\}|<[^>]*>)+)\s*(.*)$~s', $text, $m) !== 1) {
		throw new RuntimeException("@$tag begins with no type: $text");
	}
	[, $types, $rest] = $m;
	$types = '`' . implode('` or `', preg_split('~\|(?![^{]*\}|[^<]*>)~', $types)) . '`';

	return match ($tag) {
		'return' => "- Returns $types" . ($rest === '' ? '' : ": $rest") . "\n",
		'throws' => "- Throws $types" . ($rest === '' ? '' : ": $rest") . "\n",
		default => '',
	};
}

/** The samples of examples/methods.php: "Class::method" or "function()" to its lines. @return array<string, string> */
function samples(string $root): array
{
	preg_match_all('~^// ([\w\\\\]+(?:::\w+|\(\)))\n(.*?)(?=^// [\w\\\\]+(?:::\w+|\(\))$|\z)~ms', (string) file_get_contents("$root/examples/methods.php"), $m);

	return array_map(trim(...), array_combine($m[1], $m[2]));
}

function method(ReflectionMethod|ReflectionFunction $method): string
{
	global $samples;
	[$text, $tags] = read_comment($method->getDocComment());
	$class = $method instanceof ReflectionMethod ? $method->getDeclaringClass() : null;
	$name = $class === null ? "{$method->getName()}()" : "{$class->getName()}::{$method->getName()}";
	$markdown = '### ' . rtrim($name, '()') . "()\n\n" . signature($method);
	$markdown .= $text === '' ? '' : "\n$text\n";
	$items = implode('', array_map(static fn (array $tag): string => item(...$tag), $tags));

	$markdown .= $items === '' ? '' : "\n$items";
	if ($class?->isInterface()) {
		return "$markdown\n";
	}
	$sample = $samples[$name] ?? throw new RuntimeException("examples/methods.php has no sample for $name");

	return "$markdown\n```php\n$sample\n```\n\n";
}

function constants(ReflectionClass $class): string
{
	$markdown = '';
	foreach ($class->getReflectionConstants() as $constant) {
		if ($constant->getDeclaringClass()->getName() === $class->getName()) {
			[$text] = read_comment($constant->getDocComment());
			$markdown .= "- `{$class->getName()}::{$constant->getName()}`: $text\n";
		}
	}

	return $markdown === '' ? '' : "$markdown\n";
}

function class_section(ReflectionClass $class): string
{
	$line = ($class->isFinal() ? 'final ' : '') . ($class->isInterface() ? 'interface' : 'class') . " {$class->getName()}";
	$line .= $class->getParentClass() === false ? '' : ' extends ' . $class->getParentClass()->getName();
	$interfaces = $class->getParentClass() === false ? $class->getInterfaceNames() : [];
	$line .= $interfaces === [] ? '' : ' implements ' . implode(', ', $interfaces);
	[$text] = read_comment($class->getDocComment());
	$markdown = "## {$class->getName()}\n\n    $line\n\n" . ($text === '' ? '' : "$text\n\n") . constants($class);
	$methods = array_filter($class->getMethods(ReflectionMethod::IS_PUBLIC), fn ($method) => $method->getDeclaringClass()->getName() === $class->getName());
	if ($class->isInterface()) { /* RedisLock describes them. */
		return $markdown . implode(', ', array_map(fn ($method) => "`{$method->getName()}()`", $methods)) . "\n\n";
	}
	foreach ($methods as $method) {
		$markdown .= method($method);
	}

	return $markdown;
}

/** @param string $words what things are called elsewhere */
function reference(array $classes, array $functions): string
{
	$list = implode('', array_map(static function (string $class): string {
		$anchor = strtolower(str_replace('\\', '', $class));
		return "- [$class](#$anchor)\n";
	}, $classes));
	$list .= "- [Functions](#functions)\n";
	$sections = implode('', array_map(static fn (string $class): string => class_section(new ReflectionClass($class)), $classes));
	$sections .= "## Functions\n\n" . implode('', array_map(method(...), $functions));

	return "# Reference\n\nMade from `redislock.stub.php` by scripts/dev/api.php: change the stub, then run `make api`. Options are in\n" .
		"[Options](../guide/options.md), names of other libraries in [Coming from](../guide/coming-from.md).\n\n" .
		"$list\n" . rtrim($sections) . "\n";
}

/* --- write or compare ------------------------------------------------------------------------------------------ */

$samples = samples($root);
$stub = stub_for_readers($root);
$file = tempnam(sys_get_temp_dir(), 'rlk');
/* Interfaces that extend others have to be there before the classes that implement them. */
file_put_contents($file, preg_replace('~^(<\?php\n+)(namespace \{.*?^\}\n)(.*)$~ms', '$1$3$2', $stub));
$declared = static fn (): array => [...get_declared_classes(), ...get_declared_interfaces()];
$before = $declared();
$functions_before = get_defined_functions()['user'];
require $file;
unlink($file);
$functions = array_values(array_diff(get_defined_functions()['user'], $functions_before));
$classes = array_values(array_diff($declared(), $before));
/* In the order of the stub; PHP has declared them in another. */
$declared_at = static fn (string $class): int => preg_match('~^\t(?:final )?(?:class|interface) ' .
	(new ReflectionClass($class))->getShortName() . '\b~m', $stub, $m, PREG_OFFSET_CAPTURE) === 1 ? $m[0][1] : 0;
usort($classes, static fn (string $a, string $b): int => $declared_at($a) <=> $declared_at($b));

$status = 0;
/* An alias is no class of the stub. */
$alias = "\nnamespace {\n\n\t/** Another name of RedisLock\\RedLock, unless `redislock.redlock_class` is 0 in php.ini. */\n" .
	"\tclass RedLock extends RedisLock\\RedLock\n\t{\n\t}\n}\n";
$made = [
	'docs/reference/api.md' => reference($classes, array_map(static fn (string $name) => new ReflectionFunction($name), $functions)),
	'stubs/redislock.php' => $stub . $alias,
	'packages/lock/polyfill/Lock.php' => polyfill($stub, 'Lock'),
	'packages/lock/polyfill/ManagedLock.php' => polyfill($stub, 'ManagedLock'),
];
foreach ($made as $name => $text) {
	if (is_file("$root/$name") && file_get_contents("$root/$name") === $text) {
		continue;
	}
	if (in_array('--check', $argv, true)) {
		fwrite(STDERR, "$name does not match redislock.stub.php: run make api\n");
		$status = 1;
	} else {
		file_put_contents("$root/$name", $text);
		echo "$name written\n";
	}
}
exit($status);
