// SPDX-License-Identifier: GPL-2.0-only
/*
 * counted OPS REPEATS NAME COMMAND...: run COMMAND, which does OPS operations, REPEATS
 * times, and have the plugin count all that any CPU executes meanwhile.
 */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "../workloads/workload.h"

extern char **environ;

static void run(char **command)
{
	int status, error;
	pid_t pid;

	error = posix_spawnp(&pid, command[0], NULL, NULL, command, environ);
	if (error) {
		fprintf(stderr, "counted: %s: %s\n", command[0], strerror(error));
		exit(1);
	}
	if (waitpid(pid, &status, 0) != pid || status) {
		fprintf(stderr, "counted: %s: wait status %#x\n", command[0], status);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	int i;

	if (argc < 5) {
		fprintf(stderr, "usage: counted OPS REPEATS NAME COMMAND...\n");
		return 2;
	}
	for (i = 0; i < atoi(argv[2]); i++) {
		PHASE(1);
		run(argv + 4);
		STOP();
		MARK(126);
		printf("record name=%s ops=%s\n", argv[3], argv[1]);
		fflush(stdout);
	}

	return 0;
}
