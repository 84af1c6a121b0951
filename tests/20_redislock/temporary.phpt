--TEST--
A process-bound lock of an object that nothing keeps is refused, before anything is locked; all others are not
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
is_readable(ini_get('extension_dir') . '/opcache.so') || die('skip opcache is not installed');
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$opcache = ['opcache.enable_cli=1', 'opcache.jit_buffer_size=16M', 'opcache.jit_hot_func=2', 'opcache.jit_hot_loop=2'];
foreach ([[], [...$opcache, 'opcache.jit=off'], [...$opcache, 'opcache.jit=tracing'], [...$opcache, 'opcache.jit=function']] as $ini) {
	$zend = $ini === [] ? [] : ['zend_extension=' . ini_get('extension_dir') . '/opcache.so'];
	echo (Php::program(__DIR__ . '/temporary.inc', [$s->socket], $ini, $zend))->rest();
}
var_dump($s->client()('DBSIZE'));
?>
--EXPECT--
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
int(0)
