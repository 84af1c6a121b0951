/*
 * rlk_config_quorum: the option `servers`, the members of a quorum.
 *
 * Each entry says where a server is and how to talk to it; what it leaves open
 * it has from the options beside the list, whenever those are given. So entries
 * are taken down as they come, and completed with the finished whole.
 * Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_QUORUM_H
#define RLK_CONFIG_QUORUM_H

#include "config/rlk_config.h"
#include "config/rlk_config_layer.h"

/* Takes down the list of an array, if it has one, in place of the one before. */
bool rlk_config_list_servers(rlk_config *config, const rlk_value *map, rlk_error *err);

/* Completes and checks the members. May be called again after further layers. */
bool rlk_config_finish_quorum(rlk_config *config, rlk_error *err);

void rlk_config_destroy_quorum(rlk_config *config);

/* *to is a bitwise copy of *from, whose members it gets its own copies of. false: memory is out, to is destroyable. */
bool rlk_config_copy_quorum(rlk_config *to, const rlk_config *from);

#endif
