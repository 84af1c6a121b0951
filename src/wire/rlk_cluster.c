/*
 * rlk_cluster: the node of a Redis Cluster that has a slot.
 */
#include "wire/rlk_route_own.h"

bool rlk_cluster_open(rlk_route *route, rlk_conn *conn, rlk_error *err)
{
	(void)route;
	return rlk_conn_open(conn, 0, err);
}

bool rlk_cluster_follow(rlk_route *route, rlk_conn *conn, const rlk_reply *reply)
{
	(void)route;
	(void)conn;
	(void)reply;
	return false;
}

void rlk_cluster_aim(rlk_route *route, rlk_conn *conn)
{
	(void)route;
	(void)conn;
}
