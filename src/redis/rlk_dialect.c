/*
 * rlk_dialect: see the header.
 */
#include "redis/rlk_dialect.h"

/* Servers with their users that are known to take scripts. One that is pushed out is just probed again. */
#define KNOWN_MAX 16

static _Thread_local uint64_t known[KNOWN_MAX];
static _Thread_local unsigned known_next;

/* FNV-1a with 64 bits, RFC 9923: its offset basis and its prime. */
#define HASH_START UINT64_C(0xcbf29ce484222325)
#define HASH_PRIME UINT64_C(0x100000001b3)

/* The length counts, too: "ab" and "c" are not "a" and "bc". */
static uint64_t hash_add(uint64_t hash, rlk_str part)
{
	for (size_t i = 0; i < part.len; i++)
		hash = (hash ^ (unsigned char)part.data[i]) * HASH_PRIME;
	return (hash ^ part.len) * HASH_PRIME;
}

/* Server and user. */
static uint64_t identity(const rlk_server *server)
{
	uint64_t hash = HASH_START ^ ((unsigned)server->transport << 16 | server->port);

	hash = hash_add(hash, rlk_str_from_cstr(rlk_server_address(server)));
	return hash_add(hash, rlk_str_from_cstr(server->user));
}

bool rlk_dialect_takes_scripts(const rlk_server *server)
{
	uint64_t wanted = identity(server);

	for (int i = 0; i < KNOWN_MAX; i++) {
		if (known[i] == wanted)
			return true;
	}
	return false;
}

void rlk_dialect_note_scripts(const rlk_server *server)
{
	if (!rlk_dialect_takes_scripts(server))
		known[known_next++ % KNOWN_MAX] = identity(server);
}

bool rlk_dialect_finds_no_string(rlk_str error)
{
	return rlk_str_starts_with(error, RLK_STR("WRONGTYPE")) ||
		rlk_str_starts_with(error, RLK_STR("ERR Key should be of string type"));
}

bool rlk_dialect_append(rlk_conn *conn, rlk_str key, const rlk_str *args, size_t arg_count, rlk_error *err)
{
	rlk_str token = args[0], value = arg_count > 2 ? args[1] : token, ttl = args[arg_count - 1];
	const rlk_str set[] = { RLK_STR("SET"), key, value, RLK_STR("IFEQ"), token, RLK_STR("PX"), ttl };
	const rlk_str delex[] = { RLK_STR("DELEX"), key, RLK_STR("IFEQ"), token };
	const rlk_str delifeq[] = { RLK_STR("DELIFEQ"), key, token };

	if (rlk_dialect_has_commands(conn) && arg_count > 1)
		return rlk_conn_append(conn, set, rlk_str_equal(ttl, RLK_STR("0")) ? 5 : 7, err);
	if (conn->dialect == RLK_DIALECT_DELEX)
		return rlk_conn_append(conn, delex, 4, err);
	if (conn->dialect == RLK_DIALECT_DELIFEQ)
		return rlk_conn_append(conn, delifeq, 3, err);
	rlk_error_set(err, RLK_ERR_AUTH, 0,
		"the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not "
		"be released");
	if (conn->server != NULL)
		rlk_error_set_node(err, conn->server->label);
	return false;
}

bool rlk_dialect_learn(rlk_conn *conn, const rlk_reply *reply)
{
	bool scripts = rlk_reply_refuses_scripts(reply);

	/* More such replies may come, to requests sent before this was known. */
	if (scripts && !conn->refuses_scripts)
		conn->dialect = RLK_DIALECT_DELEX;
	conn->refuses_scripts = conn->refuses_scripts || scripts;
	if (scripts || !conn->refuses_scripts || reply->type != RLK_REPLY_ERROR)
		return scripts;
	if (conn->dialect == RLK_DIALECT_DELEX && rlk_reply_refuses(reply, "delex"))
		conn->dialect = RLK_DIALECT_DELIFEQ;
	else if ((conn->dialect == RLK_DIALECT_DELIFEQ && rlk_reply_refuses(reply, "delifeq")) ||
		rlk_str_starts_with(reply->text, RLK_STR("ERR syntax error"))) /* SET has no IFEQ */
		conn->dialect = RLK_DIALECT_NONE;
	else
		return false;
	return true;
}
