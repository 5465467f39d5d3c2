// SPDX-License-Identifier: GPL-2.0-only
/*
 * What plugin/test needs of the decoder:
 *
 *   a64-test asm		assembly of everything the decoder knows
 *   a64-test space		assembly of all words of the spaces that TLBI, DSB
 *				and HINT are in
 *   a64-test order		the same for loads and stores that are ordered or
 *				atomic, and for DMB
 *   a64-test decode		binary words from stdin to names, one per line
 */
#include <stdio.h>
#include <string.h>

#include "a64.h"

static void emit_asm(void)
{
	unsigned int i;

	for (i = 0; i < A64_NR_OPS; i++) {
		const char *name = a64_tlbi_name(i);

		if (!name)
			continue;
		/* What invalidates everything takes no register. */
		if (strstr(name, "all") && strncmp(name, "vaal", 4) && strncmp(name, "rvaal", 5))
			printf("tlbi %s\n", name);
		else
			printf("tlbi %s, x%u\n", name, i % 31);
	}
	for (i = 0; i < A64_NR_OPS; i++) {
		if (a64_dsb_name(i))
			printf("dsb %s\n", a64_dsb_name(i));
	}
	for (i = MARK_STOP; i < MARK_PHASE1 + NR_PHASES; i++)
		printf("hint #%u\n", i);
	printf("hint #%u\n", MARK_RECORD);
}

static void emit_word(uint32_t word)
{
	printf(".inst %#x\n", word);
}

static void emit_space(void)
{
	uint32_t i;

	/* SYS and SYSL: L, op1, CRn, CRm, op2; with and without a register. */
	for (i = 0; i < 1U << 15; i++) {
		uint32_t word = 0xd5080000 | (i & 0x3fff) << 5 | (i >> 14) << 21;

		emit_word(word);
		emit_word(word | 31);
	}
	/* HINT and the barriers: CRn, CRm, op2, and Rt other than 31 too. */
	for (i = 0; i < 1U << 11; i++) {
		emit_word(0xd5030000 | i << 5 | 31);
		emit_word(0xd5030000 | i << 5 | 30);
	}
}

static void emit_order(void)
{
	uint32_t i;

	/*
	 * size, then: o2, L, o1, o0; or A, R, 1, and o3, opc. Rs and Rt2 are 31, as some
	 * want, or not; and even, as pairs want.
	 */
	for (i = 0; i < 1U << 9; i++) {
		uint32_t word = (i & 3) << 30 | (i >> 2 & 7) << 21 | (i >> 5 & 1) << 15;
		uint32_t rs = (i >> 6 & 1 ? 31 : 6) << 16, rt2 = (i >> 7 & 1 ? 31 : 8) << 10;

		emit_word(word | 0x08000000 | (i >> 8) << 23 | rs | rt2 | 1 << 5 | 2);
	}
	for (i = 0; i < 1U << 9; i++) {
		uint32_t word = (i & 3) << 30 | (i >> 2 & 3) << 22 | (i >> 4 & 15) << 12;

		emit_word(word | 0x38200000 | (i >> 8 ? 31 : 6) << 16 | 1 << 5 | 2);
	}
	for (i = 0; i < 16; i++)
		emit_word(0xd50330bf | i << 8);
}

static void decode(void)
{
	unsigned char le[4];

	while (fread(le, sizeof(le), 1, stdin)) {
		uint32_t word = le[0] | le[1] << 8 | le[2] << 16 | (uint32_t)le[3] << 24;
		struct a64_insn insn = a64_decode(word);

		switch (insn.kind) {
		case A64_TLBI:
			printf("tlbi %s\n", a64_tlbi_name(insn.number));
			break;
		case A64_DSB:
			printf("dsb %s\n", a64_dsb_name(insn.number));
			break;
		case A64_ORDER:
			puts(a64_order_name(insn.number));
			break;
		case A64_MARK:
			printf("hint #%u\n", insn.number);
			break;
		case A64_OTHER:
			puts("-");
			break;
		}
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc == 2 ? argv[1] : "";

	if (!strcmp(mode, "asm"))
		emit_asm();
	else if (!strcmp(mode, "space"))
		emit_space();
	else if (!strcmp(mode, "order"))
		emit_order();
	else if (!strcmp(mode, "decode"))
		decode();
	else
		return 2;

	return 0;
}
