/*
 * rlk_layer: options as one flat map, on the way from what is given to an rlk_config.
 *
 * 1. Normalise (rlk_layer_read.c): an array or a URI becomes a layer, in which two spellings of an option must not
 * differ.
 * 2. Merge (rlk_layer.c): a layer is laid over another one, and wins.
 * 3. Validate (rlk_config.c, rlk_config_servers.c): options are checked against each other.
 *
 * Values are borrowed from where they were given, or from the scratch memory.
 */
#ifndef RLK_LAYER_H
#define RLK_LAYER_H

#include "config/rlk_option.h"

/* A value of RLK_OPTION_TRANSPORT, in a layer that names a host: TLS if an earlier layer says so, else TCP. */
#define RLK_TRANSPORT_OF_HOST (-1)

typedef struct rlk_layer rlk_layer;
struct rlk_layer {
	uint64_t has;       /* a bit for each rlk_option_id */
	rlk_option_id list; /* the option that lists servers; RLK_OPTION_NONE: none does */
	rlk_layer *listed;  /* the options of each listed server; in the scratch memory */
	size_t listed_count;
	rlk_setting settings[RLK_OPTION_COUNT]; /* valid where `has` has the bit */
};

#define RLK_QUORUM_ALONE \
	"option \"servers\" cannot be used with sentinels or a Cluster: it lists masters that are independent"

void rlk_layer_init(rlk_layer *layer);

/* Normalise: makes a layer of an array, of a URI with its query, or of null. A null in an array counts as absent. `of_call`: the options
 * of one lock() call, an array without options of the connection. false: *err is RLK_ERR_VALUE or RLK_ERR_TYPE and names the
 * key, or memory is out. */
bool rlk_layer_read(rlk_layer *layer, const rlk_value *given, bool of_call, rlk_scratch *scratch, rlk_error *err);

/* Merge: lays `upper` over the layer. */
bool rlk_layer_lay_over(rlk_layer *layer, const rlk_layer *upper, rlk_error *err);

/* Copies to the layer those of `options`, a bit each, that `other` has and the layer has not. */
void rlk_layer_inherit(rlk_layer *layer, const rlk_layer *other, uint64_t options);

/* false, and the error of a server named twice: by a path, and by `rival`. */
bool rlk_layer_names_two(const rlk_layer *layer, rlk_option_id rival, rlk_error *err);

/* Checks the options of one server together, decides on its transport, and drops options that this transport does not
 * use. */
bool rlk_layer_check_server(rlk_layer *layer, rlk_error *err);

/* Writes the options to an rlk_config or an rlk_server, as the table says. false: memory is out. */
bool rlk_layer_store(const rlk_layer *layer, rlk_option_kept kept, void *to, rlk_error *err);

static inline bool rlk_layer_has(const rlk_layer *layer, rlk_option_id option)
{
	return (layer->has & RLK_OPTION_BIT(option)) != 0;
}

/* The number of an option, or `otherwise` if it was not given. */
static inline int64_t rlk_layer_number(const rlk_layer *layer, rlk_option_id option, int64_t otherwise)
{
	return rlk_layer_has(layer, option) ? layer->settings[option].number : otherwise;
}

/* The text of an option, or the empty one. */
static inline rlk_str rlk_layer_text(const rlk_layer *layer, rlk_option_id option)
{
	return rlk_layer_has(layer, option) ? layer->settings[option].text : rlk_str_make(NULL, 0);
}

static inline void rlk_layer_set_number(rlk_layer *layer, rlk_option_id option, const char *key, int64_t number)
{
	layer->has |= RLK_OPTION_BIT(option);
	layer->settings[option] = (rlk_setting){ key, number, { NULL, 0 } };
}

static inline void rlk_layer_set_text(rlk_layer *layer, rlk_option_id option, const char *key, rlk_str text)
{
	layer->has |= RLK_OPTION_BIT(option);
	layer->settings[option] = (rlk_setting){ key, 0, text };
}

#endif
