/*
 * rlk_call_own: what rlk_call.c and rlk_call_ready.c share.
 */
#ifndef RLK_CALL_OWN_H
#define RLK_CALL_OWN_H

#include "redis/rlk_call.h"

/* As rlk_conn_ready(), but stays with the server that the topology has turned it to. */
bool rlk_conn_make_ready(rlk_conn *conn, bool repeated, rlk_error *err);

#endif
