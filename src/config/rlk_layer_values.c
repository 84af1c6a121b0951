/*
 * rlk_layer_values: options that are more than one value, in the spellings of Predis, phpredis, Laravel and Yii2.
 */
#include "config/rlk_layer_own.h"

#include <stdio.h>

#define WHAT_MAX (RLK_SHOWN_MAX + 32)

bool rlk_reading_set(rlk_reading *r, rlk_option_id option, const rlk_setting *setting)
{
	rlk_setting *before = &r->layer.settings[option];
	bool known = rlk_layer_has(&r->layer, option);

	if (known && r->uri == NULL && (r->by_uri & RLK_OPTION_BIT(option)) != 0) {
		/* The URI wins. But who asks for TLS does not want clear text. */
		return option != RLK_OPTION_SCHEME || setting->number != RLK_TRANSPORT_TLS ||
			before->number == RLK_TRANSPORT_TLS ||
			RLK_WRONG_VALUE(r->err, "option \"%s\" asks for TLS, and the URI beside it for clear text", setting->key);
	}
	if (known && before->number == setting->number && rlk_str_equal(before->text, setting->text))
		return true;
	if (known && strcmp(before->key, setting->key) == 0)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" is given twice, with different values", setting->key);
	if (known)
		return RLK_WRONG_VALUE(r->err, "options \"%s\" and \"%s\" contradict each other", before->key, setting->key);
	r->layer.has |= RLK_OPTION_BIT(option);
	r->by_uri |= r->uri != NULL ? RLK_OPTION_BIT(option) : 0;
	*before = *setting;
	return true;
}

bool rlk_reading_set_number(rlk_reading *r, rlk_option_id option, const char *key, int64_t number)
{
	return rlk_reading_set(r, option, &(rlk_setting){ key, number, { NULL, 0 } });
}

bool rlk_reading_check(const rlk_reading *r, const rlk_option *option, const rlk_value *value, rlk_setting *out)
{
	return rlk_option_check(option, value, r->uri != NULL, r->scratch, out, r->err);
}

/* --- options that are more than one value --- */

/* As in phpredis, a host may also be "tcp://name" or "/run/redis.sock". */
static bool add_host(rlk_reading *r, const rlk_option *option, const rlk_value *value)
{
	rlk_setting checked;
	char what[WHAT_MAX];
	int64_t transport;
	rlk_str address;

	if (value->type == RLK_VALUE_MAP)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" asks for several servers" RLK_NOT_SUPPORTED, option->key);
	if (!rlk_reading_check(r, option, value, &checked))
		return false;
	if (r->uri != NULL)
		snprintf(what, sizeof(what), "the host of %s", r->uri->what);
	else
		rlk_option_phrase(option->key, what);
	return rlk_host_read(checked.text, what, &transport, &address, r->err) &&
		(transport < 0 || rlk_reading_set_number(r, RLK_OPTION_SCHEME, option->key, transport)) &&
		rlk_reading_set(r, transport == RLK_TRANSPORT_UNIX ? RLK_OPTION_PATH : RLK_OPTION_HOST,
			&(rlk_setting){ option->key, 0, address });
}

static bool add_credential(rlk_reading *r, const rlk_option *auth, rlk_option_id option, const rlk_value *value)
{
	rlk_setting checked;

	if (option != RLK_OPTION_USER && option != RLK_OPTION_PASSWORD)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be " RLK_AUTH_ALLOWED, auth->key);
	return value->type == RLK_VALUE_NULL ||
		(rlk_reading_check(r, auth, value, &checked) && rlk_reading_set(r, option, &checked));
}

static bool add_auth(rlk_reading *r, const rlk_option *auth, const rlk_value *value)
{
	size_t count = value->as.map.count;

	r->auth_without_user = value->type != RLK_VALUE_MAP || count > 0;
	if (value->type != RLK_VALUE_MAP)
		return add_credential(r, auth, RLK_OPTION_PASSWORD, value);
	for (size_t i = 0; i < count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		const rlk_option_row *row = rlk_option_find("", entry->key).row;
		rlk_option_id option = row != NULL ? row->option : RLK_OPTION_NONE;

		if (value->as.map.is_list && count <= 2)
			option = i + 1 < count ? RLK_OPTION_USER : RLK_OPTION_PASSWORD;
		if (!add_credential(r, auth, option, &entry->value))
			return false;
	}
	return true;
}

/* In the other kinds of Predis the client itself chooses between servers that know nothing of each other. */
static bool add_replication(rlk_reading *r, const rlk_option *option, const rlk_value *value)
{
	if (rlk_value_is_off(value))
		return true;
	if (rlk_value_is_text(value, "sentinel"))
		return rlk_reading_set_number(r, RLK_OPTION_REPLICATION, option->key, 1);
	return RLK_WRONG_VALUE(r->err, "option \"%s\" asks for replication without sentinels" RLK_NOT_SUPPORTED,
		option->key);
}

bool rlk_reading_note_list(rlk_reading *r, rlk_list_key key, const rlk_value *list)
{
	rlk_list_key before = r->layer.list_key != RLK_LIST_NONE ? r->layer.list_key : key;

	if ((before == RLK_LIST_SERVERS) != (key == RLK_LIST_SERVERS))
		return RLK_WRONG_VALUE(r->err, RLK_QUORUM_ALONE);
	if (before == RLK_LIST_UNNAMED && key != RLK_LIST_UNNAMED)
		return true;
	if (key != RLK_LIST_UNNAMED && before != key)
		return RLK_WRONG_VALUE(r->err, "options \"sentinels\" and \"cluster\" contradict each other");
	r->layer.list_key = key;
	r->list = list;
	return true;
}

/* A list of servers. An empty one is refused, and so is the empty string that an unset variable leaves: neither means the
 * default server. */
static bool add_list(rlk_reading *r, const rlk_option *option, const rlk_value *value)
{
	bool is_map = value->type == RLK_VALUE_MAP, is_list = is_map && value->as.map.is_list;
	bool is_quorum = option->row->kind == RLK_KIND_SERVERS, is_cluster = option->row->option == RLK_OPTION_CLUSTER;
	rlk_list_key key = is_quorum ? RLK_LIST_SERVERS : is_cluster ? RLK_LIST_CLUSTER : RLK_LIST_SENTINELS;
	int most = (int)option->row->max;

	if (r->scope == RLK_SCOPE_SECTION)
		return true;
	if (is_map ? value->as.map.count == 0 : rlk_value_is_text(value, ""))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be a list of 1 to %d servers%s, empty %s given", option->key,
			most, is_cluster ? ", or true or false" : "", is_map ? "array" : "string");
	if (is_quorum && is_map && (!is_list || value->as.map.count > (size_t)most))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" must be a list of 1 to %d servers", option->key, most);
	if (r->scope == RLK_SCOPE_ENTRY && !rlk_value_is_off(value))
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given for one server of a list", option->key);
	if (is_list)
		return rlk_reading_note_list(r, key, value);
	if (!is_quorum && !is_map && rlk_value_is_off(value))
		return true;
	/* Only says what the servers are. Predis and Laravel write "redis". */
	if (is_cluster && ((value->type == RLK_VALUE_BOOL && value->as.b) || rlk_value_is_text(value, "redis")))
		return rlk_reading_note_list(r, key, NULL) && rlk_reading_set_number(r, RLK_OPTION_CLUSTER, option->key, 1);
	return rlk_option_wrong_type(option->key, value, "a list of servers", r->err);
}

/* --- TLS --- */

/* Any option of TLS, even a file of certificates alone, asks for TLS: who gives it does not want clear text. */
static bool ask_for_tls(rlk_reading *r, const char *key)
{
	return rlk_layer_has(&r->layer, RLK_OPTION_TLS_WANTED) || rlk_reading_set_number(r, RLK_OPTION_TLS_WANTED, key, 1);
}

bool rlk_reading_add_tls_option(rlk_reading *r, const char *where, rlk_str key, const rlk_value *value)
{
	const rlk_option option = rlk_option_find("ssl.", key);
	char shown[RLK_SHOWN_MAX];
	rlk_setting checked;

	if (value->type == RLK_VALUE_NULL)
		return true;
	if (option.row == NULL && r->uri != NULL && !r->uri->may_tell_keys)
		return RLK_WRONG_VALUE(r->err, "option number %d in the query of %s is no TLS option of ours",
			r->uri->option_number, r->uri->what);
	if (option.row == NULL)
		return RLK_WRONG_VALUE(r->err, "option \"%s%s\" is not supported; see docs/operate/tls.md", where,
			rlk_value_show(key, shown, sizeof(shown)));
	if (!rlk_reading_check(r, &option, value, &checked))
		return false;
	if (option.row->option != RLK_OPTION_NONE)
		return rlk_reading_set(r, option.row->option, &checked) && ask_for_tls(r, option.key);
	return checked.number == 1 || RLK_WRONG_VALUE(r->err, "option \"%s\" must be true, as it always is", option.key);
}

static bool add_tls_options(rlk_reading *r, const char *where, const char *key, const rlk_value *value)
{
	if (!rlk_value_is_map(value))
		return rlk_option_wrong_type(key, value, "an array of PHP's SSL context options", r->err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		if (!rlk_reading_add_tls_option(r, where, value->as.map.entries[i].key, &value->as.map.entries[i].value))
			return false;
	}
	return true;
}

/* Predis has options of TLS in `ssl`; `useSSL` is of Yii2. */
static bool add_tls(rlk_reading *r, const rlk_option *option, const rlk_value *value)
{
	rlk_setting checked;

	bool is_options = strcmp(option->key, "ssl") == 0;

	if (rlk_value_is_off(value)) {
		r->no_ssl = r->no_ssl || !is_options;
		return true;
	}
	if (value->type == RLK_VALUE_MAP && is_options)
		return add_tls_options(r, "ssl.", option->key, value);
	r->use_ssl = true;
	return rlk_reading_check(r, option, value, &checked) && ask_for_tls(r, option->key);
}

/* phpredis has options of TLS in `context.stream` or `context.ssl`, beside `auth`, Yii2 in `contextOptions.ssl`. */
static bool add_context(rlk_reading *r, const rlk_option *option, const rlk_value *value)
{
	const rlk_option auth = rlk_option_find("", RLK_STR("auth"));
	char where[WHAT_MAX], shown[RLK_SHOWN_MAX];

	if (value->type != RLK_VALUE_MAP && !rlk_value_is_off(value))
		return rlk_option_wrong_type(option->key, value, "an array", r->err);
	for (size_t i = 0; value->type == RLK_VALUE_MAP && i < value->as.map.count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		bool ok = true;

		if (rlk_value_is_off(&entry->value) || rlk_str_equal(entry->key, RLK_STR("socket")))
			continue; /* options of the socket cannot change what a lock means */
		snprintf(where, sizeof(where), "%s.%s.", option->key, rlk_value_show(entry->key, shown, sizeof(shown)));
		if (rlk_str_equal(entry->key, RLK_STR("ssl")) || rlk_str_equal(entry->key, RLK_STR("stream")))
			ok = add_tls_options(r, where, option->key, &entry->value);
		else if (rlk_str_equal(entry->key, RLK_STR("auth")))
			ok = add_auth(r, &auth, &entry->value);
		else
			ok = RLK_WRONG_VALUE(r->err, "option \"%s.%s\" is not supported; only ssl and stream are", option->key,
				shown);
		if (!ok)
			return false;
	}
	return true;
}

/* --- all --- */

static bool add_connection(rlk_reading *r, const rlk_option *option, const rlk_value *value)
{
	return r->scope == RLK_SCOPE_SECTION ||
		rlk_option_wrong_type(option->key, value, "an array of connection options, and in no other one", r->err);
}

bool rlk_reading_add(rlk_reading *r, const rlk_option *option, const rlk_value *value)
{
	static bool (*const in_parts[])(rlk_reading * r, const rlk_option *option, const rlk_value *value) = {
		[RLK_KIND_HOST] = add_host,
		[RLK_KIND_AUTH] = add_auth,
		[RLK_KIND_REPLICATION] = add_replication,
		[RLK_KIND_TLS] = add_tls,
		[RLK_KIND_CONTEXT] = add_context,
		[RLK_KIND_SEEDS] = add_list,
		[RLK_KIND_SERVERS] = add_list,
		[RLK_KIND_CONNECTION] = add_connection,
	};
	rlk_option_kind kind = option->row->kind;
	rlk_setting checked;

	if (r->uri != NULL && kind >= RLK_KIND_SERVERS && kind <= RLK_KIND_NESTED)
		return RLK_WRONG_VALUE(r->err, "option \"%s\" cannot be given in a URI", option->key);
	if (kind >= RLK_KIND_URL) /* added before; NESTED is added behind */
		return true;
	if (in_parts[kind] != NULL)
		return in_parts[kind](r, option, value);
	return rlk_reading_check(r, option, value, &checked) && rlk_reading_set(r, option->row->option, &checked);
}
