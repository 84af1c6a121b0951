--TEST--
The polyfill: takes and refuses servers as the extension does
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$code = <<<'CODE'
	$plain = [['host' => 'a'], ['host' => 'a', 'scheme' => 'tcp'], ['url' => 'tcp://a:1'], ['url' => 'a:1'], ['url' => 'tcp://a?lazy=1', 'lazy' => 0], ['url' => 'rediss://u:p@a'], ['path' => '/s'], 'a:1', 'tcp://a:1', 'tls://a', 'unix:/s'];
	$more = [['host' => 'b'], ['hostname' => 'b'], ['host' => 'tls://b'], ['host' => '/t'], ['port' => 2], ['path' => '/t'], ['unixSocket' => '/t'], ['username' => 'v', 'password' => 'p'],
		['useSSL' => true], ['useSSL' => false], ['ssl' => true], ['ssl' => false], ['ssl' => ['cafile' => '/c']], ['ssl' => ['SNI_enabled' => false]], ['url' => 'tcp://b'], ['url' => 'unix:/t'],
		['sentinel_password' => 'p'], ['sentinel_username' => 'u'], ['scheme' => 'tls'], ['scheme' => 'tcp']];
	foreach ($plain as $params) {
		foreach ($more as $option) {
			foreach ([[$params, $option], ...(is_array($params) && array_intersect_key($params, $option) === [] ? [[$params + $option, []]] : [])] as $arguments) {
				try {
					preg_match('/\[0\] => (\S+)/', print_r(new RedisLock(...$arguments), true), $server);
					$said = $server[1];
				} catch (ValueError $e) {
					$said = preg_replace(['/^.*?\(\): /', '/"unixSocket"/'], ['', '"path"'], $e->getMessage());
				}
				$all[json_encode($arguments, JSON_UNESCAPED_SLASHES)] = $said;
			}
		}
	}
	echo json_encode($all), "\n";
	CODE;
[$extension, $polyfill] = array_map(fn (bool $polyfill) => json_decode((new Php($code, polyfill: $polyfill))->rest(), true), [false, true]);
/* Which of two mistakes is told may differ, but not whether there is one. */
foreach (array_diff_assoc($extension, $polyfill) as $arguments => $said) {
	if (!str_contains($said, ' ') || !str_contains($polyfill[$arguments], ' ')) {
		echo "$arguments\n\tsays    $polyfill[$arguments]\n\tand not $said\n";
	}
}
foreach (['[{"url":"tcp://a:1","host":"b"},[]]', '[{"host":"a","scheme":"tcp","useSSL":true},[]]', '[{"host":"a","sentinel_password":"p"},[]]', '["a:1",{"ssl":{"cafile":"/c"}}]'] as $arguments) {
	echo $polyfill[$arguments] === $extension[$arguments] ? '' : "not $extension[$arguments], but ", $polyfill[$arguments], "\n";
}
echo count($extension) > 250 ? 'all' : count($extension), "\n";
?>
--EXPECT--
Argument #1 ($params) is not valid: option "host" is given twice, with different values, one of them in option "url"
Argument #1 ($params) is not valid: options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS
Argument #1 ($params) is not valid: option "sentinel_password" must not be given without sentinels
Argument #1 ($params) is not valid: options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS
all
