/*
 * rlk_kind: the scripts of each kind.
 */
#include "lock/rlk_kind.h"

/* The script of a plain lock, and of a lock that several may hold. `counts`: the latter gets permits and weight, behind
 * the token. */
static const struct {
	const rlk_script *plain, *set;
	bool counts;
} pairs[] = {
	{ &rlk_script_join, &rlk_script_set_join, true },
	{ &rlk_script_check, &rlk_script_set_check, true },
	{ &rlk_script_extend, &rlk_script_set_extend, false },
	{ &rlk_script_lengthen, &rlk_script_set_lengthen, false },
	{ &rlk_script_renew, &rlk_script_set_lengthen, false },
	{ &rlk_script_owned, &rlk_script_set_owned, false },
	{ &rlk_script_release, &rlk_script_set_release, true },
};

const char *rlk_kind_name(const rlk_kind *kind)
{
	static const char *const names[] = { [RLK_PLAIN] = "plain", [RLK_PERMITS] = "permits", [RLK_SHARED] = "shared" };

	return names[kind->id];
}

rlk_request *rlk_kind_translate(const rlk_kind *kind, rlk_request *request, rlk_kind_words *words)
{
	size_t i = 0, count = 0;

	while (i < sizeof(pairs) / sizeof(pairs[0]) && pairs[i].plain != request->script)
		i++;
	if (i == sizeof(pairs) / sizeof(pairs[0]))
		return request;
	words->args[count++] = request->arg_count > 0 ? request->args[0] : RLK_STR("");
	if (pairs[i].counts) {
		words->args[count++] = rlk_resp_int(kind->permits, words->permits);
		words->args[count++] = rlk_resp_int(kind->weight, words->weight);
	}
	for (size_t j = 1; j < request->arg_count; j++)
		words->args[count++] = request->args[j];
	words->request = (rlk_request){ pairs[i].set, request->keys, words->args, request->key_count, count };
	return &words->request;
}
