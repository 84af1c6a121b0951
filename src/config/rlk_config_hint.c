/*
 * rlk_config_hint: what other lock libraries, and people who guess, call our options.
 *
 * Only keys we do not know get here, so an entry never takes an option from anybody.
 */
#include "config/rlk_config_table.h"

/* Lower case, without "_" and "-": "lock_name", "lockName" and "lock-name" are one. */
static const struct {
	const char *hint;
	const char *keys[16];
} hints[] = {
	{ "the time to live is \"ttl\", in seconds",
		{ "expire", "expires", "expiry", "expiration", "expiresin", "expiretime", "lifetime", "lease", "leasetime",
			"duration", "locktimeout", "lockttl", "maxttl", "px", "ex" } },
	{ "the time to live is \"ttl\", in seconds, fractions allowed",
		{ "ttlms", "milliseconds", "expirems", "leasems" } },
	{ "the name of the lock is \"name\"",
		{ "key", "resource", "lockname", "lockkey", "lock", "id", "mutex", "job", "task", "taskname" } },
	{ "how long to wait is \"wait\", in seconds; INF waits without limit",
		{ "block", "blocking", "blocked", "blocktimeout", "blockingtimeout", "waittimeout", "maxwait", "acquiretimeout",
			"waitfor", "spin", "tries", "attempts", "retrycount", "maxattempts", "maxtries" } },
	{ "the pause between two tries is \"retry\", in ms",
		{ "retrydelay", "retryms", "retrysleep", "sleep", "poll", "pollinterval", "retryafter", "retrywait" } },
	{ "a lock that ends with its process is \"renew\" => true",
		{ "autorelease", "autorenew", "autorefresh", "autoextend", "keepalive", "refresh", "watchdog", "renewal",
			"bound", "processbound" } },
	{ "the time between two renewals is \"interval\", in seconds",
		{ "refreshinterval", "renewinterval", "renewalinterval", "heartbeat", "heartbeatinterval", "refreshtime" } },
	{ "the owner's own token is \"token\"", { "owner", "lockid", "lockvalue", "lockowner", "value", "uniqueid" } },
	{ "the server is \"host\" and \"port\", or one \"url\"",
		{ "address", "addr", "uri", "dsn", "server", "endpoint", "connection", "redis", "hostport" } },
	{ "independent servers are \"servers\", seeds of a Cluster \"cluster\"",
		{ "nodes", "hosts", "masters", "instances", "seeds" } },
	{ "the name by which sentinels know the master is \"service\"",
		{ "master", "mastername", "servicename", "sentinelservicename", "masterset" } },
	{ "TLS is \"scheme\" => \"tls\"", { "tls", "usetls", "usessl", "encrypted", "encryption", "secure" } },
	{ "the key is \"prefix\" and \"name\"", { "namespace", "keyprefix", "lockprefix" } },
	{ "what holder() shows is \"label\"", { "description", "comment", "title", "tag", "holder" } },
	{ "the number that grows with each acquisition is \"fence\" => true", { "fencing", "fencingtoken", "fencetoken" } },
	{ "the least time a lock is kept is \"hold_at_least\", in seconds",
		{ "minhold", "mintime", "cooldown", "lockatleastfor" } },
	{ "the longest time a lock is renewed is \"max_hold\", in seconds", { "maxtime", "maxruntime", "lockatmostfor" } },
};

#define FOLDED_MAX 24

static rlk_str fold(rlk_str key, char out[FOLDED_MAX])
{
	size_t len = 0;

	for (size_t i = 0; i < key.len; i++) {
		if (key.data[i] == '_' || key.data[i] == '-')
			continue;
		if (len == FOLDED_MAX)
			return rlk_str_make(NULL, 0);
		out[len++] = rlk_config_lower(key.data[i]);
	}
	return rlk_str_make(out, len);
}

const char *rlk_option_hint(rlk_str key)
{
	char buf[FOLDED_MAX];
	rlk_str folded = fold(key, buf);

	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		for (size_t k = 0; k < 16 && hints[i].keys[k] != NULL; k++) {
			if (rlk_str_equal(folded, rlk_str_from_cstr(hints[i].keys[k])))
				return hints[i].hint;
		}
	}
	return NULL;
}
