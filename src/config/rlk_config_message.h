/*
 * rlk_config_message: what a wrong option is told.
 *
 * Messages name the option, what is allowed and what was given. They show
 * numbers, never strings, since a string may be a password in the wrong place.
 * Only rlk_config*.c include this.
 */
#ifndef RLK_CONFIG_MESSAGE_H
#define RLK_CONFIG_MESSAGE_H

#include "base/rlk_error.h"
#include "config/rlk_config_table.h"
#include "config/rlk_value.h"

/* Room for what the next two write. */
#define RLK_CONFIG_SHOWN_MAX 64

/* A name for a message: everything but plain printable ASCII as \xNN, cut to fit. Returns buf. */
const char *rlk_config_show(rlk_str s, char *buf, size_t size);

/* What a value's type is called: "int", "array", or a class. Returns buf, or a constant. */
const char *rlk_config_type_name(const rlk_value *value, char *buf, size_t size);

/* Each fails with `option "x" must be <allowed>`, and as far as it may be told, what was given. All return false. */
bool rlk_config_wrong_type(const rlk_option_row *row, const rlk_value *value, const char *allowed, rlk_error *err);
bool rlk_config_wrong_text(const rlk_option_row *row, const char *allowed, rlk_error *err);
bool rlk_config_wrong_number(const rlk_option_row *row, double number, bool quiet, const char *allowed, rlk_error *err);

/* Refuses a list of servers that has none, and the empty string that an unset variable leaves in its place: nobody meant
 * the default server by it. false: it is something else. */
bool rlk_config_is_empty_list(const rlk_option_row *row, const rlk_value *value, int most, rlk_error *err);

/* Fails because of something that is not built yet. `key_prefix` says where the key stands: "" or "options.". */
bool rlk_config_unsupported(const char *key_prefix, rlk_str key, const char *missing, rlk_error *err);

/* Fails for want of memory. Returns false. */
bool rlk_config_no_memory(rlk_error *err);

#endif
