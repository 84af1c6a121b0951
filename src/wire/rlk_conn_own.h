/*
 * rlk_conn_own: the inside of a connection, for the files that are named like it.
 */
#ifndef RLK_CONN_OWN_H
#define RLK_CONN_OWN_H

#include "wire/rlk_conn.h"

/* Notes what broke, and closes. `sys_errno`: 0 when the server has closed it. */
void rlk_conn_broke(rlk_conn *conn, int sys_errno, rlk_error *err);

/* Notes that the server did not answer in time. */
void rlk_conn_timed_out(rlk_error *err);

/* When nothing is awaited, all has arrived that was said with them. */
void rlk_conn_forget_tokens(rlk_conn *conn);

/* Gives the oldest unread reply to whoever listens for it; NULL: it will not come. */
void rlk_conn_hand_over(rlk_conn *conn, const rlk_reply *reply);

/* Reads the unread replies, waiting until the deadline for them. They may still be unread then. */
void rlk_conn_drain(rlk_conn *conn, int64_t deadline_at_ms);

/* As rlk_conn_ready(), but stays with the server that the route has turned it to. */
bool rlk_conn_make_ready(rlk_conn *conn, bool repeated, rlk_error *err);

#endif
