// SPDX-License-Identifier: GPL-2.0-only
/* Map, touch and unmap a buffer. */
#include <sys/mman.h>

#include "workload.h"

static void setup(size_t len)
{
}

static void op(size_t len)
{
	int err;

	PHASE(1);
	map_buf(len);
	touch_buf(len);
	STOP();
	PHASE(2);
	err = munmap(BUF, len);
	STOP();
	if (err)
		die("munmap");
}

const struct workload unmap = {
	.name = "unmap",
	.phases = { "map+touch", "munmap" },
	.setup = setup,
	.op = op,
};
