// SPDX-License-Identifier: GPL-2.0-only
/*
 * barrier THREADS PAGES ROUNDS: the write barrier of a garbage collector. In each of
 * ROUNDS, all PAGES are write-protected; then each of THREADS writes to its share of
 * them, and whoever is caught makes the page writable, and notes that it is.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char *mem, *dirty;
static size_t page_size;
static long pages, rounds, threads;
static pthread_barrier_t barrier;

static void caught(int sig, siginfo_t *info, void *context)
{
	size_t page = ((char *)info->si_addr - mem) / page_size;

	if (page >= (size_t)pages ||
	    mprotect(mem + page * page_size, page_size, PROT_READ | PROT_WRITE))
		_exit(1);
	dirty[page] = 1;
}

static void *mutate(void *number)
{
	long round, i;

	for (round = 0; round < rounds; round++) {
		pthread_barrier_wait(&barrier);
		for (i = (long)number; i < pages; i += threads)
			(*(volatile char *)(mem + i * page_size))++;
		pthread_barrier_wait(&barrier);
	}

	return NULL;
}

static void protect(void)
{
	long i;

	for (i = 0; i < pages; i++)
		dirty[i] = 0;
	if (mprotect(mem, pages * page_size, PROT_READ)) {
		perror("barrier: mprotect");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = caught, .sa_flags = SA_SIGINFO };
	long i, round;

	if (argc != 4) {
		fprintf(stderr, "usage: barrier THREADS PAGES ROUNDS\n");
		return 2;
	}
	threads = atol(argv[1]);
	pages = atol(argv[2]);
	rounds = atol(argv[3]);
	page_size = sysconf(_SC_PAGESIZE);
	mem = mmap(NULL, pages * page_size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	dirty = calloc(pages, 1);
	if (mem == MAP_FAILED || !dirty) {
		perror("barrier");
		return 1;
	}
	for (i = 0; i < pages; i++)
		mem[i * page_size] = 1;
	sigaction(SIGSEGV, &action, NULL);
	pthread_barrier_init(&barrier, NULL, threads + 1);

	pthread_t thread[threads];

	for (i = 0; i < threads; i++) {
		if (pthread_create(&thread[i], NULL, mutate, (void *)i)) {
			fprintf(stderr, "barrier: cannot create a thread\n");
			return 1;
		}
	}
	for (round = 0; round < rounds; round++) {
		protect();
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
		for (i = 0; i < pages; i++) {
			if (!dirty[i]) {
				fprintf(stderr, "barrier: a write went through unseen\n");
				return 1;
			}
		}
	}
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);

	return 0;
}
