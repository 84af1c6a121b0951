#!/usr/bin/env node
/*
 * Runs config.w32 as the build of PHP for Windows would, with its helpers stubbed, and judges what they are asked for:
 * which sources, from where, with which flags, and what happens where something is missing.
 *
 *     find . -name '*.c' ... | scripts/ci/check-w32.js config.w32
 *
 * The sources it has to name come on stdin, one per line.
 */
'use strict';

const fs = require('fs');
const path = require('path');
const vm = require('vm');

const text = fs.readFileSync(process.argv[2], 'utf8');
const wanted = fs.readFileSync(0, 'utf8').split('\n').filter(Boolean);
const folder = 'X:\\ext\\redislock';
let failed = false;

function check(ok, what) {
	if (!ok) {
		console.error(`config.w32: ${what}`);
		failed = true;
	}
}

/* cscript.exe speaks the JavaScript of 1999. */
const modern = ['every', 'filter', 'find', 'findIndex', 'flat', 'flatMap', 'forEach', 'includes', 'indexOf', 'lastIndexOf',
	'map', 'reduce', 'reduceRight', 'some'];
const old = `
	for (const name of ${JSON.stringify(modern)}) delete Array.prototype[name];
	for (const name of ['trim', 'startsWith', 'endsWith', 'includes', 'repeat', 'padEnd', 'padStart']) delete String.prototype[name];
	delete Object.keys; delete Object.assign; delete globalThis.JSON; delete globalThis.Map; delete globalThis.Set;`;
check(!/\b(let|const|class|async|await|yield)\b|=>|`|\.\.\.|,\s*[\]}]/.test(text.replace(/\/\/.*/g, '').replace(/"[^"\n]*"/g, '""')),
	'syntax that JScript does not know, or a comma before a closing bracket');

/* What a run asks for. `lacks`: names of libraries and headers that are not there. `tools`: of another compiler. */
function run(enabled, lacks = [], tools = {}) {
	const asked = {extensions: [], sources: [], warnings: [], flags: [], defines: {}, libraries: []};
	const there = (names) => names.split(';').some((name) => !lacks.includes(name));
	const add = (from, files) => files.split(/\s+/).filter(Boolean).forEach((file) => {
		asked.sources.push(path.win32.relative(folder, path.win32.resolve(folder, from, file)).replace(/\\/g, '/'));
	});
	const context = vm.createContext({
		PHP_REDISLOCK: enabled, PHP_REDISLOCK_SHARED: true, PHP_PHP_BUILD: 'X:\\deps', PHP_DEBUG: 'no', PHP_ZTS: 'yes',
		PHP_SECURITY_FLAGS: 'yes', X64: true, TARGET_ARCH: 'x64', VCVERS: 1940, VS_TOOLSET: true, CLANG_TOOLSET: false,
		configure_module_dirname: folder,
		ARG_ENABLE() {}, ARG_WITH() {},
		CHECK_LIB(names, target) {
			asked.libraries.push(names);
			check(target === 'redislock', `CHECK_LIB("${names}") for ${target}`);
			return there(names);
		},
		CHECK_HEADER_ADD_INCLUDE(name, flags, paths) {
			check(flags === 'CFLAGS_REDISLOCK', `${name} is looked for on behalf of ${flags}`);
			/* Unlike CHECK_LIB() it does not look below a folder by itself. */
			check(`${paths};`.includes(`${enabled}\\include;`), `${name} is not looked for below the folder given`);
			return there(name);
		},
		CHECK_HEADER: (name) => there(name),
		CHECK_FUNC_IN_HEADER: (header, name) => there(name),
		SETUP_OPENSSL: () => 2,
		AC_DEFINE(name, value) { asked.defines[name] = value; },
		ADD_FLAG(name, flags) { asked.flags.push(flags); },
		ADD_EXTENSION_DEP() {},
		PHP_INSTALL_HEADERS() {},
		EXTENSION(name, files, shared, flags) {
			asked.extensions.push(name);
			asked.flags.push(flags || '');
			add(folder, files);
		},
		ADD_SOURCES(from, files, target) {
			check(target === 'redislock', `ADD_SOURCES() for ${target}`);
			add(from, files);
		},
		WARNING(message) { asked.warnings.push(message); },
		ERROR(message) { throw new Error(message); },
		MESSAGE() {}, STDOUT: {WriteLine() {}},
		...tools,
	});
	vm.runInContext(old, context);
	try {
		vm.runInContext(text, context, {filename: 'config.w32'});
	} catch (e) {
		check(false, `${enabled}${lacks.length > 0 ? `, without ${lacks}` : ''}: ${e.message}`);
	}
	return asked;
}

let asked = run('yes');
check(asked.extensions.join() === 'redislock', `makes the extensions "${asked.extensions}"`);
check(asked.warnings.length === 0, `warns although nothing is missing: ${asked.warnings}`);
wanted.filter((file) => !asked.sources.includes(file)).forEach((file) => check(false, `does not build ${file}`));
asked.sources.filter((file) => !wanted.includes(file)).forEach((file) => check(false, `builds ${file}, which is not there`));
check(new Set(asked.sources).size === asked.sources.length, 'builds a file twice');
/* All objects go to one folder, on a file system that does not tell case. */
const names = asked.sources.map((file) => path.posix.basename(file).toLowerCase());
names.filter((name, i) => names.indexOf(name) !== i).forEach((name) => check(false, `two sources are called ${name}`));
check(asked.flags.join(' ').includes(`/I"${folder}/src"`), 'the folder src is not in the include path');
check(asked.flags.join(' ').includes('ZEND_ENABLE_STATIC_TSRMLS_CACHE=1'), 'the cache for thread-safe PHP is not defined');
check(asked.flags.join(' ').includes('/std:c11 /experimental:c11atomics'), '<stdatomic.h> needs its flag');
check(asked.libraries.some((names) => names.includes('ws2_32')), 'sockets are not linked');

asked = run('yes', [], {VCVERS: 1934});
check(asked.extensions.length === 0 && asked.warnings.length === 1, 'Visual Studio before 2022 17.5 has no <stdatomic.h>');
asked = run('yes', [], {VCVERS: 1929, CLANG_TOOLSET: true, VS_TOOLSET: false});
check(asked.extensions.length === 1 && !asked.flags.join(' ').includes('/experimental'), 'clang needs no flag for <stdatomic.h>');

asked = run('no');
check(asked.extensions.length === 0 && asked.libraries.length === 0, 'does something although it is not enabled');

/* Whatever is not there: a warning instead of an extension that does not link. */
for (const lacks of [['hiredis.lib', 'libhiredis.lib'], ['hiredis/hiredis.h'], ['ws2_32.lib'], ['bcrypt.lib']]) {
	asked = run('yes', lacks);
	check(asked.extensions.length === 0 && asked.warnings.length === 1, `without ${lacks}: no warning, or an extension`);
}

process.exit(failed ? 1 : 0);
