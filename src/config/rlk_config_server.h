/*
 * rlk_config_server: the part of a layer that concerns the server.
 *
 * Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_SERVER_H
#define RLK_CONFIG_SERVER_H

#include "config/rlk_config.h"
#include "config/rlk_config_layer.h"

/* Replaces an owned, binary-safe string of a configuration by a copy. false: memory is out, nothing has changed. */
bool rlk_config_set(char **field, size_t *len, rlk_str s);

/* Writes what the layer says over the server of the configuration. */
bool rlk_config_commit_server(rlk_config *config, const rlk_layer *layer, rlk_error *err);

/* Makes room for an address of the caller's: all that the host said of its default server goes, since its password
 * is nothing to send to another one. What the caller said before naming the address stays. */
void rlk_config_forget_default_server(rlk_config *config);

/* Checks the server as a whole and drops what its transport does not use. */
bool rlk_config_finish_server(const rlk_config *config, rlk_endpoint *endpoint, rlk_error *err);

#endif
