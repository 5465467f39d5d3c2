# SPDX-License-Identifier: GPL-2.0-only
#
# make		set up, build the base and the series kernel, boot both, show
#		what the series saves
# make test	set up and run all tests
# make help	the single steps

# The patches are in patches/$(BASE); the tree they are applied to comes from
# Debian's linux-source-$(BASE) or from a git repository, KERNEL=DIR.
BASE	?= 6.12
KERNEL	?=
BUILD	?= $(CURDIR)/build
JOBS	?= $(shell nproc)
override BUILD := $(abspath $(BUILD))
export BASE KERNEL BUILD JOBS

# What the rig measures on, and what the tests boot on.
CPUS	?= max neoverse-n1 cortex-a57
CPU	?= max
NCPUS	?= 4

# The steps run one by one; the kernels themselves build with JOBS jobs.
.NOTPARALLEL:

HOSTCFLAGS := -O2 -Wall -Wextra -Wno-unused-parameter

.PHONY: all
all: measure

.PHONY: help
help:
	@echo 'make            set up, build, boot, and show what the series saves'
	@echo 'make test       set up and run the tests; GROUP="boot series max 4" runs one group'
	@echo
	@echo 'Longer:'
	@echo '  mutations     run the tests on kernels that are broken on purpose'
	@echo '  commits       build and boot every commit of the series'
	@echo '  mmtests       the mm selftests, base and series, stock QEMU and strict TLB: CPU, NCPUS'
	@echo '  real          count stress-ng, redis and so on, part by part: CPU, REAL_CPUS="1 2 4 8"'
	@echo '  stress        stress-ng under the strict TLB for HOURS=1: NAME, CPU, NCPUS'
	@echo '  variants      build and boot other configurations: NAMES="64k rt", see kernel/variants'
	@echo '  matrix        compile each commit in each of these, with W=1 and sparse'
	@echo '  pressure      ASIDs that roll over all the time, CPUs that come and go'
	@echo '  deb           a Debian package, with a configuration of Debian, booted from UEFI'
	@echo '  bases         apply the series to each point release that apt offers'
	@echo
	@echo 'One step each, with what it needs before it:'
	@echo '  setup         install the Debian packages that are missing'
	@echo '  trees         unpack the base tree, and beside it the series as commits'
	@echo '  kernels       build both kernels'
	@echo '  rootfs        build the guest programs and the initramfs'
	@echo '  strict        build QEMU with the strict TLB, see strict/README.md'
	@echo '  measure       count on CPUS="$(CPUS)", write the table'
	@echo '  sites         which functions the TLBIs and DSBs are in: WORKLOAD=forkexec CPU=$(CPU)'
	@echo '  shell         boot to a shell: NAME=series|base CPU=$(CPU) NCPUS=$(NCPUS)'
	@echo '  run           run a command in a guest: CMD="selftest mprotect", with NAME, ...'
	@echo '  kunit         boot with the KUnit suites on, with NAME, ...'
	@echo
	@echo 'Changing the series:'
	@echo '  patches       write patches/$(BASE) from branch "series" of the work tree'
	@echo '  reset         make that branch anew from patches/$(BASE)'
	@echo '  model         search the model of the active-CPU mask, see model/README.md'
	@echo '  check         the quick tests: apply, checkpatch, kernel-doc, decoder'
	@echo
	@echo '  clean         delete the kernels and programs that were built'
	@echo '  distclean     delete $(BUILD)'
	@echo
	@echo 'KERNEL=DIR takes HEAD of that git repository for a base; BUILD=DIR builds elsewhere.'

# Single steps. The scripts know themselves when there is nothing to do.

.PHONY: setup
setup:
	@scripts/setup

.PHONY: trees
trees: setup
	@scripts/tree unpack

.PHONY: kernel-%
kernel-%: trees
	@scripts/kernel $*

.PHONY: kernels
kernels: kernel-base kernel-series

.PHONY: rootfs
rootfs: trees
	@scripts/rootfs

.PHONY: plugin
plugin: setup
	@$(MAKE) --no-print-directory -s $(BUILD)/plugin/tlbcount.so $(BUILD)/plugin/a64-test

$(BUILD)/plugin/tlbcount.so: plugin/tlbcount.c plugin/a64.c plugin/a64.h plugin/qemu-plugin.h
	@mkdir -p $(@D)
	$(CC) $(HOSTCFLAGS) -fPIC -shared -o $@ $(filter %.c,$^)

$(BUILD)/plugin/a64-test: plugin/a64-test.c plugin/a64.c plugin/a64.h
	@mkdir -p $(@D)
	$(CC) $(HOSTCFLAGS) -o $@ $(filter %.c,$^)

.PHONY: measure
measure: kernels rootfs plugin
	@scripts/measure $(CPUS)

# Of what was measured last.
WORKLOAD ?= forkexec
.PHONY: sites
sites:
	@scripts/sites $(CPU) $(WORKLOAD)

.PHONY: strict
strict: setup
	@scripts/strict

# Everything that boots one kernel takes NAME, CPU and NCPUS.
NAME ?= series

.PHONY: shell
shell: kernel-$(NAME) rootfs
	@scripts/guest -i -c $(CPU) -n $(NCPUS) $(NAME) sh

CMD ?= selftest
.PHONY: run
run: kernel-$(NAME) rootfs
	@scripts/guest -c $(CPU) -n $(NCPUS) $(NAME) $(CMD)

.PHONY: kunit
kunit: kernel-$(NAME) rootfs
	@scripts/guest -c $(CPU) -n $(NCPUS) -a kunit.enable=1 $(NAME) true

# Tests

GROUP ?= all
.PHONY: test
test: kernels rootfs plugin
	@scripts/test $(GROUP)

.PHONY: check
check: trees plugin
	@scripts/test check

.PHONY: model
model: setup
	@scripts/model $(RUN)

.PHONY: commits
commits: kernels rootfs
	@scripts/test commits

.PHONY: mutations
mutations: trees rootfs
	@scripts/mutations

.PHONY: userland
userland: rootfs
	@scripts/userland mm

REAL_CPUS ?= 1 2 4 8
.PHONY: real
real: export EXTRA = gnuplot-nox
real: kernels rootfs plugin
	@scripts/userland real
	@scripts/real $(CPU) $(REAL_CPUS)

# Some of the mm selftests, or of the variants.
NAMES ?=
.PHONY: variants
variants: export EXTRA = clang lld
variants: trees rootfs
	@scripts/variants $(NAMES)

.PHONY: matrix
matrix: export EXTRA = clang lld
matrix: trees
	@scripts/matrix $(NAMES)

.PHONY: mmtests
mmtests: kernels userland strict
	@scripts/mmtests $(CPU) $(NCPUS) $(NAMES)

HOURS ?= 1
.PHONY: stress
stress: kernel-$(NAME) userland strict
	@scripts/guest -c $(CPU) -n $(NCPUS) -r userland -s grace=2000 \
		-t $$(($(HOURS) * 3600 + 600)) $(NAME) stress $$(($(HOURS) * 3600))

.PHONY: pressure
pressure: rootfs userland strict
	@scripts/pressure

.PHONY: deb
deb: export EXTRA = dpkg-dev debhelper kmod qemu-efi-aarch64
deb: rootfs
	@scripts/deb

.PHONY: bases
bases: setup
	@scripts/bases

# The series

.PHONY: patches reset
patches reset: setup
	@scripts/tree $@

.PHONY: clean
clean:
	rm -rf $(wildcard $(BUILD)/*/*/obj $(BUILD)/*/*/obj-*) $(BUILD)/plugin $(wildcard $(BUILD)/*/initramfs.cpio $(BUILD)/*/workloads.cpio) \
		$(wildcard $(BUILD)/*/headers) $(wildcard $(BUILD)/*/selftests)

.PHONY: distclean
distclean:
	rm -rf $(BUILD)
