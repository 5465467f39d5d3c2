// SPDX-License-Identifier: GPL-2.0-only
/* madvise() of a written buffer. */
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "workload.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE	25
#endif

static void setup(size_t len)
{
	map_buf(len);
}

static void advise(size_t len, int advice)
{
	int err;

	PHASE(1);
	err = madvise(BUF, len, advice);
	STOP();
	if (err)
		die("madvise");
}

static void op_dontneed(size_t len)
{
	touch_buf(len);
	advise(len, MADV_DONTNEED);
}

static void op_free(size_t len)
{
	touch_buf(len);
	advise(len, MADV_FREE);
}

static void op_cold(size_t len)
{
	touch_buf(len);
	advise(len, MADV_COLD);
}

/* Reclaim, in batches. Without swap it is pages that may be dropped. */
static void op_pageout(size_t len)
{
	touch_buf(len);
	if (madvise(BUF, len, MADV_FREE))
		die("MADV_FREE");
	advise(len, MADV_PAGEOUT);
	if (*(volatile char *)BUF)
		die("MADV_PAGEOUT did nothing");
}

/* The same with swap, and back. Needs a swap device. */
static void op_swap(size_t len)
{
	unsigned char resident;

	touch_buf(len);
	advise(len, MADV_PAGEOUT);
	if (mincore(BUF, page_size, &resident) || resident & 1)
		die("MADV_PAGEOUT did nothing, is there swap?");
	PHASE(2);
	touch_buf(len);
	STOP();
}

static void op_collapse(size_t len)
{
	touch_buf(len);
	advise(len, MADV_COLLAPSE);
	if (madvise(BUF, len, MADV_DONTNEED))
		die("MADV_DONTNEED");
}

/* One page of a THP: that is split first. */
static void op_split(size_t len)
{
	touch_buf(len);
	advise(page_size, MADV_DONTNEED);
	if (madvise(BUF, len, MADV_DONTNEED))
		die("MADV_DONTNEED");
}

#define MADVISE(what)				\
const struct workload madvise_##what = {	\
	.name = #what,				\
	.phases = { "madvise" },		\
	.setup = setup,				\
	.op = op_##what,			\
}

MADVISE(dontneed);
MADVISE(free);
MADVISE(cold);
MADVISE(pageout);

const struct workload madvise_swap = {
	.name = "swap",
	.phases = { "madvise", "fault" },
	.setup = setup,
	.op = op_swap,
};

MADVISE(collapse);
MADVISE(split);
