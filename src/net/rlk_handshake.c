/*
 * rlk_handshake: see the header.
 */
#include "net/rlk_handshake.h"

#include "net/rlk_resp.h"

bool rlk_handshake_append(const rlk_server *server, rlk_buf *out)
{
	bool ok = true;

	if (server->password != NULL) {
		rlk_str argv[3] = { RLK_STR("AUTH") };
		size_t argc = 1;

		if (server->user != NULL)
			argv[argc++] = rlk_str_from_cstr(server->user);
		argv[argc++] = rlk_str_from_cstr(server->password);
		ok = rlk_resp_append(out, argv, argc);
	}
	if (server->database > 0) {
		char database[RLK_RESP_INT_MAX];
		rlk_str argv[] = { RLK_STR("SELECT"), rlk_resp_int(server->database, database) };

		ok = ok && rlk_resp_append(out, argv, 2);
	}
	if (server->client_name != NULL) {
		rlk_str argv[] = { RLK_STR("CLIENT"), RLK_STR("SETNAME"), rlk_str_from_cstr(server->client_name) };

		ok = ok && rlk_resp_append(out, argv, 3);
	}
	return ok;
}

/* Some servers, and proxies before them, quote what they were sent. These answers to AUTH are known not to; what follows
 * them is left out. "" for any other. */
static const char *known_refusal(const rlk_reply *reply)
{
	static const char *const known[] = { "WRONGPASS invalid username-password pair or user is disabled",
		"WRONGPASS invalid username-password pair", "ERR Client sent AUTH, but no password is set",
		"ERR invalid password", "ERR AUTH <password> called without any password configured for the default user" };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (reply->type == RLK_REPLY_ERROR && rlk_str_starts_with(reply->text, rlk_str_from_cstr(known[i])))
			return known[i];
	}
	return "";
}

void rlk_handshake_refused(const rlk_server *server, bool first, const rlk_reply *reply, rlk_error *err)
{
	const char *said = first && server->password != NULL ? known_refusal(reply) : NULL;

	if (said != NULL)
		rlk_error_set(err, RLK_ERR_AUTH, 0, "the server refused the credentials%s%s", said[0] != '\0' ? ": " : "",
			said);
	rlk_reply_to_error(reply, err);
}
