/*
 * rlk_config_server: what layers say of one server.
 *
 * Host and path may both be known while layers are merged; the transport says
 * which one counts, and finishing drops the other.
 */
#include "config/rlk_config_own.h"

#include "net/rlk_tls.h"

#include <stddef.h>

#define SAID(option) RLK_OPTION_BIT(RLK_OPTION_##option)

/* NOT: the field says the opposite of the option. */
typedef enum { TEXT, NUMBER, FLAG, NOT } field_type;

/* clang-format off */
#define FIELD(option, field, type) { RLK_OPTION_##option, offsetof(rlk_server, field), type }
/* clang-format on */

/* The options that are one field of a server. */
static const struct {
	rlk_option_id option;
	size_t at;
	field_type type;
} fields[] = {
	FIELD(HOST, host, TEXT),
	FIELD(PATH, path, TEXT),
	FIELD(USER, user, TEXT),
	FIELD(PASSWORD, password, TEXT),
	FIELD(CLIENT_NAME, client_name, TEXT),
	FIELD(DATABASE, database, NUMBER),
	FIELD(CONNECT_TIMEOUT, connect_timeout_ms, NUMBER),
	FIELD(IO_TIMEOUT, io_timeout_ms, NUMBER),
	FIELD(RETRIES, retries, NUMBER),
	FIELD(TLS_WANTED, tls.wanted, FLAG),
	FIELD(TLS_VERIFY_PEER, tls.no_verify_peer, NOT),
	FIELD(TLS_VERIFY_NAME, tls.no_verify_name, NOT),
	FIELD(TLS_ALLOW_SELF_SIGNED, tls.allow_self_signed, FLAG),
	FIELD(TLS_PEER_NAME, tls.peer_name, TEXT),
	FIELD(TLS_CAFILE, tls.cafile, TEXT),
	FIELD(TLS_CAPATH, tls.capath, TEXT),
	FIELD(TLS_LOCAL_CERT, tls.local_cert, TEXT),
	FIELD(TLS_LOCAL_PK, tls.local_pk, TEXT),
	FIELD(TLS_PASSPHRASE, tls.passphrase, TEXT),
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static void *field_of(const rlk_server *server, size_t i)
{
	return (char *)server + fields[i].at;
}

bool rlk_config_commit_text(char **field, const rlk_layer *layer, rlk_option_id option, rlk_error *err)
{
	rlk_str text = layer->said[option].value.text;

	if (!rlk_layer_has(layer, option))
		return true;
	return rlk_str_store(field, text.len > 0 ? text : rlk_str_make(NULL, 0)) || RLK_NO_MEMORY(err);
}

static bool commit_fields(rlk_server *server, const rlk_layer *layer, rlk_error *err)
{
	for (size_t i = 0; i < FIELDS; i++) {
		int64_t number = rlk_layer_number(layer, fields[i].option, 0);

		if (!rlk_layer_has(layer, fields[i].option))
			continue;
		if (fields[i].type == NUMBER)
			*(int *)field_of(server, i) = (int)number;
		else if (fields[i].type != TEXT)
			*(bool *)field_of(server, i) = (number != 0) == (fields[i].type == FLAG);
		else if (!rlk_config_commit_text(field_of(server, i), layer, fields[i].option, err))
			return false;
	}
	return true;
}

bool rlk_config_inherit(rlk_server *to, const rlk_server *from, uint64_t options, rlk_error *err)
{
	for (size_t i = 0; i < FIELDS; i++) {
		if ((options & RLK_OPTION_BIT(fields[i].option)) == 0)
			continue;
		if (fields[i].type == NUMBER)
			*(int *)field_of(to, i) = *(int *)field_of(from, i);
		else if (fields[i].type != TEXT)
			*(bool *)field_of(to, i) = *(bool *)field_of(from, i);
		else if (!rlk_str_store(field_of(to, i), rlk_str_from_cstr(*(char **)field_of(from, i))))
			return RLK_NO_MEMORY(err);
	}
	if ((options & SAID(SCHEME)) != 0)
		to->transport = from->transport;
	if ((options & SAID(PORT)) != 0)
		to->port = from->port;
	if ((options & (SAID(RETRY_DELAY) | SAID(BACKOFF_BASE) | SAID(BACKOFF_CAP))) != 0)
		to->retry_delay_ms = from->retry_delay_ms;
	return true;
}

/* `scheme_said`: by the caller, in this or an earlier layer. */
static bool decide_tls(rlk_server *server, bool scheme_said, rlk_error *err)
{
	if (!server->tls.wanted || server->transport == RLK_TRANSPORT_TLS)
		return true;
	if (server->transport == RLK_TRANSPORT_UNIX)
		return RLK_WRONG_VALUE(err, "options of TLS are given for a unix socket, on which there is no TLS");
	if (scheme_said)
		return RLK_WRONG_VALUE(err,
			"options of TLS are given, but the scheme is one of clear text; \"tls\" and \"rediss\" are those with TLS");
	server->transport = RLK_TRANSPORT_TLS;
	return true;
}

bool rlk_config_forget_default_server(rlk_config *config, rlk_error *err)
{
	uint64_t said = config->server_said;
	rlk_server old = config->server;
	bool ok;

	rlk_server_init(&config->server, config->connect_timeout_default_ms, config->io_timeout_default_ms);
	ok = rlk_config_inherit(&config->server, &old, said, err);
	rlk_server_destroy(&old);
	rlk_config_list_destroy(&config->seeds);
	config->seeds_key = NULL;
	if ((said & SAID(SERVICE)) == 0)
		rlk_str_store(&config->service, rlk_str_make(NULL, 0));
	if ((said & SAID(SENTINEL_USER)) == 0)
		rlk_str_store(&config->sentinel_user, rlk_str_make(NULL, 0));
	if ((said & SAID(SENTINEL_PASSWORD)) == 0)
		rlk_str_store(&config->sentinel_password, rlk_str_make(NULL, 0));
	config->cluster_said = config->cluster_said && (said & SAID(CLUSTER)) != 0;
	config->replication_said = config->replication_said && (said & SAID(REPLICATION)) != 0;
	config->server_is_default = false;
	return ok && decide_tls(&config->server, (said & SAID(SCHEME)) != 0, err);
}

/* --- what is not one field --- */

static bool contradict(const rlk_layer *layer, rlk_option_id a, rlk_option_id b, rlk_error *err)
{
	return RLK_WRONG_VALUE(err, "options \"%s\" and \"%s\" name two different servers; leave one out",
		layer->said[a].key, layer->said[b].key);
}

/* A host and the path of a socket in one array are common, one being a left-over of a stock configuration. `scheme`
 * says which is meant; without it we would be guessing. */
static bool commit_transport(rlk_server *server, const rlk_layer *layer, rlk_error *err)
{
	bool host = rlk_layer_has(layer, RLK_OPTION_HOST), path = rlk_layer_has(layer, RLK_OPTION_PATH);

	if (rlk_layer_has(layer, RLK_OPTION_SCHEME)) {
		server->transport = (rlk_transport)rlk_layer_number(layer, RLK_OPTION_SCHEME, RLK_TRANSPORT_TCP);
		return server->transport == RLK_TRANSPORT_UNIX || !path || host ||
			contradict(layer, RLK_OPTION_SCHEME, RLK_OPTION_PATH, err);
	}
	if (host && path)
		return contradict(layer, RLK_OPTION_HOST, RLK_OPTION_PATH, err);
	if (path)
		server->transport = RLK_TRANSPORT_UNIX;
	else if (host && server->transport == RLK_TRANSPORT_UNIX)
		server->transport = RLK_TRANSPORT_TCP; /* and TLS stays what it is: another host is no reason for clear text */
	return true;
}

static bool commit_port(rlk_server *server, const rlk_layer *layer, rlk_error *err)
{
	const rlk_said *said = &layer->said[RLK_OPTION_PORT];

	if (said->key == NULL)
		return true;
	if (said->value.number > 0) {
		server->port = (uint16_t)said->value.number;
		return true;
	}
	/* 0 and -1 are fine where a port means nothing. */
	return server->transport == RLK_TRANSPORT_UNIX ||
		rlk_option_wrong_number(rlk_option_find(RLK_STR("port")), (double)said->value.number, said->from_uri, err);
}

static void commit_retry_delay(rlk_server *server, const rlk_layer *layer)
{
	int64_t delay_ms = rlk_layer_number(layer, RLK_OPTION_BACKOFF_BASE, server->retry_delay_ms);
	int64_t cap_ms = rlk_layer_number(layer, RLK_OPTION_BACKOFF_CAP, delay_ms);

	/* A pause of one length stands for a backoff: with so few tries its growth would hardly show. */
	server->retry_delay_ms =
		(int)rlk_layer_number(layer, RLK_OPTION_RETRY_DELAY, delay_ms < cap_ms ? delay_ms : cap_ms);
}

_Static_assert(RLK_OPTION_COUNT <= 64, "server_said has a bit for each option");

static void note_said(rlk_config *config, const rlk_layer *layer)
{
	for (int option = 0; option < RLK_OPTION_COUNT; option++) {
		if (rlk_layer_has(layer, (rlk_option_id)option))
			config->server_said |= RLK_OPTION_BIT(option);
	}
	if (rlk_layer_has(layer, RLK_OPTION_USER))
		config->user_key = layer->said[RLK_OPTION_USER].key;
	if (layer->auth_without_user)
		config->server_said |= SAID(USER);
}

bool rlk_config_commit_server(rlk_config *config, const rlk_layer *layer, rlk_error *err)
{
	rlk_server *server = &config->server;

	if (config->server_is_default && (rlk_layer_has(layer, RLK_OPTION_HOST) || rlk_layer_has(layer, RLK_OPTION_PATH)) &&
		!rlk_config_forget_default_server(config, err))
		return false;
	note_said(config, layer);
	/* `auth` is user and password in one: a password alone there also says that there is no user. */
	if (layer->auth_without_user && rlk_layer_has(layer, RLK_OPTION_PASSWORD))
		rlk_str_store(&server->user, rlk_str_make(NULL, 0));
	if (!commit_transport(server, layer, err) || !commit_port(server, layer, err) || !commit_fields(server, layer, err))
		return false;
	/* 0 is how a layer says "the default". */
	if (server->connect_timeout_ms == 0)
		server->connect_timeout_ms = config->connect_timeout_default_ms;
	if (server->io_timeout_ms == 0)
		server->io_timeout_ms = config->io_timeout_default_ms;
	commit_retry_delay(server, layer);
	return decide_tls(server, (config->server_said & SAID(SCHEME)) != 0, err);
}

bool rlk_config_finish_server(const rlk_config *config, rlk_server *server, rlk_error *err)
{
	bool is_unix = server->transport == RLK_TRANSPORT_UNIX;

	if (is_unix && server->path == NULL)
		return RLK_WRONG_VALUE(err, "option \"path\" must be given with the scheme unix");
	if (server->user != NULL && server->password == NULL)
		return RLK_WRONG_VALUE(err, "option \"%s\" must not be given without a password", config->user_key);
	rlk_str_store(is_unix ? &server->host : &server->path, rlk_str_make(NULL, 0));
	if (!is_unix && server->host == NULL && !rlk_str_store(&server->host, RLK_STR("127.0.0.1")))
		return RLK_NO_MEMORY(err);
	rlk_server_relabel(server);
	return server->transport != RLK_TRANSPORT_TLS || rlk_tls_library() != NULL ||
		RLK_WRONG_VALUE(err,
			"TLS is asked for, which this build of redislock does not have; it was made without OpenSSL "
			"(--with-redislock-ssl)");
}
