// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first write to each clean page of a mapping. Where the hardware manages the
 * dirty state there is no fault, and nothing to count, unless the file system
 * wants to know (dirty on a file) or the page is copied (dirty_private).
 */
#include <sys/mman.h>

#include "workload.h"

static void setup_shared(size_t len)
{
	map_shared_buf(len);
	touch_buf(len);
}

static void setup_private(size_t len)
{
	map_buf(len);
	touch_buf(len);
}

static void read_then_write(size_t len)
{
	size_t i;

	for (i = 0; i < len; i += page_size)
		(void)*(volatile char *)(BUF + i);

	PHASE(1);
	touch_buf(len);
	STOP();
}

/* What is in the page cache. */
static void op(size_t len)
{
	if (madvise(BUF, len, MADV_DONTNEED))
		die("MADV_DONTNEED");
	read_then_write(len);
}

/* Pages of our own, which come back from the swap device as they went. */
static void op_swapped(size_t len)
{
	unsigned char present[len / page_size];
	size_t i;

	if (madvise(BUF, len, MADV_PAGEOUT))
		die("MADV_PAGEOUT");
	if (mincore(BUF, len, present))
		die("mincore");
	for (i = 0; i < len / page_size; i++) {
		if (present[i] & 1)
			die("a page was not swapped out");
	}
	read_then_write(len);
}

const struct workload dirty = {
	.name = "dirty",
	.phases = { "write" },
	.setup = setup_shared,
	.op = op,
};

const struct workload dirty_private = {
	.name = "dirty_private",
	.phases = { "write" },
	.setup = setup_private,
	.op = op,
};

const struct workload dirty_swapped = {
	.name = "dirty_swapped",
	.phases = { "write" },
	.setup = setup_private,
	.op = op_swapped,
};
