/*
 * rlk_intro: what a connection says first: AUTH, SELECT and CLIENT SETNAME, as the endpoint demands, in one write.
 */
#ifndef RLK_INTRO_H
#define RLK_INTRO_H

#include "base/rlk_buf.h"
#include "base/rlk_error.h"
#include "net/rlk_endpoint.h"
#include "net/rlk_reply.h"

/* Appends the requests; *replies is how many answers they get, the one to AUTH first. The buffer then holds the
 * password: rlk_buf_wipe() it. false: memory is out, the buffer may hold a part. */
bool rlk_intro_append(const rlk_endpoint *endpoint, rlk_buf *out, unsigned *replies);

/* What the error reply to one of them means. `first`: it is to the first. */
void rlk_intro_refused(const rlk_endpoint *endpoint, bool first, const rlk_reply *reply, rlk_error *err);

#endif
