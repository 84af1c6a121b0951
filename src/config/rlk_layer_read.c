/*
 * rlk_layer_read: normalises. Each value of an array or a URI is checked against its row, and stored under the option
 * that the row names, whatever its spelling.
 */
#include "config/rlk_layer.h"
#include "config/rlk_uri.h"

#include <stdio.h>

#define WHAT_MAX (RLK_SHOWN_MAX + 32)

typedef enum {
	SCOPE_ALL,   /* everything */
	SCOPE_ENTRY, /* one server of a list */
	SCOPE_CALL   /* options of one lock() call alone */
} read_scope;

typedef struct {
	rlk_layer *layer; /* what was read so far */
	read_scope scope;
	rlk_uri *uri; /* the one being read; NULL: an array is */
	rlk_scratch *scratch;
	rlk_error *err;
} reading;

static reading begin(rlk_layer *layer, read_scope scope, rlk_scratch *scratch, rlk_error *err)
{
	rlk_layer_init(layer);
	return (reading){ layer, scope, NULL, scratch, err };
}

/* --- one option --- */

/* Two spellings of an option must not differ. */
static bool set(reading *r, rlk_option_id option, const rlk_setting *setting)
{
	rlk_setting *before = &r->layer->settings[option];

	if (!rlk_layer_has(r->layer, option)) {
		r->layer->has |= RLK_OPTION_BIT(option);
		*before = *setting;
		return true;
	}
	if (before->number == setting->number && rlk_str_equal(before->text, setting->text))
		return true;
	if (strcmp(before->key, setting->key) != 0)
		return RLK_WRONG_VALUE(r->err, "options \"%s\" and \"%s\" contradict each other", before->key, setting->key);
	return RLK_WRONG_VALUE(r->err, "option \"%s\" is given twice, with different values%s%s", setting->key,
		r->uri != NULL ? ", one of them in " : "", r->uri != NULL ? r->uri->what : "");
}

static bool set_number(reading *r, rlk_option_id option, const char *key, int64_t number)
{
	return set(r, option, &(rlk_setting){ key, number, { NULL, 0 } });
}

static bool check_value(const reading *r, const rlk_option *option, const rlk_value *value, rlk_setting *out)
{
	return rlk_option_check(option, value, r->uri != NULL, r->scratch, out, r->err);
}

/* As in phpredis, a host may also be "tcp://name" or "/run/redis.sock". */
static bool add_host(reading *r, const rlk_option *option, const rlk_value *value)
{
	rlk_setting checked;
	char what[WHAT_MAX];
	int64_t transport;
	rlk_str address;

	if (!check_value(r, option, value, &checked))
		return false;
	if (r->uri != NULL)
		snprintf(what, sizeof(what), "the host of %s", r->uri->what);
	else
		rlk_option_phrase(option->key, what);
	return rlk_host_read(checked.text, what, &transport, &address, r->err) &&
		(transport < 0 || set_number(r, RLK_OPTION_SCHEME, option->key, transport)) &&
		set(r, transport == RLK_TRANSPORT_UNIX ? RLK_OPTION_PATH : RLK_OPTION_HOST,
			&(rlk_setting){ option->key, 0, address });
}

static bool add_auth(reading *r, const rlk_option *auth, const rlk_value *value)
{
	bool is_map = value->type == RLK_VALUE_MAP;
	size_t count = is_map ? value->as.map.count : 1;
	rlk_setting checked;

	if (is_map && count > 0 && (!value->as.map.is_list || count > 2))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be " RLK_AUTH_ALLOWED, auth->key);
	for (size_t i = 0; i < count; i++) {
		const rlk_value *part = is_map ? &value->as.map.entries[i].value : value;

		if (part->type != RLK_VALUE_NULL &&
			(!check_value(r, auth, part, &checked) ||
				!set(r, i + 1 < count ? RLK_OPTION_USER : RLK_OPTION_PASSWORD, &checked)))
			return false;
	}
	return true;
}

/* --- TLS --- */

/* Any option of TLS, even a file of certificates alone, asks for TLS. */
static bool ask_for_tls(reading *r, const char *key)
{
	return rlk_layer_has(r->layer, RLK_OPTION_TLS_WANTED) || set_number(r, RLK_OPTION_TLS_WANTED, key, 1);
}

static bool add_tls_option(reading *r, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("ssl.", key);
	char shown[RLK_SHOWN_MAX];
	rlk_setting checked;

	if (value->type == RLK_VALUE_NULL)
		return true;
	if (option.row == NULL && r->uri != NULL && !r->uri->may_tell_keys)
		return RLK_WRONG_VALUE(r->err, "unknown option of TLS in the query of %s", r->uri->what);
	if (option.row == NULL)
		return RLK_WRONG_VALUE(r->err, "option \"ssl.%s\" is not supported; see docs/operate/tls.md",
			rlk_value_show(key, shown, sizeof(shown)));
	if (!check_value(r, &option, value, &checked))
		return false;
	if (option.row->option != RLK_OPTION_NONE)
		return set(r, option.row->option, &checked) && ask_for_tls(r, option.key);
	return checked.number == 1 || RLK_WRONG_VALUE(r->err, "option \"%s\" must be true, as it always is", option.key);
}

static bool add_tls(reading *r, const rlk_option *option, const rlk_value *value)
{
	rlk_setting checked;

	if (rlk_value_is_off(value))
		return true;
	if (value->type != RLK_VALUE_MAP || strcmp(option->key, "ssl") != 0)
		return check_value(r, option, value, &checked) && ask_for_tls(r, option->key);
	if (value->as.map.is_list)
		return rlk_option_wrong_type(option->key, value, "an array of PHP's SSL context options", r->err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		if (!add_tls_option(r, value->as.map.entries[i].key, &value->as.map.entries[i].value))
			return false;
	}
	return true;
}

/* --- lists of servers --- */

static bool read_entries(reading *r, rlk_option_id list, const rlk_value *entries);

/* An empty list is refused, and so is the empty string that an unset variable leaves: neither means the default server. */
static bool add_list(reading *r, const rlk_option *option, const rlk_value *value)
{
	bool is_map = value->type == RLK_VALUE_MAP, is_cluster = option->row->option == RLK_OPTION_CLUSTER;
	bool is_empty = is_map ? value->as.map.count == 0 : rlk_value_is_text(value, "");
	rlk_option_id list = option->row->option, before = r->layer->list;
	int most = (int)option->row->max;

	if (r->uri != NULL && !is_cluster)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given in a URI", option->key);
	if (is_empty || (is_map && (!value->as.map.is_list || value->as.map.count > (size_t)most)))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be a list of 1 to %d servers%s%s", option->key, most,
			is_cluster ? ", or true or false" : "",
			!is_empty  ? "" :
				is_map ? ", empty array given" :
						 ", empty string given");
	if (list != RLK_OPTION_SERVERS && !is_map && rlk_value_is_off(value))
		return true;
	if (r->scope == SCOPE_ENTRY)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given for one server of a list", option->key);
	if (is_cluster && rlk_value_truth(value) == 1)
		return set_number(r, list, option->key, 1);
	if (!is_map)
		return rlk_option_wrong_type(option->key, value,
			is_cluster ? "a list of servers, or true or false" : "a list of servers", r->err);
	if (before != RLK_OPTION_NONE && (before == RLK_OPTION_SERVERS || list == RLK_OPTION_SERVERS))
		return RLK_WRONG_VALUE(r->err, RLK_QUORUM_ALONE);
	if (before != RLK_OPTION_NONE)
		return RLK_WRONG_VALUE(r->err, "options \"sentinels\" and \"cluster\" contradict each other");
	return set_number(r, list, option->key, 1) && read_entries(r, list, value);
}

/* --- arrays --- */

static bool wrong_key(reading *r, rlk_str key, bool is_map)
{
	char what[WHAT_MAX], shown[RLK_SHOWN_MAX];

	if (r->uri != NULL && !r->uri->may_tell_keys)
		snprintf(what, sizeof(what), "in the query of %s", r->uri->what);
	else
		snprintf(what, sizeof(what), "\"%s\"", rlk_value_show(key, shown, sizeof(shown)));
	return rlk_option_wrong_key(key, what, is_map, r->err);
}

/* One key and its value. */
static bool add(reading *r, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("", key);
	char shown[RLK_SHOWN_MAX];
	rlk_setting checked;

	if (option.row == NULL)
		return wrong_key(r, key, value->type == RLK_VALUE_MAP);
	if (r->scope == SCOPE_CALL && (option.row->flags & RLK_OPTION_PER_CALL) == 0)
		/* `timeout` is often meant as the ttl. */
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given for a single call%s",
			rlk_value_show(key, shown, sizeof(shown)),
			option.row->option == RLK_OPTION_CONNECT_TIMEOUT ? "; the time to live is \"ttl\", in seconds" : "");
	if (value->type == RLK_VALUE_NULL)
		return true;
	switch (option.row->kind) {
		case RLK_KIND_HOST:
			return add_host(r, &option, value);
		case RLK_KIND_AUTH:
			return add_auth(r, &option, value);
		case RLK_KIND_TLS:
			return add_tls(r, &option, value);
		case RLK_KIND_LIST:
			return add_list(r, &option, value);
		case RLK_KIND_URL: /* add_map() does that */
			return r->uri == NULL || RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given in a URI", option.key);
		case RLK_KIND_IGNORED:
			return true;
		default:
			return check_value(r, &option, value, &checked) && set(r, option.row->option, &checked);
	}
}

static bool add_uri(reading *r, rlk_str given, const char *what);

static bool add_map(reading *r, const rlk_value *map)
{
	const rlk_value *url;

	for (size_t i = 0; i < map->as.map.count; i++) {
		if (!add(r, map->as.map.entries[i].key, &map->as.map.entries[i].value))
			return false;
	}
	url = rlk_value_find(map, "url");
	if (url == NULL)
		return true;
	return url->type == RLK_VALUE_STRING ?
		add_uri(r, url->as.s, r->scope == SCOPE_ENTRY ? "the address" : "option \"url\"") :
		rlk_option_wrong_type("url", url, "a string", r->err);
}

/* --- URIs --- */

static bool add_part(reading *r, const char *key, rlk_str text)
{
	const rlk_value value = { RLK_VALUE_STRING, { .s = text } };

	return text.data == NULL || add(r, rlk_str_from_cstr(key), &value);
}

/* ssl[cafile]=... is the only option with brackets. */
static bool add_query_option(reading *r, rlk_str key, rlk_str text)
{
	const rlk_option_row *row = rlk_option_find("", key).row;
	const rlk_value value = { RLK_VALUE_STRING, { .s = text } };
	const rlk_str ssl = RLK_STR("ssl[");

	if (row != NULL && (row->flags & RLK_OPTION_SECRET) != 0)
		r->uri->may_tell_keys = false;
	if (rlk_str_starts_with(key, ssl) && key.data[key.len - 1] == ']')
		return add_tls_option(r, rlk_str_make(key.data + ssl.len, key.len - ssl.len - 1), &value);
	return add(r, key, &value);
}

static bool add_query(reading *r)
{
	rlk_str key, text;

	do {
		if (!rlk_uri_next(r->uri, &key, &text, r->err))
			return false;
	} while (key.data != NULL && add_query_option(r, key, text));
	return key.data == NULL;
}

static bool add_uri(reading *r, rlk_str given, const char *what)
{
	rlk_uri uri;
	bool ok;

	r->uri = &uri;
	ok = rlk_uri_parse(&uri, given, what, r->scope == SCOPE_ENTRY, r->scratch, r->err) &&
		(!uri.has_scheme || set_number(r, RLK_OPTION_SCHEME, "scheme", uri.transport)) &&
		add_part(r, "host", uri.host) && add_part(r, "port", uri.port) && add_part(r, "path", uri.path) &&
		add_part(r, "database", uri.database) && add_part(r, "username", uri.user) &&
		add_part(r, "password", uri.password) && add_query(r);
	r->uri = NULL;
	return ok;
}

/* --- the end of a layer --- */

/* An option that names an address also sets the transport. */
static bool end_layer(reading *r)
{
	bool host = rlk_layer_has(r->layer, RLK_OPTION_HOST), path = rlk_layer_has(r->layer, RLK_OPTION_PATH);
	int64_t transport =
		rlk_layer_number(r->layer, RLK_OPTION_SCHEME, path ? RLK_TRANSPORT_UNIX : RLK_TRANSPORT_OF_HOST);

	if (host && path)
		return rlk_layer_names_two(r->layer, RLK_OPTION_HOST, r->err);
	if (path && transport != RLK_TRANSPORT_UNIX)
		return rlk_layer_names_two(r->layer, RLK_OPTION_SCHEME, r->err);
	if (host || path || rlk_layer_has(r->layer, RLK_OPTION_SCHEME))
		rlk_layer_set_number(r->layer, RLK_OPTION_TRANSPORT, "", transport);
	return true;
}

/* --- entries of lists --- */

/* [host, port, timeout], as in the articles; the last two may be left out. */
static bool add_triple(reading *r, const rlk_value *list)
{
	static const char *const keys[] = { "host", "port", "timeout" };
	rlk_entry entries[3];
	rlk_value map = { RLK_VALUE_MAP, { .map = { entries, list->as.map.count, false } } };

	for (size_t i = 0; i < list->as.map.count; i++)
		entries[i] = (rlk_entry){ rlk_str_from_cstr(keys[i]), list->as.map.entries[i].value };
	return add_map(r, &map);
}

/* The name of a list in messages. */
static const char *list_name(rlk_option_id list)
{
	return list == RLK_OPTION_SERVERS ? "\"servers\"" : list == RLK_OPTION_SENTINELS ? "sentinels" : "Cluster nodes";
}

static bool add_entry(reading *r, const rlk_value *value, rlk_option_id list)
{
	if (value->type == RLK_VALUE_STRING)
		return add_uri(r, value->as.s, "the address");
	if (value->type == RLK_VALUE_NULL || rlk_value_is_map(value))
		return value->type == RLK_VALUE_NULL || add_map(r, value);
	if (value->type == RLK_VALUE_MAP && value->as.map.count <= 3)
		return add_triple(r, value);
	return RLK_WRONG_TYPE(r->err, "each of the %s must be \"host:port\", a URI%s", list_name(list),
		list == RLK_OPTION_SERVERS ? ", [host, port, timeout] or an array of connection options" :
									 " or an array with \"host\"");
}

/* An entry has the options of one server. Other nodes may tell other addresses of a Cluster node, so all options but
 * its address hold for every node. */
static bool refuse_others(reading *r, rlk_option_id list)
{
	uint64_t allowed = list == RLK_OPTION_CLUSTER ? RLK_OPTIONS_OF_ADDRESS : RLK_OPTIONS_OF_SERVER;

	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if ((r->layer->has & ~allowed & RLK_OPTION_BIT(option)) != 0)
			return RLK_WRONG_VALUE(r->err, "option \"%s\" must be given beside the list %s%s, not in it",
				r->layer->settings[option].key, list == RLK_OPTION_SERVERS ? "" : "of ", list_name(list));
	}
	return true;
}

/* An entry that has no part of an address names no server. */
static bool read_entries(reading *r, rlk_option_id list, const rlk_value *entries)
{
	size_t count = entries->as.map.count;

	r->layer->list = list;
	r->layer->listed = rlk_scratch_take(r->scratch, count * sizeof(rlk_layer), r->err);
	if (r->layer->listed == NULL)
		return false;
	for (size_t i = 0; i < count; i++) {
		rlk_layer *entry = &r->layer->listed[i];
		reading inner = begin(entry, SCOPE_ENTRY, r->scratch, r->err);

		if (!add_entry(&inner, &entries->as.map.entries[i].value, list) || !refuse_others(&inner, list) ||
			!end_layer(&inner) || !rlk_layer_check_server(entry, r->err))
			return false;
		if ((entry->has & (RLK_BIT(HOST) | RLK_BIT(PATH))) == 0)
			return RLK_WRONG_VALUE(r->err, "each of the %s " RLK_NO_SERVER, list_name(list));
	}
	r->layer->listed_count = count;
	return true;
}

/* --- layers --- */

bool rlk_layer_read(rlk_layer *layer, const rlk_value *given, bool of_call, rlk_scratch *scratch, rlk_error *err)
{
	reading r = begin(layer, of_call ? SCOPE_CALL : SCOPE_ALL, scratch, err);
	char type[RLK_SHOWN_MAX];

	if (given->type == RLK_VALUE_NULL)
		return true;
	if (given->type == RLK_VALUE_STRING && !of_call)
		return add_uri(&r, given->as.s, "the URI") && end_layer(&r);
	if (rlk_value_is_map(given))
		return add_map(&r, given) && end_layer(&r);
	if (given->type == RLK_VALUE_MAP)
		return RLK_WRONG_TYPE(err,
			"the options must be an array with their names as keys, list given; " RLK_READS_OTHERS);
	return RLK_WRONG_TYPE(err, "the options must be an array with their names as keys, %s given",
		rlk_value_type_name(given, type, sizeof(type)));
}
