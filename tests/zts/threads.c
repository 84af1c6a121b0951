/*
 * threads: a host that runs PHP requests in several threads at once.
 *
 *     threads MODULE[:MODULE]... RENEWAL SCRIPT REQUESTS=ARGUMENT...
 *
 * One thread per last argument runs SCRIPT in so many requests, one after the other, with the constants THREAD,
 * REQUEST and ARGUMENT. Prints "idle" when all of them have ended, then waits for the end of its input: what is still there
 * between the requests of a server can be looked at. Starting and judging is threads.php's business.
 */
#include <sapi/embed/php_embed.h>

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 16

ZEND_TSRMLS_CACHE_DEFINE()

typedef struct {
	pthread_t id;
	int number;
	int requests;
	const char *argument;
} php_thread;

static const char *script;

static void run_request(const php_thread *thread, int number)
{
	zend_file_handle file;

	if (php_request_startup() != SUCCESS)
		abort();
	SG(headers_sent) = 1;
	SG(request_info).no_headers = 1;
	zend_first_try {
		zend_register_long_constant("THREAD", sizeof("THREAD") - 1, thread->number, 0, 0);
		zend_register_long_constant("REQUEST", sizeof("REQUEST") - 1, number, 0, 0);
		zend_register_string_constant("ARGUMENT", sizeof("ARGUMENT") - 1, thread->argument, 0, 0);
		zend_stream_init_filename(&file, script);
		php_execute_script(&file);
		zend_destroy_file_handle(&file);
	}
	zend_end_try();
	php_request_shutdown(NULL);
}

static void *run_thread(void *arg)
{
	const php_thread *thread = arg;

	(void)ts_resource(0);
	ZEND_TSRMLS_CACHE_UPDATE();
	for (int i = 0; i < thread->requests; i++)
		run_request(thread, i);
	ts_free_thread();
	return NULL;
}

/* As php_embed_init() does it, which has no room for settings of ours and begins a request in this thread. */
static void start_php(char *modules, const char *renewal)
{
	static char settings[4096];
	int len;

	len = snprintf(settings, sizeof(settings),
		"display_errors=1\nhtml_errors=0\nimplicit_flush=1\noutput_buffering=0\n"
		"max_execution_time=0\nredislock.renewal=%s\n",
		renewal);
	for (char *module = strtok(modules, ":"); module != NULL; module = strtok(NULL, ":"))
		len += snprintf(settings + len, sizeof(settings) - (size_t)len, "extension=%s\n", module);
	if (!php_tsrm_startup())
		exit(1);
	ZEND_TSRMLS_CACHE_UPDATE();
	zend_signal_startup();
	sapi_startup(&php_embed_module); /* forgets the settings it finds */
	php_embed_module.ini_entries = settings;
	php_embed_module.php_ini_ignore = 1;
	SG(options) |= SAPI_OPTION_NO_CHDIR;
	if (php_embed_module.startup(&php_embed_module) != SUCCESS)
		exit(1);
}

static void stop_php(void)
{
	php_module_shutdown();
	sapi_shutdown();
	tsrm_shutdown();
}

/* As Apache's worker and event do it: no thread hears a signal. */
static void block_signals(void)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
}

int main(int argc, char **argv)
{
	static php_thread threads[THREADS_MAX];
	int count = argc - 4;
	char byte;

	if (count < 1 || count > THREADS_MAX) {
		fprintf(stderr, "usage: threads MODULE[:MODULE]... RENEWAL SCRIPT REQUESTS=ARGUMENT...\n");
		return 2;
	}
	script = argv[3];
	start_php(argv[1], argv[2]);
	block_signals();
	for (int i = 0; i < count; i++) {
		char *end;

		threads[i].number = i;
		threads[i].requests = (int)strtol(argv[4 + i], &end, 10);
		threads[i].argument = *end == '=' ? end + 1 : end;
		if (pthread_create(&threads[i].id, NULL, run_thread, &threads[i]) != 0)
			return 1;
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i].id, NULL);
	printf("idle\n");
	fflush(stdout);
	while (read(STDIN_FILENO, &byte, 1) > 0) {}
	stop_php();
	return 0;
}
