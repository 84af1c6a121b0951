/*
 * The data comes from rlk_scripts_data.h, which scripts/dev/embed-lua.php writes
 * from lua/. A script added there needs a line here and one in the header.
 */
#include "lock/rlk_scripts.h"

#include "lock/rlk_scripts_data.h"

#define RLK_SCRIPT_DEFINE(id, ID) \
	_Static_assert(sizeof(RLK_SCRIPT_##ID##_TEXT) - 1 == RLK_SCRIPT_##ID##_LEN, "text and length disagree"); \
	_Static_assert(sizeof(RLK_SCRIPT_##ID##_SHA1) - 1 == 40, "not a SHA1 in hex"); \
	const rlk_script rlk_script_##id = { #id, { RLK_SCRIPT_##ID##_TEXT, RLK_SCRIPT_##ID##_LEN }, \
		{ RLK_SCRIPT_##ID##_SHA1, 40 } }

RLK_SCRIPT_DEFINE(acquire_fence, ACQUIRE_FENCE);
RLK_SCRIPT_DEFINE(extend, EXTEND);
RLK_SCRIPT_DEFINE(force_release, FORCE_RELEASE);
RLK_SCRIPT_DEFINE(holder, HOLDER);
RLK_SCRIPT_DEFINE(join, JOIN);
RLK_SCRIPT_DEFINE(look, LOOK);
RLK_SCRIPT_DEFINE(owned, OWNED);
RLK_SCRIPT_DEFINE(release, RELEASE);
RLK_SCRIPT_DEFINE(renew, RENEW);
RLK_SCRIPT_DEFINE(secure, SECURE);

const rlk_script *const rlk_scripts_all[RLK_SCRIPTS_COUNT] = {
	&rlk_script_acquire_fence,
	&rlk_script_extend,
	&rlk_script_force_release,
	&rlk_script_holder,
	&rlk_script_join,
	&rlk_script_look,
	&rlk_script_owned,
	&rlk_script_release,
	&rlk_script_renew,
	&rlk_script_secure,
};

/* A script in lua/ that nobody listed here would be embedded and never seen. */
_Static_assert(RLK_SCRIPTS_COUNT == RLK_SCRIPTS_DATA_COUNT, "lua/ and rlk_scripts.c list different scripts");
