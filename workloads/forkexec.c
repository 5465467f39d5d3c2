// SPDX-License-Identifier: GPL-2.0-only
/* Fork a process with a buffer of that size; the child executes a program. */
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
	int status;
	pid_t pid;

	PHASE(1);
	pid = fork();
	if (!pid) {
		execl("/bin/nothing", "nothing", NULL);
		_exit(1);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	STOP();
	if (pid < 0 || status)
		die("fork and exec");
}

const struct workload forkexec = {
	.name = "forkexec",
	.phases = { "fork+exec+wait" },
	.setup = setup,
	.op = op,
};
