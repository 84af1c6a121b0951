/*
 * config_case: option arrays written down short, and a configuration as one
 * line of text, so that a test is a table of both.
 */
#ifndef CONFIG_CASE_H
#define CONFIG_CASE_H

#include "config/rlk_config.h"

#include "unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Values of every type. */
#define S(text) \
	{ \
		RLK_VALUE_STRING, \
		{ \
			.s = { text, sizeof(text) - 1 } \
		} \
	}
#define I(number) \
	{ \
		RLK_VALUE_INT, \
		{ \
			.i = number \
		} \
	}
#define D(number) \
	{ \
		RLK_VALUE_FLOAT, \
		{ \
			.d = number \
		} \
	}
#define B(truth) \
	{ \
		RLK_VALUE_BOOL, \
		{ \
			.b = truth \
		} \
	}
#define N \
	{ \
		RLK_VALUE_NULL, \
		{ \
			.b = false \
		} \
	}
#define OBJECT(name) \
	{ \
		RLK_VALUE_OTHER, \
		{ \
			.s = { name, sizeof(name) - 1 } \
		} \
	}
#define EMPTY \
	{ \
		RLK_VALUE_MAP, \
		{ \
			.map = { NULL, 0, true } \
		} \
	}

/* M(E("ttl", I(5)), E("wait", D(0.5))) is an array with keys, L(V(S("a")), V(S("b"))) a list. File scope only. */
#define E(key, ...) \
	{ \
		{ key, sizeof(key) - 1 }, __VA_ARGS__ \
	}
#define V(...) \
	{ \
		{ NULL, 0 }, __VA_ARGS__ \
	}
#define ENTRIES(...) (const rlk_entry[]){ __VA_ARGS__ }, sizeof((const rlk_entry[]){ __VA_ARGS__ }) / sizeof(rlk_entry)
#define M(...) \
	{ \
		RLK_VALUE_MAP, \
		{ \
			.map = { ENTRIES(__VA_ARGS__), false } \
		} \
	}
#define L(...) \
	{ \
		RLK_VALUE_MAP, \
		{ \
			.map = { ENTRIES(__VA_ARGS__), true } \
		} \
	}

#define DESCRIPTION_MAX 1024
#define TCP "tcp://127.0.0.1:6379" /* how a description begins when no server is named */

/* Tables of these are run by CHECK_MAPS() and CHECK_MERGED(). */
typedef struct {
	rlk_value given;
	const char *want;
} one_map;

typedef struct {
	rlk_value first, second;
	const char *want;
} two_maps;

/* What a build without TLS says instead of the description of such a connection. */
static inline const char *config_case_here(const char *want)
{
#ifndef HAVE_REDISLOCK_SSL
	if (strncmp(want, "tls://", 6) == 0)
		return "value: TLS is asked for, which this build of redislock does not have; it was made without OpenSSL "
			   "(--with-redislock-ssl)";
#endif
	return want;
}

#define CHECK_EACH(cases, run) \
	do { \
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) { \
			char got[DESCRIPTION_MAX]; \
			CHECK_STR(run, config_case_here(cases[i].want)); \
		} \
	} while (0)
#define CHECK_MAPS(cases) CHECK_EACH(cases, config_case_maps(&cases[i].given, NULL, got))
#define CHECK_MERGED(cases) CHECK_EACH(cases, config_case_maps(&cases[i].first, &cases[i].second, got))

typedef struct {
	char *at, *end;
} config_case_writer;

static inline void config_case_add(config_case_writer *w, const char *fmt, ...) RLK_PRINTF(2, 3);
static inline void config_case_add(config_case_writer *w, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	w->at += vsnprintf(w->at, (size_t)(w->end - w->at), fmt, args);
	va_end(args);
}

static inline void config_case_number(config_case_writer *w, const char *name, int64_t number, int64_t usual)
{
	if (number == RLK_NEVER && number != usual)
		config_case_add(w, " %s=never", name);
	else if (number != usual)
		config_case_add(w, " %s=%lld", name, (long long)number);
}

static inline void config_case_bytes(config_case_writer *w, const char *name, const char *bytes, size_t len)
{
	config_case_add(w, " %s=", name);
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '\0')
			config_case_add(w, "\\0");
		else
			config_case_add(w, "%c", bytes[i]);
	}
}

/* The address, then whatever differs from the defaults, in the order of the structs. Times in ms. */
static inline const char *config_case_describe(const rlk_config *config, char out[DESCRIPTION_MAX])
{
	const rlk_server *e = &config->server;
	config_case_writer w = { out, out + DESCRIPTION_MAX };

	config_case_add(&w, "%s", e->uri);
	if (e->user != NULL)
		config_case_add(&w, " user=%s", e->user);
	if (e->password != NULL)
		config_case_add(&w, " password=%s", e->password);
	if (e->client_name != NULL)
		config_case_add(&w, " client=%s", e->client_name);
	if (e->transport == RLK_TRANSPORT_TLS)
		config_case_add(&w, "%s%s%s", e->tls.no_verify_peer ? " no_verify_peer" : "",
			e->tls.no_verify_name ? " no_verify_name" : "", e->tls.allow_self_signed ? " allow_self_signed" : "");
	if (e->tls.peer_name != NULL)
		config_case_add(&w, " peer_name=%s", e->tls.peer_name);
	if (e->tls.cafile != NULL)
		config_case_add(&w, " cafile=%s", e->tls.cafile);
	if (e->tls.capath != NULL)
		config_case_add(&w, " capath=%s", e->tls.capath);
	if (e->tls.local_cert != NULL)
		config_case_add(&w, " local_cert=%s", e->tls.local_cert);
	if (e->tls.local_pk != NULL)
		config_case_add(&w, " local_pk=%s", e->tls.local_pk);
	if (e->tls.passphrase != NULL)
		config_case_add(&w, " passphrase=%s", e->tls.passphrase);
	config_case_number(&w, "db", e->database, -1);
	config_case_number(&w, "connect", e->connect_timeout_ms, RLK_TIMEOUT_DEFAULT_MS);
	config_case_number(&w, "io", e->io_timeout_ms, RLK_TIMEOUT_DEFAULT_MS);
	config_case_number(&w, "retries", e->retries, 0);
	config_case_number(&w, "delay", e->retry_delay_ms, 100);
	if (config->routing >= RLK_ROUTING_SENTINEL)
		config_case_add(&w, " %s%s%s", config->routing == RLK_ROUTING_CLUSTER ? "cluster" : "sentinels",
			config->service != NULL ? " of " : "", config->service != NULL ? config->service : "");
	for (size_t i = 0; config->routing >= RLK_ROUTING_SENTINEL && i < config->listed.count; i++) {
		const rlk_server *node = &config->listed.servers[i];

		config_case_add(&w, " %s%s%s%s%s", node->uri, node->user != NULL ? " user=" : "",
			node->user != NULL ? node->user : "", node->password != NULL ? " password=" : "",
			node->password != NULL ? node->password : "");
	}
	if (config->name.len > 0)
		config_case_bytes(&w, "name", config->name.data, config->name.len);
	if (config->prefix.len > 0)
		config_case_bytes(&w, "prefix", config->prefix.data, config->prefix.len);
	if (config->token.data != NULL)
		config_case_bytes(&w, "token", config->token.data, config->token.len);
	if (config->label != NULL)
		config_case_add(&w, " label=%s", config->label);
	config_case_number(&w, "ttl", config->ttl_ms, config->renew ? RLK_TTL_DEFAULT_BOUND_MS : RLK_TTL_DEFAULT_LEASE_MS);
	config_case_number(&w, "wait", config->wait_ms, 0);
	config_case_number(&w, "retry", config->retry_ms, RLK_RETRY_DEFAULT_MS);
	config_case_number(&w, "interval", config->interval_ms, config->renew ? 10000 : 0);
	config_case_number(&w, "max_hold", config->max_hold_ms, RLK_NEVER);
	config_case_number(&w, "at_least", config->hold_at_least_ms, 0);
	config_case_number(&w, "linger", config->linger_ms, 0);
	config_case_add(&w, "%s%s%s%s%s", config->waits ? " waits" : "", config->renew ? " renew" : "",
		config->reentrant ? " reentrant" : "", config->fence ? " fence" : "",
		config->on_lost == RLK_ON_LOST_FLAG ? " flag" : "");
	return out;
}

/* Like the above, or "value: ..." and "type: ..." for an error. */
static inline const char *config_case_outcome(bool ok, const rlk_config *config, const rlk_error *err,
	char out[DESCRIPTION_MAX])
{
	if (ok)
		return config_case_describe(config, out);
	snprintf(out, DESCRIPTION_MAX, "%s: %s",
		err->code == RLK_ERR_VALUE    ? "value" :
			err->code == RLK_ERR_TYPE ? "type" :
										"?",
		err->text);
	return out;
}

static inline const char *config_case_make(const rlk_config_defaults *defaults, rlk_value first,
	const rlk_value *second, char out[DESCRIPTION_MAX])
{
	const rlk_value layers[] = { first, second != NULL ? *second : (rlk_value)N };
	rlk_config config;
	rlk_error err;
	size_t at;
	bool ok;

	rlk_error_clear(&err);
	ok = rlk_config_make(&config, defaults, layers, 2, false, &at, &err);
	config_case_outcome(ok, &config, &err, out);
	rlk_config_destroy(&config);
	return out;
}

/* What becomes of one array or of two, the second merged over the first. NULL: none. */
static inline const char *config_case_maps(const rlk_value *first, const rlk_value *second, char out[DESCRIPTION_MAX])
{
	return config_case_make(NULL, *first, second, out);
}

/* The same with a URI. The bytes are copied to a block of their own, so that a sanitizer sees a read past the end. */
static inline const char *config_case_uri(const char *uri, size_t len, const rlk_value *over, char out[DESCRIPTION_MAX])
{
	char *exact = malloc(len + (len == 0));

	memcpy(exact, uri, len);
	config_case_make(NULL, (rlk_value){ RLK_VALUE_STRING, { .s = { exact, len } } }, over, out);
	free(exact);
	return out;
}

#endif
