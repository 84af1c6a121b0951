/*
 * rlk_kind: the tables of what each kind says.
 */
#include "lock/rlk_kind.h"

/* In place of the script of a plain lock. Its first argument is the token, if it has any. */
typedef struct {
	const rlk_script *script;
	const char *operation; /* of set.lua */
} step;

static const step set_steps[] = {
	{ &rlk_script_join, "join" },
	{ &rlk_script_look, "look" },
	{ &rlk_script_extend, "extend" },
	{ &rlk_script_lengthen, "renew" },
	{ &rlk_script_renew, "renew" },
	{ &rlk_script_owned, "owned" },
	{ &rlk_script_release, "release" },
	{ &rlk_script_force_release, "free" },
};

static const struct {
	const char *name;
	const step *steps;
	size_t count;
} kinds[] = {
	[RLK_PLAIN] = { "plain", NULL, 0 },
	[RLK_PERMITS] = { "permits", set_steps, sizeof(set_steps) / sizeof(set_steps[0]) },
	[RLK_SHARED] = { "shared", set_steps, sizeof(set_steps) / sizeof(set_steps[0]) },
};

const char *rlk_kind_name(const rlk_kind *kind)
{
	return kinds[kind->id].name;
}

/* The step that stands for a script, or NULL: the request is said as it is. */
static const step *find_step(const rlk_kind *kind, const rlk_script *script)
{
	for (size_t i = 0; i < kinds[kind->id].count; i++) {
		if (kinds[kind->id].steps[i].script == script)
			return &kinds[kind->id].steps[i];
	}
	return NULL;
}

rlk_request *rlk_kind_translate(const rlk_kind *kind, rlk_request *request, rlk_kind_words *words)
{
	const step *found = find_step(kind, request->script);
	size_t count = 0;

	if (found == NULL)
		return request;
	words->args[count++] = rlk_str_from_cstr(found->operation);
	words->args[count++] = request->arg_count > 0 ? request->args[0] : RLK_STR("");
	words->args[count++] = rlk_resp_int(kind->permits, words->permits);
	words->args[count++] = rlk_resp_int(kind->weight, words->weight);
	for (size_t i = 1; i < request->arg_count; i++)
		words->args[count++] = request->args[i];
	words->request = (rlk_request){ &rlk_script_set, request->keys, words->args, request->key_count, count };
	return &words->request;
}
