// SPDX-License-Identifier: GPL-2.0-only
/* As reuse, but the child lives: the first write to each page copies it. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "workload.h"

static void setup(size_t len)
{
	map_buf(len);
	touch_buf(len);
}

static void op(size_t len)
{
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid) {
		pause();
		_exit(0);
	}

	PHASE(1);
	touch_buf(len);
	STOP();

	kill(pid, SIGKILL);
	if (waitpid(pid, NULL, 0) != pid)
		die("waitpid");
}

const struct workload cow = {
	.name = "cow",
	.phases = { "write" },
	.setup = setup,
	.op = op,
};
