/*
 * rlk_tls_context: loads certificates and keys, and keeps them and the TLS sessions.
 *
 * Invariant: each context in the list has a reference of the list's.
 */
#ifdef HAVE_REDISLOCK_SSL

#include "net/rlk_tls_own.h"

#include "base/rlk_list.h"
#include "base/rlk_mutex.h"
#include "base/rlk_str.h"

#include <errno.h>
#include <limits.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A process has few servers, and fewer sets of certificates. Beyond this number the least recently used is dropped. */
#define CONTEXTS_MAX 16

static rlk_mutex mutex = RLK_MUTEX_INIT;
static rlk_tls_context *contexts; /* most recently used first */

const char *rlk_tls_library(void)
{
	return OpenSSL_version(OPENSSL_VERSION);
}

/* --- identity --- */

/* Differs once the file is replaced or rewritten. */
static bool append_stamp(rlk_buf *out, const char *path)
{
	struct stat st;
	int64_t stamp[5] = { 0 };

	if (path != NULL && stat(path, &st) == 0) {
		stamp[0] = (int64_t)st.st_dev;
		stamp[1] = (int64_t)st.st_ino;
		stamp[2] = (int64_t)st.st_size;
		stamp[3] = (int64_t)st.st_mtime;
#ifdef __linux__
		stamp[4] = (int64_t)st.st_mtim.tv_nsec;
#endif
	}
	return rlk_buf_append(out, (const char *)stamp, sizeof(stamp));
}

static bool digest(const rlk_tls_options *options, bool with_files, unsigned char out[RLK_TLS_FINGERPRINT_BYTES])
{
	rlk_buf all = RLK_BUF_INIT;
	bool ok = rlk_tls_options_append(options, &all) &&
		(!with_files ||
			(append_stamp(&all, options->cafile) && append_stamp(&all, options->local_cert) &&
				append_stamp(&all, options->local_pk))) &&
		EVP_Digest(all.data, all.len, out, NULL, EVP_sha256(), NULL) == 1;

	rlk_buf_wipe(&all); /* the passphrase is in it */
	return ok;
}

bool rlk_tls_fingerprint(const rlk_tls_options *options, unsigned char fingerprint[RLK_TLS_FINGERPRINT_BYTES])
{
	return digest(options, false, fingerprint);
}

/* --- loading --- */

/* The reason of OpenSSL's last failure. Empties its queue of errors, which PHP's openssl extension shares. */
static const char *take_reason(void)
{
	unsigned long code = ERR_peek_error();
	const char *reason = code != 0 ? ERR_reason_error_string(code) : NULL;

	ERR_clear_error();
	return reason != NULL ? reason : "it is damaged";
}

static bool refuse_file(const char *option, const char *path, const char *why, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot connect with TLS: option \"ssl.%s\": %s: %s", option, path, why);
	return false;
}

static bool refuse_content(const char *option, const char *path, const char *missing, rlk_error *err)
{
	rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot connect with TLS: option \"ssl.%s\": %s: no %s in it (%s)", option,
		path, missing, take_reason());
	return false;
}

/* Checked first, since OpenSSL's message for a missing file is hard to read. */
static bool is_readable(const char *option, const char *path, rlk_error *err)
{
	char text[96];

	return access(path, R_OK) == 0 || refuse_file(option, path, rlk_error_strerror(errno, text, sizeof(text)), err);
}

static bool load_authorities(SSL_CTX *ctx, const rlk_tls_options *options, rlk_error *err)
{
	char capath[PATH_MAX];

	if (options->cafile == NULL && options->capath == NULL) {
		if (SSL_CTX_set_default_verify_paths(ctx) != 1)
			ERR_clear_error(); /* every certificate will be refused, with a message */
		return true;
	}
	if (options->cafile != NULL) {
		if (!is_readable("cafile", options->cafile, err))
			return false;
		if (SSL_CTX_load_verify_locations(ctx, options->cafile, NULL) != 1)
			return refuse_content("cafile", options->cafile, "certificate", err);
	}
	if (options->capath == NULL)
		return true;
	/* Absolute, since it is read on each look-up, also by a renewal child, which has another working directory. */
	if (!is_readable("capath", options->capath, err) || realpath(options->capath, capath) == NULL)
		return refuse_file("capath", options->capath, "no such folder", err);
	return SSL_CTX_load_verify_locations(ctx, NULL, capath) == 1 ||
		refuse_content("capath", options->capath, "certificate", err);
}

typedef struct {
	const char *passphrase;
	bool asked;
} key_owner;

/* Without it OpenSSL would ask on the terminal. */
static int tell_passphrase(char *buf, int size, int writing, void *arg)
{
	key_owner *owner = arg;
	size_t len = owner->passphrase != NULL ? strlen(owner->passphrase) : 0;

	(void)writing;
	owner->asked = true;
	if (owner->passphrase == NULL || len > (size_t)size)
		return -1;
	memcpy(buf, owner->passphrase, len);
	return (int)len;
}

static bool load_own(SSL_CTX *ctx, const rlk_tls_options *options, rlk_error *err)
{
	const char *key = options->local_pk != NULL ? options->local_pk : options->local_cert;
	const char *option = options->local_pk != NULL ? "local_pk" : "local_cert";
	key_owner owner = { options->passphrase, false };
	bool loaded;

	if (options->local_cert == NULL)
		return options->local_pk == NULL ||
			refuse_file("local_pk", options->local_pk, "there is no \"ssl.local_cert\" that it belongs to", err);
	if (!is_readable("local_cert", options->local_cert, err) || !is_readable(option, key, err))
		return false;
	if (SSL_CTX_use_certificate_chain_file(ctx, options->local_cert) != 1)
		return refuse_content("local_cert", options->local_cert, "certificate", err);
	SSL_CTX_set_default_passwd_cb(ctx, tell_passphrase);
	SSL_CTX_set_default_passwd_cb_userdata(ctx, &owner);
	loaded = SSL_CTX_use_PrivateKey_file(ctx, key, SSL_FILETYPE_PEM) == 1;
	SSL_CTX_set_default_passwd_cb(ctx, NULL);
	SSL_CTX_set_default_passwd_cb_userdata(ctx, NULL);
	if (loaded)
		return true;
	if (!owner.asked)
		return refuse_content(option, key, "key of the certificate", err);
	ERR_clear_error();
	return refuse_file(option, key,
		owner.passphrase == NULL ? "the key needs a passphrase, and there is no \"ssl.passphrase\"" :
								   "the passphrase is not that of the key",
		err);
}

/* Called for each fault of a certificate, and with ok = 1 for each good one. */
static int verify(int ok, X509_STORE_CTX *store)
{
	const SSL *ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx());
	const rlk_tls_context *context = SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl));
	int error = X509_STORE_CTX_get_error(store);
	/* As in PHP, the name is verified although the rest is not. */
	bool excused =
		(!context->verify_peer && error != X509_V_ERR_HOSTNAME_MISMATCH && error != X509_V_ERR_IP_ADDRESS_MISMATCH) ||
		(context->allow_self_signed && error == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT);

	if (ok || !excused)
		return ok;
	X509_STORE_CTX_set_error(store, X509_V_OK);
	return 1;
}

static bool load(rlk_tls_context *context, const rlk_tls_options *options, rlk_error *err)
{
	long off = SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION;
	bool verifies;

#ifdef SSL_OP_IGNORE_UNEXPECTED_EOF
	off |= SSL_OP_IGNORE_UNEXPECTED_EOF; /* replies have a length, so truncation is noticed anyway */
#endif
	ERR_clear_error();
	context->verify_peer = !options->no_verify_peer;
	context->verify_name = !options->no_verify_name;
	context->allow_self_signed = options->allow_self_signed;
	context->ctx = SSL_CTX_new(TLS_client_method());
	if (!rlk_tls_prepare() || context->ctx == NULL ||
		SSL_CTX_set_min_proto_version(context->ctx, TLS1_2_VERSION) != 1) {
		rlk_error_set(err, RLK_ERR_CONNECT, 0, "cannot connect with TLS: %s", take_reason());
		return false;
	}
	SSL_CTX_set_options(context->ctx, off);
	SSL_CTX_set_mode(context->ctx,
		SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_AUTO_RETRY);
	/* Reads a record's header and body in one system call. */
	SSL_CTX_set_read_ahead(context->ctx, 1);
	SSL_CTX_set_app_data(context->ctx, context);
	SSL_CTX_set_session_cache_mode(context->ctx, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
	SSL_CTX_sess_set_new_cb(context->ctx, rlk_tls_on_session);
	verifies = context->verify_peer || context->verify_name;
	SSL_CTX_set_verify(context->ctx, verifies ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, verifies ? verify : NULL);
	return (!context->verify_peer || load_authorities(context->ctx, options, err)) &&
		load_own(context->ctx, options, err);
}

/* --- keeping --- */

void rlk_tls_context_release(rlk_tls_context *context)
{
	if (context == NULL || atomic_fetch_sub(&context->references, 1) > 1)
		return;
	for (int i = 0; i < RLK_TLS_SESSIONS; i++)
		SSL_SESSION_free(context->sessions[i].session);
	SSL_CTX_free(context->ctx);
	free(context);
}

static rlk_tls_context *take_known(const unsigned char identity[RLK_TLS_FINGERPRINT_BYTES])
{
	for (rlk_tls_context **link = &contexts; *link != NULL; link = &(*link)->next) {
		rlk_tls_context *context = *link;

		if (memcmp(context->identity, identity, sizeof(context->identity)) != 0)
			continue;
		*link = context->next;
		return context;
	}
	return NULL;
}

static rlk_tls_context *load_new(const unsigned char identity[RLK_TLS_FINGERPRINT_BYTES],
	const rlk_tls_options *options, rlk_error *err)
{
	rlk_tls_context *context = calloc(1, sizeof(*context));

	if (context == NULL)
		return NULL;
	memcpy(context->identity, identity, sizeof(context->identity));
	atomic_init(&context->references, 1);
	if (load(context, options, err))
		return context;
	rlk_tls_context_release(context);
	return NULL;
}

rlk_tls_context *rlk_tls_context_get(const rlk_tls_options *options, rlk_error *err)
{
	unsigned char identity[RLK_TLS_FINGERPRINT_BYTES];
	rlk_tls_context *context = NULL, **oldest = &contexts;

	rlk_mutex_lock(&mutex);
	if (digest(options, true, identity)) {
		context = take_known(identity);
		if (context == NULL)
			context = load_new(identity, options, err);
	}
	if (context != NULL) {
		context->next = contexts;
		contexts = context;
		atomic_fetch_add(&context->references, 1);
		RLK_LIST_PASS(oldest, CONTEXTS_MAX);
		rlk_tls_context_release(*oldest);
		*oldest = NULL;
	} else {
		rlk_error_set(err, RLK_ERR_MEMORY, 0, "out of memory for a connection"); /* unless loading has said why */
	}
	rlk_mutex_unlock(&mutex);
	return context;
}

static rlk_tls_session *find_session(rlk_tls_context *context, const char *name)
{
	for (int i = 0; i < RLK_TLS_SESSIONS; i++) {
		if (context->sessions[i].session != NULL && strcmp(context->sessions[i].name, name) == 0)
			return &context->sessions[i];
	}
	return NULL;
}

SSL_SESSION *rlk_tls_context_session(rlk_tls_context *context, const char *name)
{
	SSL_SESSION *session = NULL;
	rlk_tls_session *found;

	rlk_mutex_lock(&mutex);
	found = find_session(context, name);
	if (found != NULL && SSL_SESSION_is_resumable(found->session) && SSL_SESSION_up_ref(found->session) == 1)
		session = found->session;
	rlk_mutex_unlock(&mutex);
	return session;
}

void rlk_tls_context_remember(rlk_tls_context *context, const char *name, SSL_SESSION *session)
{
	rlk_tls_session *entry;

	rlk_mutex_lock(&mutex);
	entry = find_session(context, name);
	if (entry == NULL && session != NULL) {
		entry = &context->sessions[context->next_session];
		context->next_session = (context->next_session + 1) % RLK_TLS_SESSIONS;
		snprintf(entry->name, sizeof(entry->name), "%s", name);
	}
	if (entry != NULL) {
		SSL_SESSION_free(entry->session);
		entry->session = session;
	}
	rlk_mutex_unlock(&mutex);
}

void rlk_tls_shutdown(void)
{
	rlk_mutex_lock(&mutex);
	while (contexts != NULL) {
		rlk_tls_context *context = contexts;

		contexts = context->next;
		rlk_tls_context_release(context);
	}
	rlk_mutex_unlock(&mutex);
}

void rlk_tls_after_fork(void)
{
	rlk_mutex_after_fork(&mutex);
}

bool rlk_tls_after_clone(void)
{
	/* Only newer versions compare process ids before they make random bytes. */
	return RAND_poll() == 1;
}

#endif
