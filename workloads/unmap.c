// SPDX-License-Identifier: GPL-2.0-only
/* Map, touch and unmap a buffer or some of it, or move it. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "workload.h"

static void setup(size_t len)
{
}

static void op_unmap(size_t len)
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
	.op = op_unmap,
};

/* One page in each 2M: a page table for each. */
#define STRIDE	(2UL << 20)

static void op_sparse(size_t len)
{
	size_t i, pages = len / page_size;
	int err;

	map_buf(pages * STRIDE);
	for (i = 0; i < pages; i++)
		BUF[i * STRIDE] = 1;
	PHASE(1);
	err = munmap(BUF, pages * STRIDE);
	STOP();
	if (err)
		die("munmap");
}

const struct workload unmap_sparse = {
	.name = "unmap_sparse",
	.phases = { "munmap" },
	.setup = setup,
	.op = op_sparse,
};

/* A half, that may be one of a THP. */
static void op_half(size_t len)
{
	int err;

	map_buf(len);
	touch_buf(len);
	PHASE(1);
	err = munmap(BUF + len / 2, len / 2);
	STOP();
	if (err || munmap(BUF, len / 2))
		die("munmap");
}

const struct workload unmap_half = {
	.name = "unmap_half",
	.phases = { "munmap" },
	.setup = setup,
	.op = op_half,
};

static void setup_move(size_t len)
{
	map_buf(len);
	touch_buf(len);
}

static void move_to(char *there, size_t len)
{
	char *p, *q;

	PHASE(1);
	p = mremap(BUF, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, there);
	STOP();
	PHASE(2);
	q = mremap(there, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, BUF);
	STOP();
	if (p != there || q != BUF)
		die("mremap");
}

/* Not to where a page table could be moved as a whole. */
static void op_move(size_t len)
{
	move_to(BUF + (1UL << 30) + 16 * page_size, len);
}

const struct workload move = {
	.name = "mremap",
	.phases = { "there", "back" },
	.setup = setup_move,
	.op = op_move,
};

/* To such a place. */
static void op_move_table(size_t len)
{
	move_to(BUF + (1UL << 30), len);
}

const struct workload move_table = {
	.name = "mremap_table",
	.phases = { "there", "back" },
	.setup = setup_move,
	.op = op_move_table,
};
