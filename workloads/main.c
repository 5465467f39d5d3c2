// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run one workload between the markers that the plugin counts by.
 *
 *   workload [-p PAGES] [-n OPS] [-t THREADS] [-m] [-k KIND] NAME
 *
 * To be started by something that has set the affinity already (taskset), so
 * that the mm is at home from its first instruction: it never runs elsewhere.
 * -m moves to another CPU first, once. -t starts that many threads which keep
 * the other CPUs busy within this mm. -k maps the buffer with base pages (the
 * default), contpte (folios of 64K, if these are enabled for madvise, or, of
 * shmem, always), thp, hugetlb, hugetlb64k, hugetlb32m, or hugetlb1g; or file, a
 * file in the current directory.
 *
 * Writes two records, of the same number of windows: empty ones, which cost
 * what measuring costs, and the real ones. What each is goes to stdout.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "workload.h"

static const struct workload *const workloads[] = {
	&mprotect_none_rw, &mprotect_none_ro, &mprotect_rw_ro, &mprotect_ro_rw,
	&uffd_wp, &uffd_wp_zero, &reuse, &cow, &dirty, &dirty_private, &dirty_swapped,
	&forkexec, &pingpong,
	&unmap, &unmap_sparse, &unmap_half, &move, &move_table,
	&madvise_dontneed, &madvise_free, &madvise_cold, &madvise_pageout, &madvise_swap,
	&madvise_collapse, &madvise_split,
};

#define NR_WORKLOADS	(sizeof(workloads) / sizeof(workloads[0]))

size_t page_size;

static const char *kind = "base";
static atomic_int busy;

void die(const char *what)
{
	fprintf(stderr, "workload: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* Pages of a file, all of which are there, or of none. */
static int buf_file(size_t len)
{
	char name[] = "workload.XXXXXX", page[page_size];
	size_t i;
	int fd;

	if (strcmp(kind, "file"))
		return -1;
	fd = mkstemp(name);
	if (fd < 0)
		die("mkstemp");
	unlink(name);
	memset(page, 0, page_size);
	for (i = 0; i < len; i += page_size) {
		if (write(fd, page, page_size) != (ssize_t)page_size)
			die("write");
	}
	if (fsync(fd))
		die("fsync");

	return fd;
}

void map_shared_buf(size_t len)
{
	int fd = buf_file(len);
	int flags = MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0);

	if (mmap(BUF, len, PROT_READ | PROT_WRITE, flags | MAP_FIXED_NOREPLACE, fd, 0) != BUF)
		die("mmap");
}

void map_buf(size_t len)
{
	int fd = buf_file(len);
	int hugetlb = !strcmp(kind, "hugetlb") ? MAP_HUGETLB :
		      !strcmp(kind, "hugetlb64k") ? MAP_HUGETLB | 16 << MAP_HUGE_SHIFT :
		      !strcmp(kind, "hugetlb32m") ? MAP_HUGETLB | 25 << MAP_HUGE_SHIFT :
		      !strcmp(kind, "hugetlb1g") ? MAP_HUGETLB | 30 << MAP_HUGE_SHIFT : 0;
	void *p = mmap(BUF, len, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | (fd < 0 ? MAP_ANONYMOUS : 0) | MAP_FIXED_NOREPLACE | hugetlb,
		       fd, 0);

	if (p != BUF)
		die("mmap");
	if (strcmp(kind, "base") && fd < 0 && !hugetlb && madvise(BUF, len, MADV_HUGEPAGE))
		die("MADV_HUGEPAGE");
}

void touch_buf(size_t len)
{
	size_t i;

	for (i = 0; i < len; i += page_size)
		*(volatile char *)(BUF + i) = 1;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static int home(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set))
		die("sched_getaffinity");
	if (CPU_COUNT(&set) != 1) {
		fprintf(stderr, "workload: start me on one CPU: taskset -c 0 workload ...\n");
		exit(2);
	}

	return sched_getcpu();
}

/*
 * Writes nothing: a page that it wrote to would fault after each fork. YIELD
 * makes an emulator that runs all CPUs on one thread go on to the next one.
 */
static void *spin(void *cpu)
{
	pin((long)cpu);
	atomic_fetch_add(&busy, 1);
	for (;;)
		asm volatile("yield" : : : "memory");

	return NULL;
}

static void start_threads(int n, int cpu)
{
	long other = 0, i;
	pthread_t t;

	for (i = 0; i < n; i++, other++) {
		if (other == cpu)
			other++;
		if (pthread_create(&t, NULL, spin, (void *)other))
			die("pthread_create");
	}
	while (atomic_load(&busy) < n)
		usleep(1000);
}

static void empty(const struct workload *w)
{
	PHASE(1);
	STOP();
	if (w->phases[1]) {
		PHASE(2);
		STOP();
	}
	if (w->phases[2]) {
		PHASE(3);
		STOP();
	}
}

static void describe(const char *what, const struct workload *w, long pages,
		     long threads, bool moved, long ops)
{
	int i;

	printf("%s name=%s", what, w->name);
	if (strcmp(kind, "base"))
		printf(":%s", kind);
	printf(" pages=%ld threads=%ld where=%s ops=%ld", pages, threads,
	       threads ? "-" : moved ? "migrated" : "home", ops);
	for (i = 0; i < NR_PHASES && w->phases[i]; i++)
		printf(" phase%d=%s", i + 1, w->phases[i]);
	printf("\n");
}

static long number(const char *arg, long min, long max)
{
	char *end;
	long val = strtol(arg, &end, 10);

	if (*end || end == arg || val < min || val > max) {
		fprintf(stderr, "workload: %s is not a number from %ld to %ld\n", arg, min, max);
		exit(2);
	}

	return val;
}

int main(int argc, char **argv)
{
	long pages = 16, ops = 100, threads = 0, nr_cpus, i;
	const struct workload *w = NULL;
	bool move = false;
	int opt, cpu;

	page_size = sysconf(_SC_PAGESIZE);
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);

	while ((opt = getopt(argc, argv, "p:n:t:mk:")) != -1) {
		switch (opt) {
		case 'p':
			pages = number(optarg, 1, 1L << 20);
			break;
		case 'n':
			ops = number(optarg, 1, 1L << 20);
			break;
		case 't':
			threads = number(optarg, 0, nr_cpus - 1);
			break;
		case 'm':
			move = true;
			break;
		case 'k':
			kind = optarg;
			break;
		default:
			return 2;
		}
	}
	for (i = 0; i < (long)NR_WORKLOADS && argv[optind]; i++) {
		if (!strcmp(workloads[i]->name, argv[optind]))
			w = workloads[i];
	}
	if (!w) {
		fprintf(stderr, "usage: workload [-p PAGES] [-n OPS] [-t THREADS] [-m] [-k KIND] NAME\nNAME:");
		for (i = 0; i < (long)NR_WORKLOADS; i++)
			fprintf(stderr, " %s", workloads[i]->name);
		fprintf(stderr, "\n");
		return 2;
	}

	/* For who wants to see them run, and does not count. */
	if (getenv("WORKLOAD_FEW"))
		ops = (ops + 9) / 10;

	cpu = home();
	/*
	 * Whoever started us may not have run since its fork, and then has pages to
	 * copy, by broadcast if it has been on two CPUs. Let that be over.
	 */
	usleep(20000);
	if (move) {
		cpu = (cpu + 1) % nr_cpus;
		pin(cpu);
	}
	start_threads(threads, cpu);

	w->setup(pages * page_size);
	/* Once before counting: page tables and caches of the kernel exist. */
	for (i = 0; i < 3; i++)
		w->op(pages * page_size);
	MARK(126);
	describe("discard", w, pages, threads, move, 3);

	for (i = 0; i < ops; i++)
		empty(w);
	MARK(126);
	describe("empty", w, pages, threads, move, ops);

	for (i = 0; i < ops; i++)
		w->op(pages * page_size);
	MARK(126);
	describe("record", w, pages, threads, move, ops);

	return 0;
}
