# unit.mk: builds the unit tests for scripts/unit.sh, which sets OUT, CC, FLAGS and LIBS; and, for the tests on Windows, AR,
# SYSTEM=win32 and EXE=.exe. Run from the top of the tree.
#
# Every test is linked with an archive of all PHP-free sources. A line in a test
#     /* unit: add tests/unit/fake_server.c */
# links one more file, and
#     /* unit: link -Wl,--wrap=malloc */
# passes an option to the linker: this one puts __wrap_malloc() in the place of malloc(). On Windows a line
#     /* unit: POSIX only: it forks */
# leaves the test out there.

SYSTEM ?= posix
EXE ?=
OTHER := $(if $(filter win32, $(SYSTEM)),posix,win32)
SOURCES := $(filter-out %_$(OTHER).c, $(sort $(wildcard $(addsuffix /*.c, src/base src/net src/redis src/lock src/renew src/hold src/config))))
NOT_HERE := $(if $(filter win32, $(SYSTEM)),$(shell grep -l '^/\* unit: POSIX only: ' tests/unit/test_*.c))
TESTS := $(patsubst tests/unit/%.c, %, $(filter-out $(NOT_HERE), $(sort $(wildcard tests/unit/test_*.c))))

object = $(patsubst %.c, $(OUT)/%.o, $(1))
extra = $(shell sed -n 's|^/\* unit: add \([^ ]*\) \*/$$|\1|p' tests/unit/$(1).c)
linked = $(shell sed -n 's|^/\* unit: link \(.*\) \*/$$|\1|p' tests/unit/$(1).c)

.PHONY: all
all: $(addprefix $(OUT)/, $(addsuffix $(EXE), $(TESTS)))

define program
$(OUT)/$(1)$(EXE): $(call object, tests/unit/$(1).c $(call extra,$(1)))
$(OUT)/$(1)$(EXE): LINK := $(call linked,$(1))
endef
$(foreach test, $(TESTS), $(eval $(call program,$(test))))

$(addprefix $(OUT)/, $(addsuffix $(EXE), $(TESTS))): $(OUT)/sources.a
	$(CC) $(FLAGS) -o $@ $(filter %.o, $^) $(OUT)/sources.a $(LINK) $(LIBS)

$(OUT)/sources.a: $(call object, $(SOURCES)) $(OUT)/flags
	@rm -f $@
	$(AR) rcs $@ $(filter %.o, $^)

$(OUT)/%.o: %.c $(OUT)/flags
	@mkdir -p $(@D)
	$(CC) $(FLAGS) -Isrc -Itests/unit -MMD -MP -c -o $@ $<

# Rewritten by unit.sh when compiler, flags or the list of sources are others than last time.
$(OUT)/flags: ;

-include $(shell find $(OUT) -name '*.d' 2>/dev/null)
