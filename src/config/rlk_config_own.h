/*
 * rlk_config, on the inside: one server (rlk_config_server.c), lists of them (rlk_config_list.c), the whole
 * (rlk_config_finish.c).
 *
 * A layer says of a server what it says; what it leaves open stays as it was. A
 * bit for each option that the caller has said tells later what a list's entry
 * may have from the options beside the list.
 */
#ifndef RLK_CONFIG_OWN_H
#define RLK_CONFIG_OWN_H

#include "config/rlk_config.h"
#include "config/rlk_layer.h"

/* Replaces a string by what the layer says of the option, if it does; empty becomes NULL, which is "none". */
bool rlk_config_commit_text(char **field, const rlk_layer *layer, rlk_option_id option, rlk_error *err);

/* Writes what the layer says over the server of the configuration. */
bool rlk_config_commit_server(rlk_config *config, const rlk_layer *layer, rlk_error *err);

/* Makes room for an address of the caller's: all that the host said of its default server goes, since its password
 * is nothing to send to another one. What the caller said before naming the address stays. */
bool rlk_config_forget_default_server(rlk_config *config, rlk_error *err);

/* Copies these options of a server, a bit each, to another one. The label stays. */
bool rlk_config_inherit(rlk_server *to, const rlk_server *from, uint64_t options, rlk_error *err);

/* Checks the server as a whole and drops what its transport does not use. */
bool rlk_config_finish_server(const rlk_config *config, rlk_server *server, rlk_error *err);

/* Reads the sentinels, or the first nodes of a Cluster, in place of those before. `key` is a constant, "" for a list
 * without a name. */
bool rlk_config_set_seeds(rlk_config *config, const char *key, const rlk_value *list, rlk_error *err);

/* The options `sentinels` and `cluster` of an array. */
bool rlk_config_list_seeds(rlk_config *config, const rlk_value *map, rlk_error *err);

/* What a layer says besides: service, credentials, the hosts of a URI. */
bool rlk_config_commit_seeds(rlk_config *config, const rlk_layer *layer, rlk_error *err);

/* The option `servers` of an array. */
bool rlk_config_list_quorum(rlk_config *config, const rlk_value *map, rlk_error *err);

/* Makes an empty list with room for so many. false: memory is out, the list can be destroyed. */
bool rlk_config_list_begin(rlk_config_list *list, size_t count);

void rlk_config_list_destroy(rlk_config_list *list);

/* Deep copy into uninitialised memory. false: memory is out, *to can be destroyed. */
bool rlk_config_list_copy(rlk_config_list *to, const rlk_config_list *from);

#endif
