/*
 * rlk_option_hint: what a key that we do not know was most likely meant to be, and what it is called here if it comes from
 * another library.
 */
#include "config/rlk_option.h"

#include <limits.h>

/* --- a mistyped key --- */

#define NEAREST_KEY_MAX 32

static unsigned min3(unsigned a, unsigned b, unsigned c)
{
	unsigned least = a < b ? a : b;

	return least < c ? least : c;
}

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b, letter case aside. Both are
 * at most NEAREST_KEY_MAX long. */
static unsigned edit_distance(rlk_str a, rlk_str b)
{
	unsigned d[NEAREST_KEY_MAX + 1][NEAREST_KEY_MAX + 1];

	for (size_t i = 0; i <= a.len; i++) {
		for (size_t j = 0; j <= b.len; j++) {
			bool same = i > 0 && j > 0 && rlk_lower(a.data[i - 1]) == rlk_lower(b.data[j - 1]);

			if (i == 0 || j == 0) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			d[i][j] = min3(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + !same);
			if (i > 1 && j > 1 && rlk_lower(a.data[i - 1]) == rlk_lower(b.data[j - 2]) &&
				rlk_lower(a.data[i - 2]) == rlk_lower(b.data[j - 1]) && d[i - 2][j - 2] + 1 < d[i][j])
				d[i][j] = d[i - 2][j - 2] + 1;
		}
	}
	return d[a.len][b.len];
}

/* NULL when none is near. */
static const char *find_nearest(rlk_str key)
{
	/* A third of the letters may be wrong: a suggestion further off than that puzzles more than it helps. */
	unsigned allowed = key.len < 6 ? 1 : (unsigned)key.len / 3, best = allowed + 1;
	const char *nearest = NULL;

	if (key.len < 2 || key.len > NEAREST_KEY_MAX)
		return NULL;
	for (size_t i = 0; i < rlk_option_row_count; i++) {
		for (const char *const *other = rlk_option_rows[i].keys; *other != NULL; other++) {
			unsigned distance = strchr(*other, '.') == NULL ? edit_distance(key, rlk_str_from_cstr(*other)) : best;

			if (distance < best) {
				best = distance;
				nearest = *other;
			}
		}
	}
	return nearest;
}

/* --- a key from elsewhere --- */

/* What other lock libraries, and people who guess, call our options. Only keys we do not know get here, so an entry never
 * takes an option from anybody. Lower case, without "_" and "-": "lock_name", "lockName" and "lock-name" are one. Each
 * key stands between blanks. */
static const struct {
	const char *hint, *keys;
} hints[] = {
	{ "the time to live is \"ttl\", in seconds",
		" expire expires expiry expiration expiresin expiretime lifetime lease leasetime duration locktimeout lockttl "
		"maxttl px ex " },
	{ "the time to live is \"ttl\", in seconds, fractions allowed", " ttlms milliseconds expirems leasems " },
	{ "the name of the lock is \"name\"", " key resource lockname lockkey lock id mutex job task taskname " },
	{ "how long to wait is \"wait\", in seconds; INF waits without limit",
		" block blocking blocked blocktimeout blockingtimeout waittimeout maxwait acquiretimeout waitfor spin tries "
		"attempts retrycount maxattempts maxtries " },
	{ "the pause between two tries is \"retry\", in ms",
		" retrydelay retryms retrysleep sleep poll pollinterval retryafter retrywait " },
	{ "a lock that ends with its process is \"renew\" => true",
		" autorelease autorenew autorefresh autoextend keepalive refresh watchdog renewal bound processbound " },
	{ "the time between two renewals is \"interval\", in seconds",
		" refreshinterval renewinterval renewalinterval heartbeat heartbeatinterval refreshtime " },
	{ "the owner's own token is \"token\"", " owner lockid lockvalue lockowner value uniqueid " },
	{ "the server is \"host\" and \"port\", or one \"url\"",
		" address addr uri dsn server endpoint connection redis hostport " },
	{ "independent servers are \"servers\", seeds of a Cluster \"cluster\"", " nodes hosts masters instances seeds " },
	{ "the name by which sentinels know the master is \"service\"",
		" master mastername servicename sentinelservicename masterset " },
	{ "TLS is \"scheme\" => \"tls\"", " tls usetls usessl encrypted encryption secure " },
	{ "the key is \"prefix\" and \"name\"", " namespace keyprefix lockprefix " },
	{ "what holder() shows is \"label\"", " description comment title tag holder " },
	{ "the number that grows with each acquisition is \"fence\" => true", " fencing fencingtoken fencetoken " },
	{ "the least time a lock is kept is \"hold_at_least\", in seconds", " minhold mintime cooldown lockatleastfor " },
	{ "the longest time a lock is renewed is \"max_hold\", in seconds", " maxtime maxruntime lockatmostfor " },
};

#define FOLDED_MAX 24

/* Writes the key as the hints have it, a blank on either side. false: it is longer than all of those. */
static bool fold(rlk_str key, char out[FOLDED_MAX + 3])
{
	size_t len = 0;

	out[len++] = ' ';
	for (size_t i = 0; i < key.len; i++) {
		if (key.data[i] == '_' || key.data[i] == '-')
			continue;
		if (len > FOLDED_MAX || key.data[i] == ' ' || key.data[i] == '\0')
			return false;
		out[len++] = rlk_lower(key.data[i]);
	}
	out[len++] = ' ';
	out[len] = '\0';
	return len > 2;
}

static const char *find_hint(rlk_str key)
{
	char folded[FOLDED_MAX + 3];

	if (!fold(key, folded))
		return NULL;
	for (size_t i = 0; i < sizeof(hints) / sizeof(hints[0]); i++) {
		if (strstr(hints[i].keys, folded) != NULL)
			return hints[i].hint;
	}
	return NULL;
}

bool rlk_option_wrong_key(rlk_str key, const char *what, rlk_error *err)
{
	const char *hint = find_hint(key), *meant = hint == NULL ? find_nearest(key) : NULL;

	if (hint != NULL)
		return RLK_WRONG_VALUE(err, "unknown option %s; %s", what, hint);
	if (meant != NULL)
		return RLK_WRONG_VALUE(err, "unknown option %s, did you mean \"%s\"?", what, meant);
	return RLK_WRONG_VALUE(err, "unknown option %s", what);
}
