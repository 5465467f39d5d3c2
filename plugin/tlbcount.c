// SPDX-License-Identifier: GPL-2.0-only
/*
 * tlbcount - a QEMU TCG plugin that counts TLBI and DSB instructions by kind, what
 * else orders or is atomic, and all instructions, between markers that a workload
 * executes.
 *
 *   -plugin tlbcount.so,out=FILE
 *
 * MARK_PHASE1 + n opens a window of phase n + 1 and MARK_STOP closes it; what
 * any vCPU executes in between counts. MARK_RECORD writes one line for each
 * phase that had a window, and sets everything to 0:
 *
 *   record=0 phase=1 windows=200 insns=123456 least=600 others=0
 *   tlbi.vae1is=3200 dsb.ish=200 order.ldar=203 least.ldar=1
 *
 * insns are those of the vCPU that opened the window, least those of the shortest
 * window, least.* what these order, others those of the remaining vCPUs. An instruction that faults counts each
 * time it is tried.
 *
 * Before it, one line for each TLBI and DSB that was executed, with its address:
 *
 *   site pc=ffff800080012345 tlbi.vae1is=3200
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "a64.h"
#include "qemu-plugin.h"

#define MAX_VCPUS	64

/* Of the hash table. */
#define NR_CHAINS	256

struct counts {
	uint64_t insns;
	uint64_t tlbi[A64_NR_OPS];
	uint64_t dsb[A64_NR_OPS];
	uint64_t order[NR_ORDERS];
};

/* A TLBI or DSB; the callback of the instruction has it as its argument. */
struct site {
	struct site *next;
	uint64_t pc;
	struct a64_insn insn;
	_Atomic uint64_t n[NR_PHASES];
};

int qemu_plugin_version = 1;

/* Each vCPU writes to its own; the one that executes a marker reads all. */
static struct counts counts[MAX_VCPUS][NR_PHASES];
static uint64_t windows[NR_PHASES];
/* The shortest window; what the counts were when this one opened. */
static struct window {
	uint64_t insns;
	uint64_t order[NR_ORDERS];
} least[NR_PHASES], opened;
/* Translation is one at a time, and nothing is ever taken out. */
static struct site *sites[NR_CHAINS];
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

static void count_site(unsigned int vcpu, void *data)
{
	unsigned int p = atomic_load_explicit(&phase, memory_order_relaxed);
	struct site *site = data;

	if (!p)
		return;
	if (site->insn.kind == A64_TLBI)
		counts[vcpu][p - 1].tlbi[site->insn.number]++;
	else
		counts[vcpu][p - 1].dsb[site->insn.number]++;
	atomic_fetch_add_explicit(&site->n[p - 1], 1, memory_order_relaxed);
}

static void count_order(unsigned int vcpu, void *number)
{
	unsigned int p = atomic_load_explicit(&phase, memory_order_relaxed);

	if (p)
		counts[vcpu][p - 1].order[(uintptr_t)number]++;
}

static struct site *site_of(uint64_t pc, struct a64_insn insn)
{
	struct site **chain = &sites[pc / 4 % NR_CHAINS], *site;

	for (site = *chain; site; site = site->next) {
		if (site->pc == pc && site->insn.kind == insn.kind && site->insn.number == insn.number)
			return site;
	}
	site = calloc(1, sizeof(*site));
	if (!site) {
		perror("tlbcount");
		exit(1);
	}
	site->pc = pc;
	site->insn = insn;
	site->next = *chain;
	*chain = site;

	return site;
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

static void write_orders(unsigned int p)
{
	unsigned int vcpu, i;

	for (i = 0; i < NR_ORDERS; i++) {
		uint64_t n = 0;

		for (vcpu = 0; vcpu < MAX_VCPUS; vcpu++)
			n += counts[vcpu][p].order[i];
		if (n)
			fprintf(out, " order.%s=%" PRIu64, a64_order_name(i), n);
	}
	for (i = 0; i < NR_ORDERS; i++) {
		if (least[p].order[i])
			fprintf(out, " least.%s=%" PRIu64, a64_order_name(i), least[p].order[i]);
	}
}

static void write_sites(unsigned int p)
{
	struct site *site;
	unsigned int i;

	for (i = 0; i < NR_CHAINS; i++) {
		for (site = sites[i]; site; site = site->next) {
			uint64_t n = atomic_exchange(&site->n[p], 0);
			const char *name;

			if (!n)
				continue;
			if (site->insn.kind == A64_TLBI)
				name = a64_tlbi_name(site->insn.number);
			else
				name = a64_dsb_name(site->insn.number);
			fprintf(out, "site pc=%016" PRIx64 " %s.%s=%" PRIu64 "\n", site->pc,
				site->insn.kind == A64_TLBI ? "tlbi" : "dsb", name, n);
		}
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
		write_sites(p);
		fprintf(out, "record=%u phase=%u windows=%" PRIu64 " insns=%" PRIu64
			" least=%" PRIu64 " others=%" PRIu64, record, p + 1, windows[p],
			counts[owner][p].insns, least[p].insns, others);
		write_ops(p, true, a64_tlbi_name);
		write_ops(p, false, a64_dsb_name);
		write_orders(p);
		fputc('\n', out);
	}
	fflush(out);

	memset(counts, 0, sizeof(counts));
	memset(windows, 0, sizeof(windows));
	record++;
}

static void open_window(unsigned int p)
{
	opened.insns = counts[owner][p].insns;
	memcpy(opened.order, counts[owner][p].order, sizeof(opened.order));
	windows[p]++;
}

static void close_window(unsigned int p)
{
	uint64_t n = counts[owner][p].insns - opened.insns;
	unsigned int i;

	if (windows[p] > 1 && n >= least[p].insns)
		return;
	least[p].insns = n;
	for (i = 0; i < NR_ORDERS; i++)
		least[p].order[i] = counts[owner][p].order[i] - opened.order[i];
}

static void mark(unsigned int vcpu, void *number)
{
	unsigned int mark = (uintptr_t)number, p;

	if (mark == MARK_STOP) {
		p = atomic_exchange(&phase, 0);
		if (p)
			close_window(p - 1);
	} else if (mark == MARK_RECORD) {
		atomic_store(&phase, 0);
		write_record();
	} else {
		owner = vcpu;
		open_window(mark - MARK_PHASE1);
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
		case A64_DSB:
			qemu_plugin_register_vcpu_insn_exec_cb(insn, count_site, QEMU_PLUGIN_CB_NO_REGS,
							       site_of(qemu_plugin_insn_vaddr(insn), a64));
			break;
		case A64_ORDER:
			qemu_plugin_register_vcpu_insn_exec_cb(insn, count_order,
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
