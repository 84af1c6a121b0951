/*
 * rlk_layer: lays maps of options over each other, checks the options of one server, and writes them to the structs.
 */
#include "config/rlk_layer.h"

#include "net/rlk_tls.h"

#include <stddef.h>

void rlk_layer_init(rlk_layer *layer)
{
	/* Settings without their bit in `has` are never read. */
	memset(layer, 0, offsetof(rlk_layer, settings));
	layer->list = RLK_OPTION_NONE;
}

static void copy_settings(rlk_layer *to, const rlk_layer *from, uint64_t options)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if ((options & RLK_OPTION_BIT(option)) != 0)
			to->settings[option] = from->settings[option];
	}
	to->has |= options;
}

void rlk_layer_inherit(rlk_layer *layer, const rlk_layer *other, uint64_t options)
{
	copy_settings(layer, other, options & other->has & ~layer->has);
}

bool rlk_layer_lay_over(rlk_layer *layer, const rlk_layer *upper, rlk_error *err)
{
	int64_t transport = rlk_layer_number(layer, RLK_OPTION_TRANSPORT, RLK_TRANSPORT_UNIX);
	uint64_t options = upper->has;

	/* Another host does not turn TLS off. */
	if (transport != RLK_TRANSPORT_UNIX && rlk_layer_number(upper, RLK_OPTION_TRANSPORT, 0) == RLK_TRANSPORT_OF_HOST)
		options &= ~RLK_BIT(TRANSPORT);
	copy_settings(layer, upper, options);
	if (upper->listed_count == 0)
		return true;
	if (layer->listed_count > 0 && (layer->list == RLK_OPTION_SERVERS) != (upper->list == RLK_OPTION_SERVERS))
		return RLK_WRONG_VALUE(err, RLK_QUORUM_ALONE);
	layer->list = upper->list;
	layer->listed = upper->listed;
	layer->listed_count = upper->listed_count;
	return true;
}

/* --- one server --- */

/* Options of TLS make a TCP connection one with TLS, unless a scheme was given, in this or an earlier layer. */
static bool decide_tls(rlk_layer *layer, int64_t *transport, rlk_error *err)
{
	if (!rlk_layer_has(layer, RLK_OPTION_TLS_WANTED) || *transport == RLK_TRANSPORT_TLS)
		return true;
	if (*transport == RLK_TRANSPORT_UNIX)
		return RLK_WRONG_VALUE(err, "options of TLS are given for a unix socket, on which there is no TLS");
	if (rlk_layer_has(layer, RLK_OPTION_SCHEME))
		return RLK_WRONG_VALUE(err,
			"options of TLS are given, but the scheme is one of clear text; \"tls\" and \"rediss\" are those with TLS");
	*transport = RLK_TRANSPORT_TLS;
	return true;
}

bool rlk_layer_names_two(const rlk_layer *layer, rlk_option_id rival, rlk_error *err)
{
	return RLK_WRONG_VALUE(err, "options \"%s\" and \"%s\" name two different servers; leave one out",
		layer->settings[rival].key, layer->settings[RLK_OPTION_PATH].key);
}

bool rlk_layer_check_server(rlk_layer *layer, rlk_error *err)
{
	int64_t transport = rlk_layer_number(layer, RLK_OPTION_TRANSPORT, RLK_TRANSPORT_TCP);
	int64_t port = rlk_layer_number(layer, RLK_OPTION_PORT, RLK_DEFAULT_PORT);
	rlk_option port_option;

	transport = transport == RLK_TRANSPORT_OF_HOST ? RLK_TRANSPORT_TCP : transport;
	if (port <= 0 && transport != RLK_TRANSPORT_UNIX) {
		port_option = rlk_option_find("", RLK_STR("port"));
		return rlk_option_wrong_number(&port_option, (double)port, false, err);
	}
	/* A scheme alone changes that of a host in an earlier layer, but a path has none. */
	if (transport != RLK_TRANSPORT_UNIX && rlk_layer_has(layer, RLK_OPTION_PATH) &&
		!rlk_layer_has(layer, RLK_OPTION_HOST))
		return rlk_layer_names_two(layer, RLK_OPTION_SCHEME, err);
	if (!decide_tls(layer, &transport, err))
		return false;
	if (transport == RLK_TRANSPORT_UNIX && !rlk_layer_has(layer, RLK_OPTION_PATH))
		return RLK_WRONG_VALUE(err, "option \"path\" must be given with the scheme unix");
	if (rlk_layer_text(layer, RLK_OPTION_USER).len > 0 && rlk_layer_text(layer, RLK_OPTION_PASSWORD).len == 0)
		return RLK_WRONG_VALUE(err, "option \"%s\" must not be given without a password",
			layer->settings[RLK_OPTION_USER].key);
	if (transport == RLK_TRANSPORT_TLS && rlk_tls_library() == NULL)
		return RLK_WRONG_VALUE(err,
			"TLS is asked for, which this build of redislock does not have; it was made without OpenSSL "
			"(--with-redislock-ssl)");
	rlk_layer_set_number(layer, RLK_OPTION_TRANSPORT, "", transport);
	layer->has &= ~(transport == RLK_TRANSPORT_UNIX ? RLK_BIT(HOST) | RLK_BIT(PORT) : RLK_BIT(PATH));
	return true;
}

/* --- fields --- */

static void store_number(void *field, const rlk_option_row *row, int64_t number)
{
	if (row->size == sizeof(bool))
		*(bool *)field = (number != 0) != ((row->flags & RLK_OPTION_NEGATED) != 0);
	else if (row->size == sizeof(uint16_t))
		*(uint16_t *)field = (uint16_t)number;
	else if (row->size == sizeof(int))
		*(int *)field = (int)number;
	else
		*(int64_t *)field = number;
}

bool rlk_layer_store(const rlk_layer *layer, rlk_option_kept kept, void *to, rlk_error *err)
{
	for (size_t i = 0; i < rlk_option_row_count; i++) {
		const rlk_option_row *row = &rlk_option_rows[i];
		const rlk_setting *setting = &layer->settings[row->option];
		void *field = (char *)to + row->offset;
		bool ok = true;

		if (row->kept != kept || !rlk_layer_has(layer, row->option))
			continue;
		if (row->kind != RLK_KIND_STRING && row->kind != RLK_KIND_HOST && row->kind != RLK_KIND_PATH)
			store_number(field, row, setting->number);
		else if ((row->flags & RLK_OPTION_BINARY) != 0)
			ok = rlk_buf_replace(field, setting->text);
		else
			ok = rlk_str_store(field, setting->text.len > 0 ? setting->text : rlk_str_make(NULL, 0));
		if (!ok)
			return RLK_NO_MEMORY(err);
	}
	return true;
}
