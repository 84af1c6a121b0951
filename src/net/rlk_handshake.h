/*
 * rlk_handshake: what a connection says first: AUTH, SELECT and CLIENT SETNAME, as the server demands, in one write.
 */
#ifndef RLK_HANDSHAKE_H
#define RLK_HANDSHAKE_H

#include "base/rlk_buf.h"
#include "base/rlk_error.h"
#include "net/rlk_server.h"
#include "net/rlk_reply.h"

/* How many answers the requests get, the one to AUTH first. */
static inline unsigned rlk_handshake_replies(const rlk_server *server)
{
	return (server->password != NULL) + (server->database > 0) + (server->client_name != NULL);
}

/* Appends the requests. The buffer then holds the
 * password: rlk_buf_wipe() it. false: memory is out, the buffer may hold a part. */
bool rlk_handshake_append(const rlk_server *server, rlk_buf *out);

/* What the error reply to one of them means. `first`: it is to the first. */
void rlk_handshake_refused(const rlk_server *server, bool first, const rlk_reply *reply, rlk_error *err);

#endif
