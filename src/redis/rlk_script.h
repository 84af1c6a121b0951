/*
 * rlk_script: a Lua script as the wire needs it. The scripts themselves live in lua/ and lock/rlk_scripts.h.
 */
#ifndef RLK_SCRIPT_H
#define RLK_SCRIPT_H

#include "base/rlk_str.h"

typedef struct {
	const char *name; /* file name in lua/ without its ending, for phpinfo() and messages */
	rlk_str text;     /* constant: the server caches scripts by digest, for ever in old versions */
	rlk_str sha1;     /* 40 lower-case hex digits, as the server computes them */
} rlk_script;

#endif
