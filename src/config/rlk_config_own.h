/*
 * rlk_config, on the inside: what layers say is written over the configuration (rlk_config_commit.c), and completed with
 * the finished whole (rlk_config_finish.c).
 *
 * A layer says of a server what it says; what it leaves open stays as it was. A
 * bit for each option that the caller has said tells later what a list's entry
 * may have from the options beside the list.
 */
#ifndef RLK_CONFIG_OWN_H
#define RLK_CONFIG_OWN_H

#include "config/rlk_config.h"
#include "config/rlk_layer.h"

#define RLK_SAID(option) RLK_OPTION_BIT(RLK_OPTION_##option)

/* Writes what the layer says over the configuration. */
bool rlk_config_commit(rlk_config *config, const rlk_layer *layer, rlk_error *err);

/* Copies these options, a bit each, from one rlk_config to another, or from one rlk_server to another: `kept` says which.
 * false: memory is out. The label stays. */
bool rlk_config_inherit(void *to, const void *from, rlk_option_kept kept, uint64_t options, rlk_error *err);

/* Checks the server as a whole and drops what its transport does not use. */
bool rlk_config_finish_server(const rlk_config *config, rlk_server *server, rlk_error *err);

/* Makes an empty list with room for so many. false: memory is out, the list can be destroyed. */
bool rlk_config_list_begin(rlk_config_list *list, size_t count);

void rlk_config_list_destroy(rlk_config_list *list);

/* Deep copy into uninitialised memory. false: memory is out, *to can be destroyed. */
bool rlk_config_list_copy(rlk_config_list *to, const rlk_config_list *from);

#endif
