// SPDX-License-Identifier: GPL-2.0-only
/*
 * foreign WHAT: change the page tables of another process, which has only ever
 * been on CPU 1, from CPU 0, while it reads what they map; by WHAT, one of those
 * below. "race" does all of it, over and over, to processes that are killed
 * meanwhile.
 *
 * The other process compares what it reads. That a translation it holds should
 * have gone is for the strict TLB to notice. A kernel that is to be broken on
 * purpose is so for address spaces of processes called "broken".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif

#define PAGE	4096UL
#define HUGE	(2UL << 20)
#define MEM	((volatile char *)(1UL << 32))

/* How long it goes on reading what has been changed, and how long it waits for it. */
#define READ_US	1000000
#define WAIT_US	20000000

#define KSM	"/sys/kernel/mm/ksm/"
#define KHUGE	"/sys/kernel/mm/transparent_hugepage/khugepaged/"
#define GROUP	"/sys/fs/cgroup/foreign"

/* What the other process has to say, once it reads. */
struct hello {
	int uffd;
};

static pid_t pid;
static struct hello hello;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void pin(pid_t who, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(who, sizeof(set), &set))
		die("sched_setaffinity");
}

static long read_number(const char *path)
{
	FILE *f = fopen(path, "r");
	long n = -1;

	if (!f || fscanf(f, "%ld", &n) != 1)
		die(path);
	fclose(f);
	return n;
}

static void write_to(const char *path, const char *what)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, what, strlen(what)) < 0)
		die(path);
	close(fd);
}

/* So that it does its work here, and not on the CPU that it is about. */
static void pin_kthread(const char *name)
{
	char command[64];
	FILE *f;
	int n;

	snprintf(command, sizeof(command), "pidof %s", name);
	f = popen(command, "r");
	if (!f || fscanf(f, "%d", &n) != 1)
		die(name);
	pclose(f);
	pin(n, 0);
}

/* Until it is more than that, or the other process is gone, or it is no use. */
static void wait_until_more(const char *path, long than)
{
	siginfo_t info = {};
	unsigned int us;

	for (us = 0; us < WAIT_US && read_number(path) <= than && !info.si_pid; us += 10000) {
		usleep(10000);
		waitid(P_PID, pid, &info, WEXITED | WNOHANG | WNOWAIT);
	}
	if (read_number(path) <= than) {
		printf("foreign: nothing happened: %s is %ld\n", path, than);
		exit(1);
	}
}

static int pidfd(void)
{
	return syscall(SYS_pidfd_open, pid, 0);
}

static bool advise(int advice)
{
	struct iovec iov = { (void *)MEM, HUGE };
	int fd = pidfd();
	long n = syscall(SYS_process_madvise, fd, &iov, 1UL, advice, 0);

	close(fd);
	return n == HUGE;
}

static void swap_on(void)
{
	static bool on;

	if (!on && system("echo 64M >/sys/block/zram0/disksize && mkswap /dev/zram0 >/dev/null && "
			  "swapon /dev/zram0"))
		die("swap");
	on = true;
}

/* The other process is in that group from its start. */
static void group_on(void)
{
	static bool on;

	if (!on && system("mount -t cgroup2 none /sys/fs/cgroup && "
			  "echo +memory >/sys/fs/cgroup/cgroup.subtree_control && mkdir " GROUP))
		die("cgroup");
	on = true;
}

/* What there is to do to it. False: it would not have it. */

/* The page is shared with its child, and is copied. */
static bool poke(void)
{
	char path[32], one = 1;
	bool done;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/mem", pid);
	fd = open(path, O_RDWR);
	done = fd >= 0 && pwrite(fd, &one, 1, (off_t)(uintptr_t)MEM) == 1;
	close(fd);
	return done;
}

static bool pageout(void)
{
	return advise(MADV_PAGEOUT);
}

static bool collapse(void)
{
	return advise(MADV_COLLAPSE);
}

static bool protect(void)
{
	struct uffdio_writeprotect wp = {
		.range = { (uintptr_t)MEM, HUGE },
		.mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};
	int pfd = pidfd(), fd = syscall(SYS_pidfd_getfd, pfd, hello.uffd, 0);
	bool done = !ioctl(fd, UFFDIO_WRITEPROTECT, &wp);

	close(fd);
	close(pfd);
	return done;
}

static bool reclaim(void)
{
	int fd = open(GROUP "/memory.reclaim", O_WRONLY);
	bool done;

	/* All it has: -EAGAIN is that some was left. */
	done = write(fd, "2M", 2) == 2 || errno == EAGAIN;
	close(fd);
	return done;
}

/* Its frames, as /proc/PID/pagemap knows them. */
static void frames(uint64_t *entries)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", pid);
	fd = open(path, O_RDONLY);
	if (fd < 0 || pread(fd, entries, HUGE / PAGE * 8, (uintptr_t)MEM / PAGE * 8) < 0)
		memset(entries, 0, HUGE / PAGE * 8);
	close(fd);
}

/* To the other node, wherever it is. Compaction does the same to whom it finds. */
static bool migrate(void)
{
	uint64_t before[HUGE / PAGE], after[HUGE / PAGE];
	unsigned long node0 = 1, node1 = 2;

	write_to("/proc/sys/vm/compact_memory", "1");
	frames(before);
	syscall(SYS_migrate_pages, pid, 3, &node0, &node1);
	frames(after);
	if (!memcmp(before, after, sizeof(before)))
		syscall(SYS_migrate_pages, pid, 3, &node1, &node0);
	frames(after);
	return memcmp(before, after, sizeof(before));
}

/* And what does it by itself. */

static void ksmd_on(void)
{
	pin_kthread("ksmd");
	write_to(KSM "pages_to_scan", "1000");
	write_to(KSM "run", "1");
}

static bool ksm(void)
{
	wait_until_more(KSM "pages_sharing", 0);
	return true;
}

static void khugepaged_on(void)
{
	pin_kthread("khugepaged");
	write_to(KHUGE "scan_sleep_millisecs", "10");
}

static bool khugepaged(void)
{
	wait_until_more(KHUGE "pages_collapsed", 0);
	return true;
}

static const struct {
	const char *name;
	void (*prepare)(void);
	bool (*run)(void);
	int advice;
} ways[] = {
	{ "poke", NULL, poke, MADV_NOHUGEPAGE },
	{ "protect", NULL, protect, MADV_NOHUGEPAGE },
	{ "pageout", swap_on, pageout, MADV_NOHUGEPAGE },
	{ "reclaim", group_on, reclaim, MADV_NOHUGEPAGE },
	{ "collapse", NULL, collapse, MADV_HUGEPAGE },
	{ "migrate", NULL, migrate, MADV_NOHUGEPAGE },	/* with numa=fake=2 */
	{ "ksm", ksmd_on, ksm, MADV_MERGEABLE },
	{ "khugepaged", khugepaged_on, khugepaged, MADV_HUGEPAGE },
};

#define NR_WAYS		(sizeof(ways) / sizeof(ways[0]))

/* The other process: this much memory, full of ones, and all of it cached. */
static void other(int to, unsigned int way)
{
	struct uffdio_api api = { .api = UFFD_API, .features = UFFD_FEATURE_PAGEFAULT_FLAG_WP };
	struct uffdio_register reg = {
		.range = { (uintptr_t)MEM, HUGE },
		.mode = UFFDIO_REGISTER_MODE_WP,
	};
	size_t i;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "broken");
	if (!access(GROUP, F_OK))
		write_to(GROUP "/cgroup.procs", "0");
	if (mmap((void *)MEM, HUGE, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != (void *)MEM)
		die("mmap");
	madvise((void *)MEM, HUGE, MADV_NOHUGEPAGE);
	memset((void *)MEM, 1, HUGE);
	if (madvise((void *)MEM, HUGE, ways[way].advice))
		die("madvise");
	if (ways[way].run == protect) {
		hello.uffd = syscall(SYS_userfaultfd, O_CLOEXEC);
		if (ioctl(hello.uffd, UFFDIO_API, &api) || ioctl(hello.uffd, UFFDIO_REGISTER, &reg))
			die("userfaultfd");
	}
	if (ways[way].run == poke && !fork()) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
	}

	for (;;) {
		for (i = 0; i < HUGE; i += PAGE) {
			if (MEM[i] != 1) {
				printf("foreign: page %zu has %d\n", i / PAGE, MEM[i]);
				_exit(1);
			}
		}
		if (to >= 0 && write(to, &hello, sizeof(hello)) == sizeof(hello))
			to = -1;
		/* In user space, where its entries are what counts. */
		for (volatile int n = 0; n < 300000; n++)
			;
	}
}

/* Forked on CPU 1, where it stays. */
static void start(unsigned int way)
{
	int ends[2];

	if (pipe(ends))
		die("pipe");
	fflush(stdout);
	pin(0, 1);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		other(ends[1], way);
	pin(0, 0);
	close(ends[1]);
	if (read(ends[0], &hello, sizeof(hello)) != sizeof(hello)) {
		printf("foreign: no answer\n");
		exit(1);
	}
	close(ends[0]);
}

/* It reads until it is killed, or until it finds what it should not. */
static bool ended_well(void)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		die("waitpid");
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static int once(unsigned int way)
{
	bool done;

	if (ways[way].prepare)
		ways[way].prepare();
	if (ways[way].run == reclaim)
		swap_on();
	start(way);
	usleep(100000);
	done = ways[way].run();
	printf("foreign: %s %s\n", ways[way].name, done ? "done" : "could not be done");
	usleep(READ_US);
	kill(pid, SIGKILL);
	return !ended_well() || !done;
}

/* It is killed in the middle of one or the other, or a moment before or after. */
static int race(void)
{
	unsigned int way, done = 0, i;
	pid_t killer;

	swap_on();
	for (way = 0; way < NR_WAYS; way++) {
		if (ways[way].prepare)
			ways[way].prepare();
	}
	for (i = 0; i < 100; i++) {
		way = i % NR_WAYS;
		start(way);
		killer = fork();
		if (!killer) {
			usleep(rand() % 5000 * (i % 7));
			kill(pid, SIGKILL);
			_exit(0);
		}
		if (ways[way].run == ksm || ways[way].run == khugepaged)
			usleep(20000);
		else
			done += ways[way].run();
		if (!ended_well()) {
			printf("foreign: %s: not well\n", ways[way].name);
			return 1;
		}
		waitpid(killer, NULL, 0);
		(void)rand();
	}
	printf("foreign: race done, %u of %u before the end\n", done, i);
	return 0;
}

int main(int argc, char **argv)
{
	for (unsigned int i = 0; argc == 2 && i < NR_WAYS; i++) {
		if (!strcmp(argv[1], ways[i].name))
			return once(i);
	}
	if (argc == 2 && !strcmp(argv[1], "race"))
		return race();
	fprintf(stderr, "usage: foreign WHAT\nWHAT: race");
	for (unsigned int i = 0; i < NR_WAYS; i++)
		fprintf(stderr, " %s", ways[i].name);
	fprintf(stderr, "\n");
	return 2;
}
