// SPDX-License-Identifier: GPL-2.0-only
/*
 * The first write to each clean page of a shared mapping. Where the hardware
 * manages the dirty state there is no fault, and nothing to count.
 */
#include <sys/mman.h>

#include "workload.h"

static void setup(size_t len)
{
	if (mmap(BUF, len, PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != BUF)
		die("mmap");
	touch_buf(len);
}

static void op(size_t len)
{
	size_t i;

	if (madvise(BUF, len, MADV_DONTNEED))
		die("MADV_DONTNEED");
	for (i = 0; i < len; i += page_size)
		(void)*(volatile char *)(BUF + i);

	PHASE(1);
	touch_buf(len);
	STOP();
}

const struct workload dirty = {
	.name = "dirty",
	.phases = { "write" },
	.setup = setup,
	.op = op,
};
