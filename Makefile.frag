# The developers' everyday commands. Included by the Makefile that configure writes, and by GNUmakefile in a
# fresh clone.

.PHONY: unit check format format-check lua arginfo api check-layers model simulate

# What every day needs, without installing packages.
check:
	@$(srcdir)/scripts/test.sh --no-install

# The tests that need neither PHP nor Redis.
unit:
	@$(srcdir)/scripts/unit.sh

format:
	@$(srcdir)/scripts/dev/format.sh

format-check:
	@$(srcdir)/scripts/dev/format.sh --check

# src/lock/rlk_scripts.c from lua/
lua:
	@$(srcdir)/scripts/dev/embed-lua.php

# redislock_arginfo.h from redislock.stub.php
arginfo:
	@$(srcdir)/scripts/dev/arginfo.sh

# docs/reference/api.md and stubs/redislock.php from redislock.stub.php
api:
	@php -n $(srcdir)/scripts/dev/api.php

check-layers:
	@$(srcdir)/scripts/ci/check-layers.sh

# The Promela model of the waiting protocol; some minutes.
model:
	@$(srcdir)/scripts/long/model.sh

# The client in simulated worlds, 20,000 of them.
simulate:
	@$(srcdir)/scripts/ci/simulate.sh
