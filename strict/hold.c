// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold OPERATION [KIND [MS]]: have a translation cached on one CPU, change or
 * remove it from another, and keep both in user space long enough for a
 * translation that should have gone to be noticed by the strict TLB.
 *
 * KIND is base, thp, or hugetlb; MS how long to stay (1000). The program itself
 * judges nothing, but for what a stale translation makes it read or fail to
 * write; it says what it did.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE	4096UL
#define HUGE	(2UL << 20)

static volatile char *mem;	/* HUGE bytes of KIND, at a multiple of HUGE */
static int ms = 1000;
static atomic_int phase;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity");
}

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1e3 + ts.tv_nsec / 1e6;
}

/* In user space: only the timer interrupts. */
static void stay(void)
{
	double end = now() + ms;

	while (now() < end) {
		for (volatile int i = 0; i < 100000; i++)
			;
	}
}

/*
 * A kernel that is to be broken on purpose is so for threads of this name only:
 * what else happens here does not count.
 */
static void broken(bool yes)
{
	prctl(PR_SET_NAME, yes ? "broken" : "hold");
}

static void wait_for(int n)
{
	while (atomic_load(&phase) < n)
		sched_yield();
}

static void map(const char *kind)
{
	bool hugetlb = !strcmp(kind, "hugetlb");
	int flags = MAP_PRIVATE | MAP_ANONYMOUS | (hugetlb ? MAP_HUGETLB : 0);
	char *p = mmap(NULL, hugetlb ? HUGE : 2 * HUGE, PROT_READ | PROT_WRITE, flags, -1, 0);

	if (p == MAP_FAILED)
		die("mmap");
	p = (char *)(((uintptr_t)p + HUGE - 1) & ~(HUGE - 1));
	if (!hugetlb &&
	    madvise(p, HUGE, strcmp(kind, "thp") ? MADV_NOHUGEPAGE : MADV_HUGEPAGE))
		die("madvise");
	memset(p, 1, HUGE);
	mem = p;
}

/* The other CPU: what it caches, and what it does afterwards. */

static void *reads(void *unused)
{
	pin(1);
	(void)mem[PAGE];
	atomic_store(&phase, 1);
	stay();
	stay();
	return NULL;
}

/* A write that no longer gets through never ends. */
static void *reads_then_writes(void *unused)
{
	pin(1);
	wait_for(1);
	(void)mem[PAGE];
	atomic_store(&phase, 2);
	wait_for(3);
	broken(true);
	mem[PAGE] = 3;
	broken(false);
	return NULL;
}

/* What was read-only when it was read, and may have been read again since. */
static void *reads_and_stays(void *unused)
{
	pin(1);
	wait_for(1);
	(void)mem[PAGE];
	atomic_store(&phase, 2);
	wait_for(3);
	stay();
	atomic_store(&phase, 4);
	stay();
	stay();
	return NULL;
}

/*
 * By the kernel, with page faults disabled on btrfs and gfs2: zeroes, from the hole
 * that a file in the current directory is.
 */
static void *reads_then_reads_directly(void *unused)
{
	char name[] = "hold.XXXXXX";
	int hole = mkstemp(name);

	if (hole < 0 || unlink(name) || ftruncate(hole, PAGE) || fcntl(hole, F_SETFL, O_DIRECT))
		die("file for direct I/O in the current directory");
	pin(1);
	wait_for(1);
	(void)mem[PAGE];
	atomic_store(&phase, 2);
	wait_for(3);
	broken(true);
	if (pread(hole, (void *)(mem + PAGE), PAGE, 0) != PAGE)
		die("direct read");
	broken(false);
	if (mem[PAGE])
		printf("hold: what was read is not there\n");
	return NULL;
}

/* The kernel reads and writes user memory under an ASID of its own with KPTI. */
static void *has_the_kernel_write(void *unused)
{
	int zero = open("/dev/zero", O_RDONLY);
	double end;

	pin(1);
	if (zero < 0 || read(zero, (void *)(mem + PAGE), 1) != 1)
		die("/dev/zero");
	atomic_store(&phase, 1);
	for (end = now() + 2 * ms; now() < end;)
		(void)!read(zero, (void *)(mem + PAGE), 1);
	return NULL;
}

static pthread_t other(void *(*fn)(void *))
{
	pthread_t thread;

	pin(0);
	if (pthread_create(&thread, NULL, fn, NULL))
		die("pthread_create");
	return thread;
}

/* The operations */

static void op_munmap(void)
{
	pthread_t thread = other(reads);

	wait_for(1);
	/* The table stays, for its neighbours. */
	broken(true);
	munmap((void *)(mem + PAGE), PAGE);
	broken(false);
	stay();
	pthread_join(thread, NULL);
}

static void op_tables(void)
{
	pthread_t thread = other(reads);

	wait_for(1);
	broken(true);
	munmap((void *)mem, HUGE);
	broken(false);
	stay();
	pthread_join(thread, NULL);
}

static void op_mprotect(void)
{
	pthread_t thread = other(reads);

	wait_for(1);
	broken(true);
	mprotect((void *)mem, HUGE, PROT_READ);
	broken(false);
	stay();
	pthread_join(thread, NULL);
}

static void op_uaccess(void)
{
	pthread_t thread = other(has_the_kernel_write);

	wait_for(1);
	broken(true);
	mprotect((void *)mem, HUGE, PROT_READ);
	broken(false);
	pthread_join(thread, NULL);
}

static void op_fork(void)
{
	pthread_t thread = other(reads);
	pid_t pid;

	wait_for(1);
	broken(true);
	pid = fork();
	if (!pid) {
		pause();
		_exit(0);
	}
	broken(false);
	pthread_join(thread, NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void make_writable(void *(*then)(void *))
{
	pthread_t thread = other(then);
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	/* All is read-only, and nobody else's any more. */
	atomic_store(&phase, 1);
	wait_for(2);
	broken(true);
	mem[PAGE] = 2;
	broken(false);
	atomic_store(&phase, 3);
	pthread_join(thread, NULL);
}

static void op_reuse(void)
{
	make_writable(reads_then_writes);
}

static void op_direct(void)
{
	make_writable(reads_then_reads_directly);
}

/* Made writable without anybody knowing, and read-only again with everybody knowing. */
static void op_regain(void)
{
	pthread_t thread = other(reads_and_stays);
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	atomic_store(&phase, 1);
	wait_for(2);
	mem[PAGE] = 2;
	atomic_store(&phase, 3);
	wait_for(4);
	broken(true);
	mprotect((void *)mem, HUGE, PROT_READ);
	broken(false);
	/* Not in user space: the other CPU is to be the one that is noticed. */
	pthread_join(thread, NULL);
}

/*
 * Many lives at the same address, on one CPU, each with data of its own. More of
 * them at a time than there are ASIDs: one that ends takes its entries along.
 */
#define ALIVE	40
static void op_rollover(void)
{
	pid_t pids[ALIVE] = {};
	int n, status, wrong = 0;

	pin(1);
	for (n = 0; n < 200; n++) {
		pid_t *pid = &pids[n % ALIVE];

		if (*pid) {
			kill(*pid, SIGTERM);
			waitpid(*pid, &status, 0);
			wrong += status != SIGTERM;
		}
		*pid = fork();
		if (!*pid) {
			mem[PAGE] = n;
			sched_yield();
			if (mem[PAGE] != (char)n)
				_exit(1);
			pause();
		}
		sched_yield();
	}
	for (n = 0; n < ALIVE; n++)
		kill(pids[n], SIGKILL);
	while (wait(NULL) > 0)
		;
	if (wrong)
		printf("hold: %d found the data of another\n", wrong);
}

/*
 * Where an address space has been. What is broken here is so for address spaces
 * that belong to a process of that name, from the start.
 */

static void *reads_and_dozes(void *unused)
{
	struct timespec doze = { ms / 1000, ms % 1000 * 1000000 };

	pin(1);
	(void)mem[PAGE];
	/* Nothing else to run here: the CPU holds on to the address space. */
	nanosleep(&doze, NULL);
	atomic_store(&phase, 1);
	nanosleep(&doze, NULL);
	stay();
	return NULL;
}

/* In a child, which has been nowhere yet. */
static void op_in_child(void (*op)(void))
{
	int status;
	pid_t pid;

	broken(true);
	pid = fork();
	if (!pid) {
		op();
		_exit(0);
	}
	broken(false);
	if (waitpid(pid, &status, 0) != pid || status)
		printf("hold: child: status %#x\n", status);
}

static void unmaps_under(void *(*reader)(void *))
{
	pthread_t thread = other(reader);

	wait_for(1);
	munmap((void *)(mem + PAGE), PAGE);
	stay();
	pthread_join(thread, NULL);
}

static void active(void)
{
	unmaps_under(reads);
}

static void op_active(void)
{
	/* The other CPU has an ASID, and takes the fast path to the next one. */
	pin(1);
	pin(0);
	op_in_child(active);
}

/* Nobody but this CPU is concerned, in user space or in the kernel. */
static void home(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	double end;

	if (zero < 0 || read(zero, (void *)(mem + PAGE), 1) != 1)
		die("/dev/zero");
	mem[PAGE] = 2;
	broken(true);
	mprotect((void *)mem, HUGE, PROT_READ);
	stay();
	for (end = now() + ms; now() < end;)
		(void)!read(zero, (void *)(mem + PAGE), 1);
}

static void op_home(void)
{
	pin(0);
	if (!fork()) {
		home();
		_exit(0);
	}
	wait(NULL);
}

static void lazy(void)
{
	unmaps_under(reads_and_dozes);
}

static void op_lazy(void)
{
	op_in_child(lazy);
}

static void *unmaps_from_afar(void *unused)
{
	munmap((void *)(mem + PAGE), PAGE);
	stay();
	return NULL;
}

/*
 * By exec: the program is in its address space on this CPU before anybody could
 * have switched to it, if its parent sleeps by then.
 */
static void first(void)
{
	symlink("/proc/self/exe", "/tmp/broken");
	usleep(100000);
	execl("/tmp/broken", "broken", "first-of-all", NULL);
	die("/tmp/broken");
}

static void op_first_of_all(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(0, &set);
	mem[PAGE] = 1;
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	if (pthread_create(&thread, &attr, unmaps_from_afar, NULL))
		die("pthread_create");
	stay();
	stay();
}

static void op_first(void)
{
	pin(1);
	op_in_child(first);
}

/* More lives than there are ASIDs, on one CPU. */
static void live_on(int cpu)
{
	int i;

	pin(cpu);
	for (i = 0; i < 3 * ALIVE; i++) {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
}

/* ASIDs roll over while a thread stays in user space on the other CPU. */
static void *reads_on(void *unused)
{
	pin(1);
	atomic_store(&phase, 1);
	while (atomic_load(&phase) < 2)
		;
	(void)mem[PAGE];
	atomic_store(&phase, 3);
	stay();
	stay();
	return NULL;
}

/* By another process: a fork here would take write access from the thread there. */
static void reserved(void)
{
	pid_t pid = fork();
	pthread_t thread;

	if (!pid) {
		raise(SIGSTOP);
		live_on(0);
		_exit(0);
	}
	waitpid(pid, NULL, WUNTRACED);
	thread = other(reads_on);
	wait_for(1);
	kill(pid, SIGCONT);
	waitpid(pid, NULL, 0);
	atomic_store(&phase, 2);
	wait_for(3);
	munmap((void *)(mem + PAGE), PAGE);
	stay();
	pthread_join(thread, NULL);
}

static void op_reserved(void)
{
	op_in_child(reserved);
}

/*
 * Having been elsewhere is forgotten when ASIDs roll over, if the CPU there has been
 * through that, and this address space not yet.
 */
static long broadcasts(void)
{
	char line[80];
	long val = -1;
	FILE *f = fopen("/proc/vmstat", "r");

	while (f && fgets(line, sizeof(line), f))
		sscanf(line, "nr_tlb_remote_flush %ld", &val);
	if (f)
		fclose(f);
	return val;
}

static long broadcasts_of(int n)
{
	long before = broadcasts();

	while (n--) {
		mem[PAGE] = 1;
		mprotect((void *)mem, HUGE, PROT_READ);
		mprotect((void *)mem, HUGE, PROT_READ | PROT_WRITE);
	}
	return broadcasts() - before;
}

static void forgotten(void)
{
	long before, after;
	int cpu;

	pin(1);
	pin(0);
	before = broadcasts_of(50);
	for (cpu = 0; cpu < 2; cpu++) {
		if (!fork()) {
			live_on(cpu);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	after = broadcasts_of(50);
	printf("hold: %ld broadcasts after a migration, %ld after that and a rollover\n",
	       before, after);
	if (before < 100 || after > 50)
		exit(1);
}

static void op_forgotten(void)
{
	pid_t pid;
	int status;

	broken(true);
	pin(0);
	pid = fork();
	if (!pid) {
		forgotten();
		exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		exit(1);
}

/*
 * While this CPU is on its way from this address space to that of a new program, ASIDs
 * roll over on the other one. Nothing runs in this address space then, so that it gets
 * another ASID, or the same one anew; and what this CPU has seen of it in between,
 * where the kernel has it look (tlb_walk=), must have gone.
 */
#define WALKED	((volatile char *)0x10000000)

static unsigned long rollovers(void)
{
	FILE *f = fopen("/sys/module/context/parameters/tlb_rollovers", "r");
	unsigned long n = 0;

	if (!f || fscanf(f, "%lu", &n) != 1)
		die("tlb_rollovers");
	fclose(f);
	return n;
}

/* Before this returns, ASIDs roll over, and N more processes get one. */
static void roll_over(int n)
{
	unsigned long before = rollovers();

	while (rollovers() == before || n-- > 0) {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
}

static void goes_to_a_new_program(void)
{
	pid_t runs, rolls;
	unsigned long before = rollovers();

	pin(1);
	runs = fork();
	if (!runs) {
		pin(0);
		for (;;)
			;
	}
	rolls = fork();
	if (!rolls) {
		raise(SIGSTOP);
		roll_over(0);
		_exit(0);
	}
	waitpid(rolls, NULL, WUNTRACED);
	if (mmap((void *)WALKED, PAGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != WALKED)
		die("mmap");
	*WALKED = 1;
	/* The child has this address space, until it has gone. */
	if (!vfork()) {
		pin(0);
		execlp("true", "true", NULL);
		_exit(1);
	}
	usleep(50000);
	kill(rolls, SIGCONT);
	waitpid(rolls, NULL, 0);
	usleep(300000);
	munmap((void *)WALKED, PAGE);
	kill(runs, SIGKILL);
	pin(0);
	stay();
	stay();
	printf("hold: %lu rollovers\n", rollovers() - before);
}

static void op_exec(void)
{
	/* The next rollover gives away the first ones: have another. */
	roll_over(8);
	op_in_child(goes_to_a_new_program);
}

static const struct {
	const char *name;
	void (*run)(void);
} operations[] = {
	{ "munmap", op_munmap }, { "tables", op_tables }, { "mprotect", op_mprotect },
	{ "uaccess", op_uaccess }, { "fork", op_fork }, { "reuse", op_reuse },
	{ "direct", op_direct },
	{ "regain", op_regain }, { "rollover", op_rollover },
	{ "active", op_active }, { "home", op_home }, { "lazy", op_lazy }, { "first", op_first },
	{ "first-of-all", op_first_of_all }, { "reserved", op_reserved },
	{ "forgotten", op_forgotten }, { "exec", op_exec },
};

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[2] : "base";

	if (argc > 3)
		ms = atoi(argv[3]);
	for (size_t i = 0; argc > 1 && i < sizeof(operations) / sizeof(*operations); i++) {
		if (!strcmp(argv[1], operations[i].name)) {
			map(kind);
			operations[i].run();
			printf("hold: %s %s done\n", argv[1], kind);
			return 0;
		}
	}
	fprintf(stderr, "usage: hold OPERATION [base|thp|hugetlb [MS]]\nOPERATION:");
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		fprintf(stderr, " %s", operations[i].name);
	fprintf(stderr, "\n");
	return 2;
}
