# SPDX-License-Identifier: GPL-2.0-only
#
# Read a line of counts, for table.awk, expected.awk and sites.awk. It is what one
# phase of one run cost in all its operations, as join.awk puts it together:
#
#	record name=none_rw pages=16 threads=0 where=home ops=100 phase1=none->rw
#	phase2=rw->none record=2 phase=1 windows=100 insns=525700 least=5200 others=0
#	tlbi.rvale1is=100 dsb.ishst=100 dsb.ish=100
#
# Lines that begin with "empty" are the same number of empty windows: what
# measuring costs, to be subtracted.

# The fields of the line, in v.
function parse(	i, f)
{
	split("", v)
	for (i = 2; i <= NF; i++) {
		split($i, f, "=")
		v[f[1]] = f[2]
	}
}

# Inner- or outer-shareable, or for this CPU only.
function is_broadcast(op)
{
	return op ~ /[io]s(nxs)?$/
}
