// SPDX-License-Identifier: GPL-2.0-only
/*
 * usemem THREADS MIB ROUNDS: THREADS write to each page of MIB MiB, ROUNDS times over,
 * while the main thread forks and executes something, once in each round.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char *mem;
static size_t share, page_size;
static long rounds;
static pthread_barrier_t barrier;

static void write_pages(char *from, size_t len)
{
	size_t i;

	for (i = 0; i < len; i += page_size)
		(*(volatile char *)(from + i))++;
}

static void *writer(void *number)
{
	long i;

	for (i = 0; i < rounds; i++) {
		pthread_barrier_wait(&barrier);
		write_pages(mem + (long)number * share, share);
	}

	return NULL;
}

static void fork_exec(void)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		execl("/bin/nothing", "nothing", NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status) {
		fprintf(stderr, "usemem: cannot fork and execute\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	long threads, i;
	size_t len;

	if (argc != 4) {
		fprintf(stderr, "usage: usemem THREADS MIB ROUNDS\n");
		return 2;
	}
	threads = atol(argv[1]);
	len = atol(argv[2]) << 20;
	rounds = atol(argv[3]);
	page_size = sysconf(_SC_PAGESIZE);
	share = len / threads / page_size * page_size;

	mem = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED) {
		perror("usemem: mmap");
		return 1;
	}
	write_pages(mem, len);
	pthread_barrier_init(&barrier, NULL, threads + 1);

	pthread_t thread[threads];

	for (i = 0; i < threads; i++) {
		if (pthread_create(&thread[i], NULL, writer, (void *)i)) {
			fprintf(stderr, "usemem: cannot create a thread\n");
			return 1;
		}
	}
	for (i = 0; i < rounds; i++) {
		pthread_barrier_wait(&barrier);
		fork_exec();
	}
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);

	return 0;
}
