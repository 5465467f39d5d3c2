// SPDX-License-Identifier: GPL-2.0-only
/* mprotect() of a written buffer to and fro. */
#include <sys/mman.h>

#include "workload.h"

#define RW	(PROT_READ | PROT_WRITE)
#define RO	PROT_READ
#define NONE	PROT_NONE

#define TOGGLE(from, to, from_name, to_name)					\
static void setup_##from##_##to(size_t len)					\
{										\
	map_buf(len);								\
	touch_buf(len);								\
	if (mprotect(BUF, len, from))						\
		die("mprotect");						\
}										\
										\
static void op_##from##_##to(size_t len)					\
{										\
	int err;								\
										\
	PHASE(1);								\
	err = mprotect(BUF, len, to);						\
	STOP();									\
	PHASE(2);								\
	err |= mprotect(BUF, len, from);					\
	STOP();									\
	if (err)								\
		die("mprotect");						\
}										\
										\
const struct workload mprotect_##from_name##_##to_name = {			\
	.name = #from_name "_" #to_name,					\
	.phases = { #from_name "->" #to_name, #to_name "->" #from_name },	\
	.setup = setup_##from##_##to,						\
	.op = op_##from##_##to,							\
}

TOGGLE(NONE, RW, none, rw);
TOGGLE(NONE, RO, none, ro);
TOGGLE(RW, RO, rw, ro);
TOGGLE(RO, RW, ro, rw);
