/*
 * rlk_config_layer_uri: what a URI and its query say, put into a layer.
 */
#include "config/rlk_config_layer.h"

#include "config/rlk_config.h"
#include "config/rlk_config_message.h"
#include "config/rlk_config_tls.h"

static bool add_part(const rlk_layer_source *from, const char *key, rlk_str text, rlk_error *err)
{
	rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	return text.data == NULL || rlk_layer_add(from, rlk_str_from_cstr(key), &value, err);
}

/* Symfony's host[name:port]. With a second one it is a list, of sentinels say, and the address of the first is none. */
static bool add_bracketed_host(const rlk_layer_source *from, rlk_str inner, rlk_error *err)
{
	rlk_layer *layer = from->layer;

	if (layer->host_count == RLK_LAYER_HOSTS_MAX ||
		(layer->host_count == 0 && (from->uri->host.data != NULL || from->uri->path.data != NULL)))
		return rlk_config_unsupported("", RLK_STR("host"), "several servers", err);
	layer->hosts[layer->host_count++] = inner;
	if (layer->host_count > 1) {
		layer->said[RLK_OPTION_HOST].key = layer->said[RLK_OPTION_PORT].key = layer->said[RLK_OPTION_PATH].key = NULL;
		return true;
	}
	if (inner.len > 0 && inner.data[0] == '/') {
		if (from->uri->transport == RLK_TRANSPORT_TLS) {
			rlk_error_set(err, RLK_ERR_VALUE, 0, "%s asks for TLS on a unix socket, where there is none",
				from->uri->what);
			return false;
		}
		from->uri->transport = RLK_TRANSPORT_UNIX;
		from->uri->path = inner;
		return add_part(from, "path", inner, err);
	}
	if (!rlk_config_uri_host(from->uri, inner, err))
		return false;
	if (from->uri->host.data == NULL)
		from->uri->host = RLK_STR("");
	return add_part(from, "host", from->uri->host, err) && add_part(from, "port", from->uri->port, err);
}

static bool add_query_option(const rlk_layer_source *from, rlk_str key, rlk_str text, rlk_error *err)
{
	const char *bracket = key.len > 0 ? memchr(key.data, '[', key.len) : NULL;
	rlk_str base = rlk_str_make(key.data, bracket != NULL ? (size_t)(bracket - key.data) : key.len);
	const rlk_option_row *row = rlk_option_find(base);
	rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	if (bracket == NULL) {
		if (row != NULL && (row->flags & RLK_OPTION_SECRET) != 0)
			from->uri->may_tell_keys = false;
		return rlk_layer_add(from, key, &value, err);
	}
	if (rlk_str_equal(base, RLK_STR("host")) && text.len == 0 && key.data[key.len - 1] == ']')
		return add_bracketed_host(from, rlk_str_make(bracket + 1, key.len - base.len - 2), err);
	if (rlk_str_equal(base, RLK_STR("ssl")) && key.data[key.len - 1] == ']')
		return rlk_layer_add_tls_option(from, "ssl.", rlk_str_make(bracket + 1, key.len - base.len - 2), &value, err);
	if (row != NULL && row->kind == RLK_KIND_REFUSED)
		return rlk_config_unsupported("", base, row->missing, err);
	return (row != NULL && row->kind == RLK_KIND_IGNORED) || rlk_layer_unknown(from, key, err);
}

/* "redis://:6379" is what a URI built from unset variables looks like. Whatever host we put there would be a guess. */
static bool check_address(const rlk_layer *layer, const rlk_config_uri *uri, rlk_error *err)
{
	bool host = rlk_layer_has(layer, RLK_OPTION_HOST), path = rlk_layer_has(layer, RLK_OPTION_PATH);

	if (layer->host_count > 1)
		return true;
	if (host && path)
		rlk_error_set(err, RLK_ERR_VALUE, 0, "%s names both a host and a socket", uri->what);
	else if (!host && !path)
		rlk_error_set(err, RLK_ERR_VALUE, 0, "%s must name a host, or the path of a socket", uri->what);
	return host != path;
}

bool rlk_layer_add_uri(rlk_layer *layer, rlk_config_uri *uri, rlk_error *err)
{
	rlk_layer_source from = { layer, RLK_LAYER_ALL, uri };
	rlk_checked scheme = { 0, { NULL, 0 }, "" };
	rlk_str key, text;

	if (!add_part(&from, "host", uri->host, err) || !add_part(&from, "port", uri->port, err) ||
		!add_part(&from, "path", uri->path, err) || !add_part(&from, "database", uri->database, err) ||
		!add_part(&from, "username", uri->user, err) || !add_part(&from, "password", uri->password, err))
		return false;
	for (;;) {
		if (!rlk_config_uri_next(uri, &key, &text, err))
			return false;
		if (key.data == NULL)
			break;
		if (!add_query_option(&from, key, text, err))
			return false;
	}
	if (!check_address(layer, uri, err))
		return false;
	scheme.number = layer->host_count > 1 ? RLK_TRANSPORT_TCP : uri->transport;
	return rlk_layer_say(&from, RLK_OPTION_SCHEME, "scheme", &scheme, err);
}
