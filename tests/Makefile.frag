# For a plain "make test", which reads no php.ini and looks for extensions in modules/ only: loads those the tests use
# where they are no part of PHP itself. scripts/lib.sh does the same for scripts/phpt.sh.
PHP_TEST_SHARED_EXTENSIONS += ` \
	for name in posix sockets pcntl; do \
		if test -f "$(EXTENSION_DIR)/$$name.so" && ! $(PHP_EXECUTABLE) -n -m | grep -qx $$name; then \
			echo "-d extension=$(EXTENSION_DIR)/$$name.so"; \
		fi; \
	done`
