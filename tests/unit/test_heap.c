/* unit: POSIX only: there is no heap to keep out of a fork */
/*
 * test_heap: which mappings are left out of the renewal child, told by made-up maps files.
 */
#include "renew/rlk_heap.h"
#include "unit.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/rlk_heapXXXXXX";
static FILE *file;
static rlk_heap_ranges ranges;
static const rlk_images nothing;

static bool begin(void)
{
	file = fopen(path, "w");
	return file != NULL;
}

static bool collect(uintptr_t stack)
{
	fclose(file);
	memset(&ranges, 0xff, sizeof(ranges));
	return rlk_heap_collect_text(path, &nothing, stack, &ranges);
}

/* A line as the kernel writes it: the path starts in column 74. */
static void line(const char *range, const char *perms, const char *inode, const char *name)
{
	int n = fprintf(file, "%s %s 00000000 00:00 %s ", range, perms, inode);

	if (name[0] != '\0')
		fprintf(file, "%*s%s", n < 73 ? 73 - n : 1, "", name);
	fputc('\n', file);
}

static void leaves_out_anonymous_memory(void)
{
	CHECK(begin());
	line("7f0000000000-7f0000400000", "rw-p", "0", "");
	line("7f0001000000-7f0001200000", "rw-p", "0", "[anon:zend_alloc]");
	line("55d000000000-55d000800000", "rw-p", "0", "[heap]");
	CHECK(collect(0));
	CHECK_INT(ranges.count, 3);
	CHECK_INT(ranges.range[0].start, 0x7f0000000000);
	CHECK_INT(ranges.range[0].end, 0x7f0000400000);
	CHECK_INT(ranges.range[1].start, 0x7f0001000000);
	CHECK_INT(ranges.range[1].end, 0x7f0001200000);
	CHECK_INT(ranges.range[2].start, 0x55d000000000);
}

static void keeps_everything_else(void)
{
	CHECK(begin());
	line("7f0000000000-7f0000400000", "rw-s", "0", ""); /* shared: our own area is one */
	line("7f0001000000-7f0001400000", "rw-s", "4242", "/dev/zero (deleted)");
	line("7f0002000000-7f0002400000", "rw-p", "131072", "/usr/lib/libphp.so"); /* a library's data */
	line("7f0003000000-7f0003400000", "rw-p", "17", "/memfd:opcache (deleted)");
	line("7f0004000000-7f0004400000", "r--p", "0", ""); /* read-only */
	line("7f0005000000-7f0005400000", "---p", "0", ""); /* a guard */
	line("7f0006000000-7f0006400000", "rwxp", "0", ""); /* compiled code, which we may run */
	line("7ffc00000000-7ffc00800000", "rw-p", "0", "[stack]");
	line("7ffd00000000-7ffd00400000", "rw-p", "0", "[vvar]");
	line("7f0007000000-7f000703f000", "rw-p", "0", ""); /* one page less than large */
	CHECK(collect(0));
	CHECK_INT(ranges.count, 0);
}

static bool is_in(uintptr_t address)
{
	for (size_t i = 0; i < ranges.count; i++) {
		if (address >= ranges.range[i].start && address < ranges.range[i].end)
			return true;
	}
	return false;
}

/* The kernel joins neighbours: what the child needs may lie in a large mapping. */
static void keeps_what_the_child_needs(void)
{
	rlk_images images;
	char range[64];
	uintptr_t needed[] = { (uintptr_t)&errno, (uintptr_t)rlk_images_find, (uintptr_t)getpid };

	CHECK(rlk_images_find(&images));
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		CHECK(begin());
		snprintf(range, sizeof(range), "%lx-%lx", (unsigned long)(needed[i] - 0x200000),
			(unsigned long)(needed[i] + 0x200000));
		line(range, "rw-p", "0", "");
		line("700000000000-700000400000", "rw-p", "0", "");
		fclose(file);
		CHECK(rlk_heap_collect_text(path, &images, 0, &ranges));
		CHECK(!is_in(needed[i]));
		CHECK(is_in(0x700000000000));
	}
	/* The data of this thread takes little of what it was joined with: the rest is left out as before. */
	CHECK(begin());
	snprintf(range, sizeof(range), "%lx-%lx", (unsigned long)(needed[0] - 0x2000000),
		(unsigned long)(needed[0] + 0x1000));
	line(range, "rw-p", "0", "");
	fclose(file);
	CHECK(rlk_heap_collect_text(path, &nothing, 0, &ranges));
	CHECK_INT(ranges.count, 1);
	CHECK_INT(ranges.range[0].start, needed[0] - 0x2000000);
	CHECK(ranges.range[0].end > needed[0] - 0x20000 && ranges.range[0].end < needed[0]);
}

static void takes_a_quarter_of_a_megabyte_as_large(void)
{
	CHECK_INT(RLK_HEAP_MAPPING_MIN, 0x40000);
	CHECK(begin());
	line("7f0000000000-7f0000040000", "rw-p", "0", "");
	line("7f0001000000-7f000103ffff", "rw-p", "0", "");
	CHECK(collect(0));
	CHECK_INT(ranges.count, 1);
	CHECK_INT(ranges.range[0].end, 0x7f0000040000);
}

/* The stack of a fiber is an unnamed mapping like any other. */
static void keeps_the_stack_in_use(void)
{
	static const struct {
		uintptr_t stack;
		size_t left;
	} cases[] = {
		{ 0x7f00011fff00, 2 },
		{ 0x7f0001000000, 2 },
		{ 0x7f00011fffff, 2 },
		{ 0x7f0001200000, 2 },
		{ 0x7f0001400000, 3 },
		{ 0x7f0000ffffff, 3 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		CHECK(begin());
		line("7f0000000000-7f0000200000", "rw-p", "0", "");
		line("7f0001000000-7f0001200000", "rw-p", "0", "");
		line("7f0001200000-7f0001400000", "rw-p", "0", "[anon:zend_alloc]");
		CHECK(collect(cases[i].stack));
		CHECK_INT(ranges.count, cases[i].left);
	}
}

/* The file is read in pieces: no line may suffer from lying across two of them, nor from a long path. */
static void check_many(int lines)
{
	char range[64], name[512];
	size_t large = 0;

	CHECK(begin());
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	name[0] = '/';
	for (int i = 0; i < lines; i++) {
		uintptr_t start = 0x7f0000000000 + (uintptr_t)i * 0x1000000;

		snprintf(range, sizeof(range), "%" PRIxPTR "-%" PRIxPTR, start, start + (i % 3 == 0 ? 0x200000 : 0x1000));
		if (i % 5 == 1) {
			name[40 + i % 400] = '\0';
			line(range, "r-xp", "99", name);
			name[40 + i % 400] = 'x';
			continue;
		}
		line(range, "rw-p", "0", i % 2 == 0 ? "" : "[anon:zend_alloc]");
		if (i % 3 == 0)
			large++;
	}
	CHECK(collect(0));
	CHECK_INT(ranges.count, large);
	for (size_t i = 0; i < ranges.count; i++)
		CHECK_INT(ranges.range[i].end - ranges.range[i].start, 0x200000);
}

static void reads_500_lines(void)
{
	check_many(500);
}

static void reads_2000_lines(void)
{
	check_many(2000);
}

static void stops_when_full(void)
{
	/* Where no system maps anything: of a range that holds this thread's own data, two parts would be left out. */
	const uintptr_t first = 0x200000000000;
	char range[64];

	CHECK(begin());
	for (int i = 0; i < RLK_HEAP_RANGES_MAX + 50; i++) {
		uintptr_t start = first + (uintptr_t)i * 0x1000000;

		snprintf(range, sizeof(range), "%" PRIxPTR "-%" PRIxPTR, start, start + 0x200000);
		line(range, "rw-p", "0", "");
	}
	CHECK(collect(0));
	CHECK_INT(ranges.count, RLK_HEAP_RANGES_MAX);
	CHECK_INT(ranges.range[RLK_HEAP_RANGES_MAX - 1].end,
		first + (uintptr_t)(RLK_HEAP_RANGES_MAX - 1) * 0x1000000 + 0x200000);
}

static void survives_nonsense(void)
{
	CHECK(begin());
	fputs("\n\n-\nnot a mapping at all\n7f0000000000\n7f0000000000-\n7f0000400000-7f0000000000 rw-p 0 0:0 0 \n", file);
	fputs("7f0000000000-7f0000400000\n7f0000000000-7f0000400000 rw-p\n", file);
	CHECK(collect(0));
	CHECK_INT(ranges.count, 0);
	CHECK(begin());
	CHECK(collect(0));
	CHECK_INT(ranges.count, 0);
	CHECK(!rlk_heap_collect_text("/nonexistent/maps", &nothing, 0, &ranges));
	CHECK_INT(ranges.count, 0);
}

/* The real thing: a large block is found, shared memory and the stack are not. */
static bool sees(const char *block, const char *shared)
{
	int here;

	return is_in((uintptr_t)block) && !is_in((uintptr_t)shared) && !is_in((uintptr_t)&here) &&
		!is_in((uintptr_t)getauxval(AT_RANDOM));
}

static void looks_at_this_process(void)
{
	size_t len = 8u << 20;
	char *block = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *shared = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int here;

	CHECK(block != MAP_FAILED && shared != MAP_FAILED);
	memset(block, 'x', len);
	CHECK(rlk_heap_collect_text("/proc/self/maps", &nothing, (uintptr_t)&here, &ranges));
	CHECK(sees(block, shared));
	/* Kernels before 6.11 cannot be asked. */
	if (rlk_heap_collect_query(&nothing, (uintptr_t)&here, &ranges)) {
		CHECK(sees(block, shared));
		CHECK(rlk_heap_collect_query(&nothing, (uintptr_t)block + 4096, &ranges));
		CHECK(!is_in((uintptr_t)block));
	}
	munmap(block, len);
	munmap(shared, len);
}

/* What is marked is not in a copy, and is whole in this process. */
static void marks_and_unmarks(void)
{
	size_t len = 2u << 20;
	char *block = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int status;

	CHECK(block != MAP_FAILED);
	memset(block, 'x', len);
	ranges = (rlk_heap_ranges){ .count = 1, .range = { { (uintptr_t)block, (uintptr_t)block + len } } };
	for (int leave_out = 1; leave_out >= 0; leave_out--) {
		unsigned char pages[1];
		pid_t pid;

		rlk_heap_mark(&ranges, leave_out != 0);
		pid = fork();
		if (pid == 0)
			_exit(mincore(block, 4096, pages) == 0 ? 0 : 1); /* fails where nothing is mapped */
		CHECK(pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status));
		CHECK_INT(WEXITSTATUS(status), leave_out);
	}
	for (size_t i = 0; i < len; i += 4096)
		CHECK_INT(block[i], 'x');
	munmap(block, len);
}

static void tell(rlk_heap_ranges *ranges)
{
	rlk_heap_add(ranges, 0x40000000, 0x40200000);
	rlk_heap_add(ranges, 0x3fe00000, 0x40000000); /* before it */
	rlk_heap_add(ranges, 0x40200000, 0x40400000); /* behind both */
	rlk_heap_add(ranges, 0x50000000, 0x50200000);
	rlk_heap_add(ranges, 0x60000000, 0x60001000); /* not worth it */
}

static void asks_the_host_and_joins_neighbours(void)
{
	static rlk_heap_ranges ranges;

	CHECK(!rlk_heap_collect(&ranges, true));
	CHECK_INT(ranges.count, 0);
	rlk_heap_set_host(tell);
	if (!rlk_heap_collect(&ranges, true))
		tell(&ranges); /* under the address sanitizer, whose shadow is everywhere, nobody is asked */
	CHECK_INT(ranges.count, 2);
	CHECK_INT(ranges.range[0].start, 0x3fe00000);
	CHECK_INT(ranges.range[0].end, 0x40400000);
	CHECK_INT(ranges.range[1].start, 0x50000000);
	rlk_heap_set_host(NULL);
}

int main(void)
{
	int fd = mkstemp(path);

	if (fd < 0)
		return 1;
	close(fd);
	RUN(leaves_out_anonymous_memory);
	RUN(keeps_everything_else);
	RUN(keeps_what_the_child_needs);
	RUN(takes_a_quarter_of_a_megabyte_as_large);
	RUN(keeps_the_stack_in_use);
	RUN(reads_500_lines);
	RUN(reads_2000_lines);
	RUN(stops_when_full);
	RUN(survives_nonsense);
	RUN(looks_at_this_process);
	RUN(marks_and_unmarks);
	RUN(asks_the_host_and_joins_neighbours);
	unlink(path);
	return unit_done();
}
