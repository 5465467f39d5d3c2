// SPDX-License-Identifier: GPL-2.0-only
/*
 * arenas THREADS BLOCKS: THREADS allocate BLOCKS of a page each with malloc(), write to
 * them, and free them. A thread that is not the main one has a heap of its own, which
 * glibc makes accessible with mprotect(), piece by piece.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define BLOCK_SIZE	4000

static long blocks;

static void *allocate(void *unused)
{
	char **block = malloc(blocks * sizeof(*block));
	long i;

	for (i = 0; i < blocks; i++) {
		block[i] = malloc(BLOCK_SIZE);
		*(volatile char *)block[i] = 1;
	}
	while (i--)
		free(block[i]);
	free(block);

	return NULL;
}

int main(int argc, char **argv)
{
	long threads, i;

	if (argc != 3) {
		fprintf(stderr, "usage: arenas THREADS BLOCKS\n");
		return 2;
	}
	threads = atol(argv[1]);
	blocks = atol(argv[2]);

	pthread_t thread[threads];

	for (i = 0; i < threads; i++) {
		if (pthread_create(&thread[i], NULL, allocate, NULL)) {
			fprintf(stderr, "arenas: cannot create a thread\n");
			return 1;
		}
	}
	for (i = 0; i < threads; i++)
		pthread_join(thread[i], NULL);

	return 0;
}
