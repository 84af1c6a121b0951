/*
 * rlk_dialect: see the header.
 */
#include "redis/rlk_dialect.h"

/* The reply to COMMAND LIST: names. An older server, or one that does not tell this user, sends an error. */
static void commands_probed(void *arg, const rlk_reply *reply)
{
	rlk_conn *conn = arg;

	if (conn->known.dialect != RLK_DIALECT_ASKED)
		return;
	conn->known.dialect = RLK_DIALECT_NONE;
	for (size_t i = 0; reply != NULL && reply->type == RLK_REPLY_ARRAY && i < reply->count; i++) {
		if (rlk_str_equal(reply->items[i].text, RLK_STR("delex")))
			conn->known.dialect = RLK_DIALECT_DELEX;
		else if (rlk_str_equal(reply->items[i].text, RLK_STR("delifeq")))
			conn->known.dialect = RLK_DIALECT_DELIFEQ;
	}
}

void rlk_dialect_probe(rlk_conn *conn)
{
	const rlk_str argv[] = { RLK_STR("COMMAND"), RLK_STR("LIST"), RLK_STR("FILTERBY"), RLK_STR("PATTERN"),
		RLK_STR("del*") };
	const rlk_conn_listener listener = { commands_probed, conn };

	if (conn->expected.entries == 0 && rlk_conn_append(conn, argv, 5, NULL)) {
		conn->known.dialect = RLK_DIALECT_ASKED;
		rlk_conn_leave_unread(conn, listener, false);
	}
}

bool rlk_dialect_append_delete(rlk_conn *conn, rlk_str key, rlk_str token, rlk_error *err)
{
	const rlk_str delex[] = { RLK_STR("DELEX"), key, RLK_STR("IFEQ"), token };
	const rlk_str delifeq[] = { RLK_STR("DELIFEQ"), key, token };

	return conn->known.dialect == RLK_DIALECT_DELEX ? rlk_conn_append(conn, delex, 4, err) :
													  rlk_conn_append(conn, delifeq, 3, err);
}

bool rlk_dialect_finds_no_string(rlk_str error)
{
	return rlk_str_starts_with(error, RLK_STR("WRONGTYPE")) ||
		rlk_str_starts_with(error, RLK_STR("ERR Key should be of string type"));
}
