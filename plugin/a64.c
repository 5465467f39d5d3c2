// SPDX-License-Identifier: GPL-2.0-only
/*
 * Encodings from the Arm Architecture Reference Manual, DDI 0487: C5.5 "A64
 * system instructions for TLB maintenance", C6.2 for DSB and HINT, C4.1 "Loads and
 * stores" for what is ordered or atomic.
 */
#include <stdbool.h>
#include <stddef.h>

#include "a64.h"

/* TLBI is SYS with CRn 8, or 9 for the nXS forms: op1, CRm, op2 tell which. */
struct tlbi {
	unsigned char op1, crm, op2;
	const char *name, *nxs;
};

#define T(op1, crm, op2, name) { op1, crm, op2, name, name "nxs" }

static const struct tlbi tlbis[] = {
	/* EL1&0: outer-shareable, inner-shareable, this CPU only */
	T(0, 1, 0, "vmalle1os"), T(0, 3, 0, "vmalle1is"), T(0, 7, 0, "vmalle1"),
	T(0, 1, 1, "vae1os"),    T(0, 3, 1, "vae1is"),    T(0, 7, 1, "vae1"),
	T(0, 1, 2, "aside1os"),  T(0, 3, 2, "aside1is"),  T(0, 7, 2, "aside1"),
	T(0, 1, 3, "vaae1os"),   T(0, 3, 3, "vaae1is"),   T(0, 7, 3, "vaae1"),
	T(0, 1, 5, "vale1os"),   T(0, 3, 5, "vale1is"),   T(0, 7, 5, "vale1"),
	T(0, 1, 7, "vaale1os"),  T(0, 3, 7, "vaale1is"),  T(0, 7, 7, "vaale1"),
	T(0, 5, 1, "rvae1os"),   T(0, 2, 1, "rvae1is"),   T(0, 6, 1, "rvae1"),
	T(0, 5, 3, "rvaae1os"),  T(0, 2, 3, "rvaae1is"),  T(0, 6, 3, "rvaae1"),
	T(0, 5, 5, "rvale1os"),  T(0, 2, 5, "rvale1is"),  T(0, 6, 5, "rvale1"),
	T(0, 5, 7, "rvaale1os"), T(0, 2, 7, "rvaale1is"), T(0, 6, 7, "rvaale1"),

	/* EL2, and EL1&0 as EL2 sees it */
	T(4, 4, 0, "ipas2e1os"),    T(4, 0, 1, "ipas2e1is"),    T(4, 4, 1, "ipas2e1"),
	T(4, 4, 4, "ipas2le1os"),   T(4, 0, 5, "ipas2le1is"),   T(4, 4, 5, "ipas2le1"),
	T(4, 4, 3, "ripas2e1os"),   T(4, 0, 2, "ripas2e1is"),   T(4, 4, 2, "ripas2e1"),
	T(4, 4, 7, "ripas2le1os"),  T(4, 0, 6, "ripas2le1is"),  T(4, 4, 6, "ripas2le1"),
	T(4, 1, 0, "alle2os"),      T(4, 3, 0, "alle2is"),      T(4, 7, 0, "alle2"),
	T(4, 1, 1, "vae2os"),       T(4, 3, 1, "vae2is"),       T(4, 7, 1, "vae2"),
	T(4, 1, 4, "alle1os"),      T(4, 3, 4, "alle1is"),      T(4, 7, 4, "alle1"),
	T(4, 1, 5, "vale2os"),      T(4, 3, 5, "vale2is"),      T(4, 7, 5, "vale2"),
	T(4, 1, 6, "vmalls12e1os"), T(4, 3, 6, "vmalls12e1is"), T(4, 7, 6, "vmalls12e1"),
	T(4, 5, 1, "rvae2os"),      T(4, 2, 1, "rvae2is"),      T(4, 6, 1, "rvae2"),
	T(4, 5, 5, "rvale2os"),     T(4, 2, 5, "rvale2is"),     T(4, 6, 5, "rvale2"),

	/* EL3, and the Realm Management Extension */
	T(6, 1, 0, "alle3os"),  T(6, 3, 0, "alle3is"),  T(6, 7, 0, "alle3"),
	T(6, 1, 1, "vae3os"),   T(6, 3, 1, "vae3is"),   T(6, 7, 1, "vae3"),
	T(6, 1, 5, "vale3os"),  T(6, 3, 5, "vale3is"),  T(6, 7, 5, "vale3"),
	T(6, 5, 1, "rvae3os"),  T(6, 2, 1, "rvae3is"),  T(6, 6, 1, "rvae3"),
	T(6, 5, 5, "rvale3os"), T(6, 2, 5, "rvale3is"), T(6, 6, 5, "rvale3"),
	T(6, 1, 4, "paallos"),  T(6, 7, 4, "paall"),
	T(6, 4, 3, "rpaos"),    T(6, 4, 7, "rpalos"),
};

#define NR_TLBIS	(sizeof(tlbis) / sizeof(tlbis[0]))

_Static_assert(2 * NR_TLBIS <= A64_NR_OPS, "A64_NR_OPS is too small");

/*
 * DSB by CRm. 0 and 4 are SSBB and PSSBB, speculation barriers that complete
 * nothing, and the other gaps are reserved; the nXS forms are 16 to 19.
 */
static const char *const dsbs[] = {
	[1] = "oshld", [2] = "oshst", [3] = "osh",
	[5] = "nshld", [6] = "nshst", [7] = "nsh",
	[9] = "ishld", [10] = "ishst", [11] = "ish",
	[13] = "ld", [14] = "st", [15] = "sy",
	[16] = "oshnxs", [17] = "nshnxs", [18] = "ishnxs", [19] = "synxs",
};

#define NR_DSBS		(sizeof(dsbs) / sizeof(dsbs[0]))

const char *a64_tlbi_name(unsigned int number)
{
	if (number < NR_TLBIS)
		return tlbis[number].name;
	if (number < 2 * NR_TLBIS)
		return tlbis[number - NR_TLBIS].nxs;

	return NULL;
}

const char *a64_dsb_name(unsigned int number)
{
	return number < NR_DSBS ? dsbs[number] : NULL;
}

const char *a64_order_name(unsigned int number)
{
	static const char *const names[] = { "dmb", "ldar", "stlr", "atomic" };

	return number < NR_ORDERS ? names[number] : NULL;
}

/* ORDER_*, or -1. */
static int a64_order(uint32_t insn)
{
	bool load = insn & 1 << 22, op = insn & 1 << 15, pair = insn & 1 << 21;

	/* DMB CRm */
	if ((insn & 0xfffff0ff) == 0xd50330bf)
		return ORDER_DMB;

	/* Load/store exclusive and ordered, compare and swap; pairs are of 32 or 64 bits */
	if ((insn & 0x3f000000) == 0x08000000) {
		if (insn & 1 << 23 && !pair)
			return !op ? -1 : load ? ORDER_LDAR : ORDER_STLR;
		if (insn & 1 << 23)
			return (insn >> 10 & 31) == 31 ? ORDER_ATOMIC : -1;
		if (pair && !(insn >> 31))
			return (insn >> 10 & 31) == 31 && !(insn & 0x10001) ? ORDER_ATOMIC : -1;
		return load ? -1 : ORDER_ATOMIC;
	}

	/* Atomic memory operations: o3, opc */
	if ((insn & 0x3f200c00) == 0x38200000) {
		if (!op || (insn >> 12 & 7) == 0)
			return ORDER_ATOMIC;
		if ((insn & 0x00fffc00) == 0x00bfc000)
			return ORDER_LDAR;
	}

	return -1;
}

struct a64_insn a64_decode(uint32_t insn)
{
	struct a64_insn ret = { A64_OTHER, 0 };
	unsigned int op1 = insn >> 16 & 7, crn = insn >> 12 & 15;
	unsigned int crm = insn >> 8 & 15, op2 = insn >> 5 & 7;
	unsigned int i;

	/* SYS op1, CRn, CRm, op2, Xt */
	if ((insn & 0xfff80000) == 0xd5080000 && (crn == 8 || crn == 9)) {
		for (i = 0; i < NR_TLBIS; i++) {
			if (tlbis[i].op1 == op1 && tlbis[i].crm == crm && tlbis[i].op2 == op2) {
				ret.kind = A64_TLBI;
				ret.number = crn == 8 ? i : i + NR_TLBIS;
				break;
			}
		}
	}

	/* DSB CRm */
	if ((insn & 0xfffff0ff) == 0xd503309f && dsbs[crm]) {
		ret.kind = A64_DSB;
		ret.number = crm;
	}

	/* DSB nXS */
	if ((insn & 0xfffff3ff) == 0xd503323f) {
		ret.kind = A64_DSB;
		ret.number = 16 + (insn >> 10 & 3);
	}

	if (a64_order(insn) >= 0) {
		ret.kind = A64_ORDER;
		ret.number = a64_order(insn);
	}

	/* HINT CRm:op2 */
	if ((insn & 0xfffff01f) == 0xd503201f) {
		unsigned int hint = crm << 3 | op2;

		if ((hint >= MARK_STOP && hint < MARK_PHASE1 + NR_PHASES) || hint == MARK_RECORD) {
			ret.kind = A64_MARK;
			ret.number = hint;
		}
	}

	return ret;
}
