/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stddef.h>

#include "../plugin/a64.h"

#define STR_(x)	#x
#define STR(x)	STR_(x)
#define MARK(n)	asm volatile("hint #" STR(n) : : : "memory")

/* Count what happens between these two towards phase @n (1, 2 or 3). */
#define PHASE(n)	PHASE_##n()
#define PHASE_1()	MARK(121)
#define PHASE_2()	MARK(122)
#define PHASE_3()	MARK(123)
#define STOP()		MARK(120)

_Static_assert(MARK_STOP == 120 && MARK_PHASE1 == 121 && MARK_RECORD == 126,
	       "the markers above are written out for the assembler");

/*
 * Buffers are here whatever the kernel and the run: counts vary with the
 * alignment. Aligned to 1G, and far from all that the C library maps.
 */
#define BUF	((char *)0x100000000000UL)

struct workload {
	const char *name;
	/* What each phase is, for the table. */
	const char *phases[NR_PHASES];
	/* Map @len bytes at BUF, or whatever op() works on. */
	void (*setup)(size_t len);
	/* One operation, with the markers around what is to be counted. */
	void (*op)(size_t len);
};

extern const struct workload mprotect_none_rw, mprotect_none_ro;
extern const struct workload mprotect_rw_ro, mprotect_ro_rw;
extern const struct workload uffd_wp, uffd_wp_zero;
extern const struct workload reuse, cow, forkexec, pingpong;
extern const struct workload dirty, dirty_private, dirty_swapped;
extern const struct workload unmap, unmap_sparse, unmap_half, move, move_table;
extern const struct workload madvise_dontneed, madvise_free, madvise_cold;
extern const struct workload madvise_pageout, madvise_swap, madvise_collapse, madvise_split;

extern size_t page_size;

/* Map @len bytes of private memory at BUF, anonymous if it is not of a file. */
void map_buf(size_t len);
/* The same, but shared. */
void map_shared_buf(size_t len);
void touch_buf(size_t len);

void die(const char *what) __attribute__((noreturn));

#endif
