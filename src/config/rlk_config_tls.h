/*
 * rlk_config_tls: the options of TLS, wherever the clients they come from put them.
 *
 * Predis has them in `ssl`, phpredis in `context.stream` or `context.ssl`,
 * Yii2 in `contextOptions.ssl`, and says `useSSL`. Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_TLS_H
#define RLK_CONFIG_TLS_H

#include "config/rlk_config.h"
#include "config/rlk_config_layer.h"

/* Adds the value of an option of RLK_KIND_TLS. What we cannot do is an error that names the key. */
bool rlk_layer_add_tls(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err);

/* Adds one PHP context option, as in ssl[cafile] of a URI. `where` is what messages put before its name. */
bool rlk_layer_add_tls_option(const rlk_layer_source *from, const char *where, rlk_str key, const rlk_value *value,
	rlk_error *err);

/* Writes what the layer says over the endpoint, and settles whether it is TLS. `scheme_said`: by the caller, in this or
 * an earlier layer. */
bool rlk_config_commit_tls(rlk_endpoint *endpoint, const rlk_layer *layer, bool scheme_said, rlk_error *err);

/* All that can be said of TLS, a bit for each option. */
#define RLK_CONFIG_TLS_SAID (~UINT64_C(0) << RLK_OPTION_TLS_WANTED)

/* Moves what the caller said, a bit for each option, from one endpoint to another. */
void rlk_config_keep_tls(uint64_t said, rlk_tls_options *to, rlk_tls_options *from);

/* Can this build do what the endpoint asks? */
bool rlk_config_finish_tls(const rlk_endpoint *endpoint, rlk_error *err);

#endif
