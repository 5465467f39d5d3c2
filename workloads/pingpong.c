// SPDX-License-Identifier: GPL-2.0-only
/* A byte to another process and back: two context switches, on one CPU. */
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "workload.h"

static int to[2], from[2];

static void setup(size_t len)
{
	char byte;
	pid_t pid;

	if (pipe(to) || pipe(from))
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (read(to[0], &byte, 1) == 1 && write(from[1], &byte, 1) == 1)
			;
		_exit(0);
	}
}

static void op(size_t len)
{
	char byte = 0;
	int done;

	PHASE(1);
	done = write(to[1], &byte, 1) == 1 && read(from[0], &byte, 1) == 1;
	STOP();
	if (!done)
		die("pipe");
}

const struct workload pingpong = {
	.name = "pingpong",
	.phases = { "there+back" },
	.setup = setup,
	.op = op,
};
