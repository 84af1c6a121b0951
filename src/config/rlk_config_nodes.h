/*
 * rlk_config_nodes: the sentinels, or the first nodes of a Cluster.
 *
 * They come as a list under a name (`sentinels`, `cluster`), as a list without
 * one (Predis), as several hosts of a URI (Symfony), or as the one host of the
 * configuration; what they are may be said somewhere else, and later. So they
 * are taken down as they come, and only the finished whole decides.
 * Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_NODES_H
#define RLK_CONFIG_NODES_H

#include "config/rlk_config.h"
#include "config/rlk_config_layer.h"

/* Takes down a list of servers in place of the one before. `key` is a constant, "" for a list without a name. */
bool rlk_config_set_nodes(rlk_config *config, const char *key, const rlk_value *list, rlk_error *err);

/* The options `sentinels` and `cluster` of an array. */
bool rlk_config_list_nodes(rlk_config *config, const rlk_value *map, rlk_error *err);

/* What a layer says besides: service, credentials, the hosts of a URI. */
bool rlk_config_commit_nodes(rlk_config *config, const rlk_layer *layer, rlk_error *err);

/* Decides how servers are found, and completes the nodes. May be called again after further layers. */
bool rlk_config_finish_nodes(rlk_config *config, rlk_error *err);

void rlk_config_destroy_nodes(rlk_config *config);

/* *to is a bitwise copy of *from, whose nodes it gets its own copy of. false: memory is out, to->nodes are destroyable. */
bool rlk_config_copy_nodes(rlk_config *to, const rlk_config *from);

#endif
