/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which A64 instruction is this, of those that the rig counts: TLBI, DSB, what else
 * orders or is atomic, and the markers with which a workload says what to count.
 */
#ifndef A64_H
#define A64_H

#include <stdint.h>

/*
 * The markers are HINT instructions from the end of the space, which no
 * extension has taken: a NOP on every CPU, and cheap to recognise.
 */
#define MARK_STOP	120	/* stop counting */
#define MARK_PHASE1	121	/* count towards phase 1, up to ... */
#define NR_PHASES	5
#define MARK_RECORD	126	/* write a record, start again from 0 */

enum a64_kind {
	A64_OTHER,
	A64_TLBI,
	A64_DSB,
	A64_ORDER,	/* number: ORDER_* */
	A64_MARK,	/* number: MARK_* */
};

/*
 * An atomic is a compare-and-swap, a swap, a load-and-something, or a store
 * exclusive, each time that it is tried; with or without acquire and release.
 */
enum {
	ORDER_DMB,
	ORDER_LDAR,	/* LDAPR, too */
	ORDER_STLR,
	ORDER_ATOMIC,
	NR_ORDERS,
};

/* Everything that can be counted has a number, from 0 to A64_NR_OPS - 1. */
#define A64_NR_OPS	256

struct a64_insn {
	enum a64_kind kind;
	unsigned int number;
};

struct a64_insn a64_decode(uint32_t insn);

/* The operand as the assembler spells it: "vae1is", "ish"; NULL if unused. */
const char *a64_tlbi_name(unsigned int number);
const char *a64_dsb_name(unsigned int number);
const char *a64_order_name(unsigned int number);

#endif
