/*
 * rlk_conn_own: the inside of a connection, for the files that are named like it.
 */
#ifndef RLK_CONN_OWN_H
#define RLK_CONN_OWN_H

#include "net/rlk_conn.h"

/* Notes what broke, and closes. `sys_errno`: 0 when the server has closed it. */
void rlk_conn_broke(rlk_conn *conn, int sys_errno, rlk_error *err);

/* Notes that the server did not answer in time. */
void rlk_conn_timed_out(rlk_error *err);

/* Gives the oldest unread reply to whoever listens for it; NULL: it will not come. */
void rlk_conn_hand_over(rlk_conn *conn, const rlk_reply *reply);

#endif
