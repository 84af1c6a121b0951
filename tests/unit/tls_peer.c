/*
 * tls_peer: see the header.
 */
#ifdef HAVE_REDISLOCK_SSL

#include "tls_peer.h"

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static EVP_PKEY *make_key(void)
{
	EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, NULL);
	EVP_PKEY *key = NULL;

	if (ctx == NULL || EVP_PKEY_keygen_init(ctx) != 1 ||
		EVP_PKEY_CTX_set_ec_paramgen_curve_nid(ctx, NID_X9_62_prime256v1) != 1 || EVP_PKEY_keygen(ctx, &key) != 1)
		key = NULL;
	EVP_PKEY_CTX_free(ctx);
	return key;
}

static X509 *make_certificate(EVP_PKEY *key, const char *name)
{
	X509 *cert = X509_new();
	char names[128];
	X509_EXTENSION *extension;

	snprintf(names, sizeof(names), "DNS:%s", name);
	X509_set_version(cert, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(cert), 1);
	X509_gmtime_adj(X509_getm_notBefore(cert), -3600);
	X509_gmtime_adj(X509_getm_notAfter(cert), 3600);
	X509_set_pubkey(cert, key);
	X509_NAME_add_entry_by_txt(X509_get_subject_name(cert), "CN", MBSTRING_ASC, (const unsigned char *)name, -1, -1, 0);
	X509_set_issuer_name(cert, X509_get_subject_name(cert));
	extension = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
	X509_add_ext(cert, extension, -1);
	X509_EXTENSION_free(extension);
	X509_sign(cert, key, EVP_sha256());
	return cert;
}

bool tls_peer_certificate(const char *name, const char *cert_path, const char *key_path)
{
	EVP_PKEY *key = make_key();
	X509 *cert = key != NULL ? make_certificate(key, name) : NULL;
	FILE *cert_file = fopen(cert_path, "w"), *key_file = fopen(key_path, "w");
	bool ok = cert != NULL && cert_file != NULL && key_file != NULL && PEM_write_X509(cert_file, cert) == 1 &&
		PEM_write_PrivateKey(key_file, key, NULL, NULL, 0, NULL, NULL) == 1;

	if (cert_file != NULL)
		fclose(cert_file);
	if (key_file != NULL)
		fclose(key_file);
	X509_free(cert);
	EVP_PKEY_free(key);
	return ok;
}

static bool open_connection(tls_peer *peer, int fd)
{
	peer->fd = fd;
	peer->ssl = SSL_new(peer->ctx);
	if (peer->ssl == NULL || SSL_set_fd(peer->ssl, fd) != 1)
		return false;
	SSL_set_accept_state(peer->ssl);
	return true;
}

bool tls_peer_init(tls_peer *peer, int fd, const char *cert_path, const char *key_path, int version)
{
	peer->ctx = SSL_CTX_new(TLS_server_method());
	if (peer->ctx == NULL || SSL_CTX_use_certificate_file(peer->ctx, cert_path, SSL_FILETYPE_PEM) != 1 ||
		SSL_CTX_use_PrivateKey_file(peer->ctx, key_path, SSL_FILETYPE_PEM) != 1 ||
		SSL_CTX_set_max_proto_version(peer->ctx, version) != 1)
		return false;
	SSL_CTX_set_mode(peer->ctx, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
	return open_connection(peer, fd);
}

bool tls_peer_again(tls_peer *peer, int fd)
{
	SSL_free(peer->ssl);
	close(peer->fd);
	return open_connection(peer, fd);
}

void tls_peer_destroy(tls_peer *peer)
{
	SSL_free(peer->ssl);
	SSL_CTX_free(peer->ctx);
	if (peer->fd >= 0)
		close(peer->fd);
	memset(peer, 0, sizeof(*peer));
	peer->fd = -1;
}

#endif
