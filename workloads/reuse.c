// SPDX-License-Identifier: GPL-2.0-only
/* After a fork whose child is gone, the first write to each page reuses it. */
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
	pid_t pid = fork();

	if (pid < 0)
		die("fork");
	if (!pid)
		_exit(0);
	if (waitpid(pid, &status, 0) != pid || status)
		die("waitpid");

	PHASE(1);
	touch_buf(len);
	STOP();
}

const struct workload reuse = {
	.name = "reuse",
	.phases = { "write" },
	.setup = setup,
	.op = op,
};
