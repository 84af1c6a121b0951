/*
 * rlk_config_tls: see the header.
 *
 * Whatever asks for TLS, a file of certificates alone, makes the connection one
 * with TLS, or is an error: whoever gives such options does not want clear text.
 */
#include "config/rlk_config_tls.h"

#include "config/rlk_config_message.h"
#include "net/rlk_tls.h"

#include <stddef.h>
#include <stdio.h>

#define PATH_BYTES_MAX 4095
#define WHAT_MAX (RLK_CONFIG_SHOWN_MAX + 32)

#define TEXT_ROW(key, option, flags, max) \
	{ \
		"ssl." key, NULL, RLK_OPTION_TLS_##option, RLK_KIND_STRING, (flags) | RLK_OPTION_EMPTY, 0, max \
	}
#define BOOL_ROW(key, option) \
	{ \
		"ssl." key, NULL, RLK_OPTION_TLS_##option, RLK_KIND_BOOL, 0, 0, 0 \
	}

static const rlk_option_row rows[] = {
	BOOL_ROW("verify_peer", VERIFY_PEER),
	BOOL_ROW("verify_peer_name", VERIFY_NAME),
	BOOL_ROW("allow_self_signed", ALLOW_SELF_SIGNED),
	TEXT_ROW("peer_name", PEER_NAME, 0, RLK_TLS_NAME_MAX - 1),
	TEXT_ROW("cafile", CAFILE, 0, PATH_BYTES_MAX),
	TEXT_ROW("capath", CAPATH, 0, PATH_BYTES_MAX),
	TEXT_ROW("local_cert", LOCAL_CERT, 0, PATH_BYTES_MAX),
	TEXT_ROW("local_pk", LOCAL_PK, 0, PATH_BYTES_MAX),
	TEXT_ROW("passphrase", PASSPHRASE, RLK_OPTION_SECRET, 1023),
};

/* What is so anyway. */
static const rlk_option_row always_on[] = {
	{ "ssl.SNI_enabled", NULL, RLK_OPTION_NONE, RLK_KIND_BOOL, 0, 0, 0 },
	{ "ssl.disable_compression", NULL, RLK_OPTION_NONE, RLK_KIND_BOOL, 0, 0, 0 },
};

static const rlk_option_row *find(const rlk_option_row *table, size_t count, rlk_str key)
{
	for (size_t i = 0; i < count; i++) {
		if (rlk_str_equal(key, rlk_str_from_cstr(table[i].key + strlen("ssl."))))
			return &table[i];
	}
	return NULL;
}

static bool unknown(const rlk_layer_source *from, const char *where, rlk_str key, rlk_error *err)
{
	char shown[RLK_CONFIG_SHOWN_MAX];

	if (from->uri != NULL && !from->uri->may_tell_keys)
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option number %d in the query of %s is no TLS option of ours",
			from->uri->option_number, from->uri->what);
	else
		rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s%s\" is not supported; see docs/operate/tls.md", where,
			rlk_config_show(key, shown, sizeof(shown)));
	return false;
}

static bool say_wanted(const rlk_layer_source *from, const char *key, rlk_error *err)
{
	rlk_checked on = { 1, { NULL, 0 }, "" };

	return rlk_layer_has(from->layer, RLK_OPTION_TLS_WANTED) ||
		rlk_layer_say(from, RLK_OPTION_TLS_WANTED, key, &on, err);
}

bool rlk_layer_add_tls_option(const rlk_layer_source *from, const char *where, rlk_str key, const rlk_value *value,
	rlk_error *err)
{
	const rlk_option_row *row = find(rows, sizeof(rows) / sizeof(rows[0]), key);
	const rlk_option_row *fixed = find(always_on, sizeof(always_on) / sizeof(always_on[0]), key);
	rlk_checked checked;

	if (value->type == RLK_VALUE_NULL)
		return true;
	if (row == NULL && fixed == NULL)
		return unknown(from, where, key, err);
	if (!rlk_config_check(row != NULL ? row : fixed, value, from->uri != NULL, &checked, err))
		return false;
	if (row != NULL)
		return rlk_layer_say(from, row->option, row->key, &checked, err) && say_wanted(from, row->key, err);
	return checked.number == 1 || rlk_config_wrong_text(fixed, "true, as it always is", err);
}

static bool add_options(const rlk_layer_source *from, const char *where, const rlk_option_row *row,
	const rlk_value *value, rlk_error *err)
{
	if (value->type != RLK_VALUE_MAP || (value->as.map.is_list && value->as.map.count > 0))
		return rlk_config_wrong_type(row, value, "an array of PHP's SSL context options", err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];

		if (!rlk_layer_add_tls_option(from, where, entry->key, &entry->value, err))
			return false;
	}
	return true;
}

/* The options of a stream context: by wrapper, but for what phpredis has there of its own. */
static bool add_context(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err)
{
	if (value->type != RLK_VALUE_MAP)
		return rlk_config_wrong_type(row, value, "an array", err);
	for (size_t i = 0; i < value->as.map.count; i++) {
		const rlk_entry *entry = &value->as.map.entries[i];
		char where[WHAT_MAX], shown[RLK_CONFIG_SHOWN_MAX];
		bool ok = true;

		snprintf(where, sizeof(where), "%s.%s.", row->key, rlk_config_show(entry->key, shown, sizeof(shown)));
		if (rlk_config_is_off(&entry->value) || rlk_str_equal(entry->key, RLK_STR("socket"))) {
			continue; /* the latter cannot change what a lock means */
		} else if (rlk_str_equal(entry->key, RLK_STR("ssl")) || rlk_str_equal(entry->key, RLK_STR("stream"))) {
			ok = add_options(from, where, row, &entry->value, err);
		} else if (rlk_str_equal(entry->key, RLK_STR("auth"))) {
			ok = rlk_layer_add(from, entry->key, &entry->value, err);
		} else {
			where[strlen(where) - 1] = '\0';
			rlk_error_set(err, RLK_ERR_VALUE, 0, "option \"%s\" is not supported; only ssl and stream are", where);
			ok = false;
		}
		if (!ok)
			return false;
	}
	return true;
}

bool rlk_layer_add_tls(const rlk_layer_source *from, const rlk_option_row *row, const rlk_value *value, rlk_error *err)
{
	rlk_option_row yes_or_no = *row;
	rlk_checked checked;

	if (rlk_config_is_off(value))
		return true;
	if (strncmp(row->key, "context", strlen("context")) == 0)
		return add_context(from, row, value, err);
	if (value->type == RLK_VALUE_MAP && strcmp(row->key, "ssl") == 0)
		return add_options(from, "ssl.", row, value, err);
	if (value->type == RLK_VALUE_MAP)
		return rlk_config_wrong_type(row, value, "true or false", err);
	yes_or_no.kind = RLK_KIND_BOOL;
	return rlk_config_check(&yes_or_no, value, from->uri != NULL, &checked, err) && say_wanted(from, row->key, err);
}

/* --- the endpoint --- */

static const struct {
	rlk_option_id option;
	size_t at;
} texts[] = {
	{ RLK_OPTION_TLS_PEER_NAME, offsetof(rlk_tls_options, peer_name) },
	{ RLK_OPTION_TLS_CAFILE, offsetof(rlk_tls_options, cafile) },
	{ RLK_OPTION_TLS_CAPATH, offsetof(rlk_tls_options, capath) },
	{ RLK_OPTION_TLS_LOCAL_CERT, offsetof(rlk_tls_options, local_cert) },
	{ RLK_OPTION_TLS_LOCAL_PK, offsetof(rlk_tls_options, local_pk) },
	{ RLK_OPTION_TLS_PASSPHRASE, offsetof(rlk_tls_options, passphrase) },
};

static const struct {
	rlk_option_id option;
	size_t at;
	bool negative;
} flags[] = {
	{ RLK_OPTION_TLS_WANTED, offsetof(rlk_tls_options, wanted), false },
	{ RLK_OPTION_TLS_VERIFY_PEER, offsetof(rlk_tls_options, no_verify_peer), true },
	{ RLK_OPTION_TLS_VERIFY_NAME, offsetof(rlk_tls_options, no_verify_name), true },
	{ RLK_OPTION_TLS_ALLOW_SELF_SIGNED, offsetof(rlk_tls_options, allow_self_signed), false },
};

#define TEXTS (sizeof(texts) / sizeof(texts[0]))
#define FLAGS (sizeof(flags) / sizeof(flags[0]))

static char **text_at(rlk_tls_options *options, size_t i)
{
	return (char **)(void *)((char *)options + texts[i].at);
}

static bool *flag_at(rlk_tls_options *options, size_t i)
{
	return (bool *)((char *)options + flags[i].at);
}

static bool commit_options(rlk_tls_options *options, const rlk_layer *layer, rlk_error *err)
{
	for (size_t i = 0; i < FLAGS; i++) {
		if (rlk_layer_has(layer, flags[i].option))
			*flag_at(options, i) = (layer->said[flags[i].option].value.number != 0) != flags[i].negative;
	}
	for (size_t i = 0; i < TEXTS; i++) {
		rlk_str text = layer->said[texts[i].option].value.text;

		if (!rlk_layer_has(layer, texts[i].option))
			continue;
		if (text.len == 0)
			text.data = NULL; /* empty is none */
		if (!rlk_str_store(text_at(options, i), text))
			return rlk_config_no_memory(err);
	}
	return true;
}

bool rlk_config_commit_tls(rlk_endpoint *endpoint, const rlk_layer *layer, bool scheme_said, rlk_error *err)
{
	if (!commit_options(&endpoint->tls, layer, err))
		return false;
	if (!endpoint->tls.wanted || endpoint->transport == RLK_TRANSPORT_TLS)
		return true;
	if (endpoint->transport == RLK_TRANSPORT_TCP && !scheme_said) {
		endpoint->transport = RLK_TRANSPORT_TLS;
		return true;
	}
	rlk_error_set(err, RLK_ERR_VALUE, 0,
		endpoint->transport == RLK_TRANSPORT_UNIX ?
			"options of TLS are given for a unix socket, on which there is no TLS" :
			"options of TLS are given, but the scheme is one of clear text; \"tls\" and \"rediss\" are those with TLS");
	return false;
}

void rlk_config_keep_tls(uint64_t said, rlk_tls_options *to, rlk_tls_options *from)
{
	for (size_t i = 0; i < FLAGS; i++) {
		if ((said & (UINT64_C(1) << flags[i].option)) != 0)
			*flag_at(to, i) = *flag_at(from, i);
	}
	for (size_t i = 0; i < TEXTS; i++) {
		if ((said & (UINT64_C(1) << texts[i].option)) == 0)
			continue;
		rlk_str_store(text_at(to, i), rlk_str_make(NULL, 0));
		*text_at(to, i) = *text_at(from, i);
		*text_at(from, i) = NULL;
	}
}

bool rlk_config_finish_tls(const rlk_endpoint *endpoint, rlk_error *err)
{
	if (endpoint->transport != RLK_TRANSPORT_TLS || rlk_tls_library() != NULL)
		return true;
	rlk_error_set(err, RLK_ERR_VALUE, 0,
		"TLS is asked for, which this build of redislock does not have; it was made without OpenSSL "
		"(--with-redislock-ssl)");
	return false;
}
