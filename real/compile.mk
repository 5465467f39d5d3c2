# SPDX-License-Identifier: GPL-2.0-only
#
# compile.mk: what make and tcc do in the guest: these files, four times each.

programs := usemem arenas barrier
objects := $(foreach n,1 2 3 4,$(programs:%=$(n)-%.o))

all: $(objects)

.SECONDEXPANSION:
$(objects): %.o: /real/$$(lastword $$(subst -, ,$$*)).c
	tcc -c -o $@ $<
