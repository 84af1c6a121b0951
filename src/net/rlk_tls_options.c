/*
 * rlk_tls_options: see the header.
 */
#include "net/rlk_tls_options.h"

#define TEXTS 6

static void texts_of(rlk_tls_options *options, char **texts[TEXTS])
{
	texts[0] = &options->peer_name;
	texts[1] = &options->cafile;
	texts[2] = &options->capath;
	texts[3] = &options->local_cert;
	texts[4] = &options->local_pk;
	texts[5] = &options->passphrase;
}

bool rlk_tls_options_copy(rlk_tls_options *to, const rlk_tls_options *from)
{
	char **texts[TEXTS];
	bool ok = true;

	*to = *from;
	texts_of(to, texts);
	for (int i = 0; i < TEXTS; i++) {
		const char *text = *texts[i];

		*texts[i] = NULL;
		ok = rlk_str_store(texts[i], rlk_str_from_cstr(text)) && ok;
	}
	return ok;
}

void rlk_tls_options_destroy(rlk_tls_options *options)
{
	char **texts[TEXTS];

	texts_of(options, texts);
	for (int i = 0; i < TEXTS; i++)
		rlk_str_store(texts[i], rlk_str_make(NULL, 0));
}

bool rlk_tls_options_append(const rlk_tls_options *options, rlk_buf *out)
{
	rlk_tls_options copy = *options; /* its strings are only looked at */
	char flags[] = { copy.no_verify_peer ? '1' : '0', copy.no_verify_name ? '1' : '0',
		copy.allow_self_signed ? '1' : '0' };
	char **texts[TEXTS];
	bool ok;

	texts_of(&copy, texts);
	ok = rlk_buf_append(out, flags, sizeof(flags));
	for (int i = 0; ok && i < TEXTS; i++) {
		/* "Not given" differs from empty. */
		ok = rlk_buf_append(out, *texts[i] != NULL ? "+" : "-", 1) &&
			(*texts[i] == NULL || rlk_buf_append(out, *texts[i], strlen(*texts[i]) + 1));
	}
	return ok;
}
