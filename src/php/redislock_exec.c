/*
 * redislock_exec: RedisLock::exec(). The process becomes another program and keeps its locks: same pid, no PHP left. The
 * renewal child, which watches the pid, goes on (rlk_renewal_hand_over()).
 */
#include "php/redislock_object.h"

#include "php/redislock_errors.h"
#include "php/redislock_thread.h"

#include <zend_exceptions.h>
#include <zend_virtual_cwd.h>
#ifdef VIRTUAL_DIR
#include <fcntl.h>
#endif
#ifdef ZEND_SIGNALS
#include <signal.h>
#include <zend_signal.h>
#endif

/* Room for words, behind which NULL stands. */
static char **new_words(uint32_t most)
{
	return ecalloc(most + 1, sizeof(char *));
}

static void free_words(char **words)
{
	for (char **word = words; *word != NULL; word++)
		efree(*word);
	efree(words);
}

/* A program gets C strings. NULL: exception thrown. */
static zend_string *read_word(zval *value, uint32_t argument)
{
	zend_string *word;

	ZVAL_DEREF(value);
	if (Z_TYPE_P(value) == IS_ARRAY) {
		zend_argument_type_error(argument, "must be an array of strings");
		return NULL;
	}
	word = zval_try_get_string(value);
	if (word == NULL || strlen(ZSTR_VAL(word)) == ZSTR_LEN(word))
		return word;
	zend_argument_value_error(argument, "must not contain any null bytes");
	zend_string_release(word);
	return NULL;
}

static bool read_arguments(char **words, HashTable *args)
{
	zval *value;

	ZEND_HASH_FOREACH_VAL (args, value) {
		zend_string *word = read_word(value, 2);

		if (word == NULL)
			return false;
		*words++ = estrdup(ZSTR_VAL(word));
		zend_string_release(word);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

static bool read_environment(char **words, HashTable *env)
{
	zend_string *name;
	zend_ulong number;
	zval *value;

	ZEND_HASH_FOREACH_KEY_VAL (env, number, name, value) {
		zend_string *word;

		if (name != NULL &&
			(ZSTR_LEN(name) == 0 || strchr(ZSTR_VAL(name), '=') != NULL || strlen(ZSTR_VAL(name)) != ZSTR_LEN(name))) {
			zend_argument_value_error(3, "must have names of variables as keys, without \"=\" and null bytes");
			return false;
		}
		word = read_word(value, 3);
		if (word == NULL)
			return false;
		if (name != NULL)
			spprintf(words++, 0, "%s=%s", ZSTR_VAL(name), ZSTR_VAL(word));
		else
			spprintf(words++, 0, ZEND_ULONG_FMT "=%s", number, ZSTR_VAL(word));
		zend_string_release(word);
	}
	ZEND_HASH_FOREACH_END();
	return true;
}

/* May this object hand its lock over? false: exception thrown. */
static bool may_hand_over(redislock_object *object)
{
	redislock_record *record = object->records;
	redislock_hold *hold = record->hold;
	rlk_lost_reason lost = record->entries > 0 ? rlk_hold_note_loss(&hold->life) : RLK_LOST_NOT;

	if (lost != RLK_LOST_NOT)
		redislock_throw_lost(hold->name, lost, NULL);
	else if (!redislock_record_is_held(record))
		redislock_throw_misuse(hold->name, "is not held by this object");
	else if (hold->life.slot == RLK_SLOT_NONE)
		redislock_throw_misuse(hold->name, "is a lease; only a process-bound lock can be handed to a program");
	return EG(exception) == NULL && !redislock_record_is_in_use(record);
}

/* PHP catches some signals at its start even if they were ignored, as SIGHUP is by nohup, and only pretends to ignore them.
 * Makes the system ignore them, so that the program does, too. */
static void pass_on_ignored(void)
{
#ifdef ZEND_SIGNALS
	static const int caught[] = { SIGPROF, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
	const struct sigaction ignore = { .sa_handler = SIG_IGN };

	for (size_t i = 0; i < sizeof(caught) / sizeof(caught[0]); i++) {
		if (SIGG(handlers)[caught[i] - 1].handler == (void *)SIG_IGN)
			sigaction(caught[i], &ignore, NULL);
	}
#endif
}

/* Returns the error. A thread has a folder of its own, which the system does not know: the program begins there. */
static int become_in_folder(const char *program, char **args, char **env)
{
#ifdef VIRTUAL_DIR
	int before = open(".", O_RDONLY | O_CLOEXEC);
	char folder[MAXPATHLEN];
	int error;

	if (VCWD_GETCWD(folder, sizeof(folder)) == NULL || chdir(folder) != 0)
		error = errno;
	else
		error = rlk_os_become(program, args, env);
	if (before >= 0) {
		if (fchdir(before) != 0)
			error = errno;
		close(before);
	}
	return error;
#else
	return rlk_os_become(program, args, env);
#endif
}

/* Returns only on failure: exception thrown, and for PHP code nothing has changed. */
static void become(redislock_hold *hold, const char *program, char **args, char **env, int64_t grace_ms)
{
	zend_long limit = EG(timeout_seconds);
	char text[96];
	rlk_error err;
	int error;

	rlk_error_clear(&err);
	if (redislock_thread_serves_requests()) {
		rlk_error_set(&err, RLK_ERR_RENEWAL, 0, "a process that serves requests must not become another program");
		redislock_hold_throw(hold, &err);
		return;
	}
	if (!rlk_renewal_hand_over(&redislock_renewal, grace_ms, &err)) {
		redislock_hold_throw(hold, &err);
		return;
	}
	/* The program gets the mask of signals that PHP code has set, and not PHP's time limit, which would survive. */
	redislock_thread_end_interrupts();
	if (limit > 0)
		zend_unset_timeout();
	pass_on_ignored();
	redislock_drain_finish(&RLG(drain), &RLG(host));
	error = become_in_folder(program, args, env);
	if (limit > 0)
		zend_set_timeout(limit, false);
	redislock_thread_begin_interrupts();
	rlk_renewal_take_back(&redislock_renewal);
	redislock_thread_interrupt(); /* of a loss that this thread may have missed meanwhile */
	zend_throw_exception_internal(redislock_make_about(redislock_ce_Exception, hold->name, ": %s cannot be run: %s",
		program, rlk_error_strerror(error, text, sizeof(text))));
}

PHP_METHOD(RedisLock, exec)
{
	zend_string *program;
	HashTable *args = NULL, *env = NULL;
	double grace = 10;
	char **arg_words, **env_words;
	int64_t grace_ms;
	rlk_error err;

	ZEND_PARSE_PARAMETERS_START(1, 4)
		Z_PARAM_PATH_STR(program)
		Z_PARAM_OPTIONAL
		Z_PARAM_ARRAY_HT(args)
		Z_PARAM_ARRAY_HT_OR_NULL(env)
		Z_PARAM_DOUBLE(grace)
	ZEND_PARSE_PARAMETERS_END();

	FETCH_NAMED(object);
	rlk_error_clear(&err);
	if (ZSTR_LEN(program) == 0) {
		zend_argument_value_error(1, "must not be empty");
		RETURN_THROWS();
	}
	if (!rlk_config_seconds(grace, true, true, "it", &grace_ms, &err)) {
		redislock_throw_argument(&err, 4);
		RETURN_THROWS();
	}
	arg_words = new_words(1 + (args != NULL ? zend_hash_num_elements(args) : 0));
	env_words = new_words(env != NULL ? zend_hash_num_elements(env) : 0);
	arg_words[0] = estrdup(ZSTR_VAL(program));
	/* Asked last: an argument's __toString() may have released the lock. */
	if ((args == NULL || read_arguments(arg_words + 1, args)) && (env == NULL || read_environment(env_words, env)) &&
		may_hand_over(object))
		become(object->records->hold, ZSTR_VAL(program), arg_words, env != NULL ? env_words : NULL, grace_ms);
	free_words(arg_words);
	free_words(env_words);
	redislock_interrupt_go_on();
}
