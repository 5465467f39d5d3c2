// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlbcount - a QEMU TCG plugin that counts TLBI and DSB instructions by kind,
 * and all instructions, between markers that a workload executes.
 *
 *   -plugin tlbcount.so,out=FILE
 *
 * MARK_PHASE1 + n opens a window of phase n + 1 and MARK_STOP closes it; what
 * any vCPU executes in between counts. MARK_RECORD writes one line for each
 * phase that had a window, and sets everything to 0:
 *
 *   record=0 phase=1 windows=200 insns=123456 others=0 tlbi.vae1is=3200 dsb.ish=200
 *
 * insns are those of the vCPU that opened the window, others those of the
 * remaining ones. An instruction that faults counts each time it is tried.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "a64.h"
#include "qemu-plugin.h"

#define MAX_VCPUS	64

struct counts {
	uint64_t insns;
	uint64_t tlbi[A64_NR_OPS];
	uint64_t dsb[A64_NR_OPS];
};

int qemu_plugin_version = 1;

/* Each vCPU writes to its own; the one that executes a marker reads all. */
static struct counts counts[MAX_VCPUS][NR_PHASES];
static uint64_t windows[NR_PHASES];
/* 0: not counting. Only the vCPU of the workload changes it. */
static atomic_uint phase;
static unsigned int owner;
static unsigned int record;
static FILE *out;

static void count_insn(unsigned int vcpu, void *unused)
{
	unsigned int p = atomic_load_explicit(&phase, memory_order_relaxed);

	if (p)
		counts[vcpu][p - 1].insns++;
}

static void count_tlbi(unsigned int vcpu, void *number)
{
	unsigned int p = atomic_load_explicit(&phase, memory_order_relaxed);

	if (p)
		counts[vcpu][p - 1].tlbi[(uintptr_t)number]++;
}

static void count_dsb(unsigned int vcpu, void *number)
{
	unsigned int p = atomic_load_explicit(&phase, memory_order_relaxed);

	if (p)
		counts[vcpu][p - 1].dsb[(uintptr_t)number]++;
}

static void write_ops(unsigned int p, bool tlbi, const char *(*name)(unsigned int))
{
	unsigned int vcpu, i;

	for (i = 0; i < A64_NR_OPS; i++) {
		uint64_t n = 0;

		for (vcpu = 0; vcpu < MAX_VCPUS; vcpu++)
			n += tlbi ? counts[vcpu][p].tlbi[i] : counts[vcpu][p].dsb[i];
		if (n)
			fprintf(out, " %s.%s=%" PRIu64, tlbi ? "tlbi" : "dsb", name(i), n);
	}
}

static void write_record(void)
{
	unsigned int p, vcpu;

	for (p = 0; p < NR_PHASES; p++) {
		uint64_t others = 0;

		if (!windows[p])
			continue;

		for (vcpu = 0; vcpu < MAX_VCPUS; vcpu++) {
			if (vcpu != owner)
				others += counts[vcpu][p].insns;
		}
		fprintf(out, "record=%u phase=%u windows=%" PRIu64 " insns=%" PRIu64
			" others=%" PRIu64, record, p + 1, windows[p],
			counts[owner][p].insns, others);
		write_ops(p, true, a64_tlbi_name);
		write_ops(p, false, a64_dsb_name);
		fputc('\n', out);
	}
	fflush(out);

	memset(counts, 0, sizeof(counts));
	memset(windows, 0, sizeof(windows));
	record++;
}

static void mark(unsigned int vcpu, void *number)
{
	unsigned int mark = (uintptr_t)number;

	if (mark == MARK_STOP) {
		atomic_store(&phase, 0);
	} else if (mark == MARK_RECORD) {
		atomic_store(&phase, 0);
		write_record();
	} else {
		owner = vcpu;
		windows[mark - MARK_PHASE1]++;
		atomic_store(&phase, mark - MARK_PHASE1 + 1);
	}
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, n = qemu_plugin_tb_n_insns(tb);

	for (i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		struct a64_insn a64;
		void *number;
		uint32_t word;

		memcpy(&word, qemu_plugin_insn_data(insn), sizeof(word));
		a64 = a64_decode(word);
		number = (void *)(uintptr_t)a64.number;

		qemu_plugin_register_vcpu_insn_exec_cb(insn, count_insn,
						       QEMU_PLUGIN_CB_NO_REGS, NULL);
		switch (a64.kind) {
		case A64_TLBI:
			qemu_plugin_register_vcpu_insn_exec_cb(insn, count_tlbi,
							       QEMU_PLUGIN_CB_NO_REGS, number);
			break;
		case A64_DSB:
			qemu_plugin_register_vcpu_insn_exec_cb(insn, count_dsb,
							       QEMU_PLUGIN_CB_NO_REGS, number);
			break;
		case A64_MARK:
			qemu_plugin_register_vcpu_insn_exec_cb(insn, mark,
							       QEMU_PLUGIN_CB_NO_REGS, number);
			break;
		case A64_OTHER:
			break;
		}
	}
}

static void at_exit(qemu_plugin_id_t id, void *unused)
{
	/* The reader looks for this, so as not to take a torn file for whole. */
	fprintf(out, "end records=%u\n", record);
	fclose(out);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	const char *path = NULL;
	int i;

	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
			path = argv[i] + 4;
	}
	if (!path) {
		fprintf(stderr, "tlbcount: out=FILE is missing\n");
		return -1;
	}
	if (strcmp(info->target_name, "aarch64") || !info->system_emulation ||
	    info->system.max_vcpus > MAX_VCPUS) {
		fprintf(stderr, "tlbcount: only for qemu-system-aarch64, up to %d CPUs\n",
			MAX_VCPUS);
		return -1;
	}
	out = fopen(path, "w");
	if (!out) {
		perror(path);
		return -1;
	}

	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_atexit_cb(id, at_exit, NULL);

	return 0;
}
