/*
 * rlk_intro: see the header.
 */
#include "wire/rlk_intro.h"

#include "wire/rlk_resp.h"

bool rlk_intro_append(const rlk_endpoint *endpoint, rlk_buf *out, unsigned *replies)
{
	bool ok = true;

	*replies = 0;
	if (endpoint->password != NULL) {
		rlk_str argv[3] = { RLK_STR("AUTH") };
		size_t argc = 1;

		if (endpoint->user != NULL)
			argv[argc++] = rlk_str_from_cstr(endpoint->user);
		argv[argc++] = rlk_str_from_cstr(endpoint->password);
		ok = rlk_resp_append(out, argv, argc);
		(*replies)++;
	}
	if (endpoint->database > 0) {
		char database[RLK_RESP_INT_MAX];
		rlk_str argv[] = { RLK_STR("SELECT"), rlk_resp_int(endpoint->database, database) };

		ok = ok && rlk_resp_append(out, argv, 2);
		(*replies)++;
	}
	if (endpoint->client_name != NULL) {
		rlk_str argv[] = { RLK_STR("CLIENT"), RLK_STR("SETNAME"), rlk_str_from_cstr(endpoint->client_name) };

		ok = ok && rlk_resp_append(out, argv, 3);
		(*replies)++;
	}
	return ok;
}

void rlk_intro_refused(const rlk_endpoint *endpoint, bool first, const rlk_reply *reply, rlk_error *err)
{
	/* The text of a failed AUTH is left out: some servers quote what they were sent. */
	if (first && endpoint->password != NULL)
		rlk_error_set(err, RLK_ERR_AUTH, 0, "the server refused the credentials");
	rlk_reply_to_error(reply, err);
}
