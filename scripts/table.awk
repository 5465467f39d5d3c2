# SPDX-License-Identifier: GPL-2.0-only
#
# Make the table from the counts of the base kernel and those of the series:
#
#	awk -v cpu=NAME [-v part=saved] -f table.awk BASE.counts SERIES.counts
#
# A line of counts is what one phase of one run cost in all its operations:
#
#	record name=none_rw pages=16 threads=0 where=home ops=100 phase1=none->rw
#	phase2=rw->none record=2 phase=1 windows=100 insns=525700 others=0
#	tlbi.rvale1is=100 dsb.ishst=100 dsb.ish=100
#
# Lines that begin with "empty" are the same number of empty windows: what
# measuring costs, to be subtracted.

function parse(	i, f)
{
	split("", v)
	for (i = 2; i <= NF; i++) {
		split($i, f, "=")
		v[f[1]] = f[2]
	}
}

# The kind of a TLBI: broadcast or local; by VA, range, ASID or all of it.
function tlbi_kind(op,	scope)
{
	sub(/nxs$/, "", op)
	scope = op ~ /[123][io]s$/ ? "is" : "local"
	if (op ~ /^r/)
		return scope ".range"
	if (op ~ /^aside/)
		return scope ".asid"
	if (op ~ /^(vmall|all)/)
		return scope ".all"
	return scope ".va"
}

function number(x)
{
	x = sprintf("%.2f", x)
	sub(/\.?0+$/, "", x)
	return x == "-0" ? "0" : x
}

function cell(key, column,	b, s)
{
	b = count["base", key, column] / ops[key]
	s = count["series", key, column] / ops[key]
	b = column == "insns" ? sprintf("%.0f", b) : number(b)
	s = column == "insns" ? sprintf("%.0f", s) : number(s)
	return b == s ? b : b ">" s
}

function saved(key, column)
{
	return (count["base", key, column] - count["series", key, column]) / ops[key]
}

BEGIN {
	nr_columns = split("is.va is.range is.asid is.all local.va local.range " \
			   "local.asid local.all ish nsh ishst other insns", columns)
}

FNR == 1 { kernel = kernel == "" ? "base" : "series" }

{
	parse()
	key = v["name"] SUBSEP v["phase" v["phase"]] SUBSEP v["pages"] SUBSEP v["threads"] SUBSEP v["where"]
}

$1 == "empty" { overhead[kernel, key] = v["insns"] }

$1 == "record" {
	if (v["windows"] != v["ops"]) {
		print "error: " FILENAME ": " v["windows"] " windows for " v["ops"] " operations" >"/dev/stderr"
		exit failed = 1
	}
	if (!(key in ops))
		order[++nr_rows] = key
	ops[key] = v["ops"]
	for (f in v) {
		if (f ~ /^tlbi\./)
			count[kernel, key, tlbi_kind(substr(f, 6))] += v[f]
		else if (f ~ /^dsb\.(ish|nsh|ishst)$/)
			count[kernel, key, substr(f, 5)] += v[f]
		else if (f ~ /^dsb\./)
			count[kernel, key, "other"] += v[f]
	}
	count[kernel, key, "insns"] = v["insns"] - overhead[kernel, key]
}

function broadcast_saved(key)
{
	return saved(key, "is.va") + saved(key, "is.range") + saved(key, "is.asid") + saved(key, "is.all")
}

function broadcasts(kernel, key)
{
	return number((count[kernel, key, "is.va"] + count[kernel, key, "is.range"] + \
		       count[kernel, key, "is.asid"] + count[kernel, key, "is.all"]) / ops[key])
}

END {
	if (failed)
		exit 1
	left = "%-15s %-14s %5s %-9s"
	format = left " |%7s %5s %4s %3s |%7s %5s %4s %3s |%13s %5s %9s %5s |%15s |%9s %7s %6s\n"
	if (part == "saved")
		exit list_saved()
	printf "-cpu %s\n" left " |%-22s |%-22s |%-35s |%15s |%24s\n", cpu,
		"", "", "", "", "TLBI, broadcast", "TLBI, local", "DSB", "", "saved by the series"
	printf format, "workload", "phase", "pages", "mm", "va", "range", "asid", "all",
		"va", "range", "asid", "all", "ish", "nsh", "ishst", "other",
		"instructions", "broadcast", "DSB ISH", "instr."
	for (i = 1; i <= nr_rows; i++) {
		key = order[i]
		split(key, k, SUBSEP)
		mm = k[4] > 0 ? "+" k[4] " busy" : k[5]
		for (c = 1; c <= nr_columns; c++)
			x[c] = cell(key, columns[c])
		printf format, k[1], k[2], k[3], mm, x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8],
			x[9], x[10], x[11], x[12], x[13],
			number(broadcast_saved(key)), number(saved(key, "ish")),
			sprintf("%d", saved(key, "insns"))
	}

}

# Rows that got worse are listed too, with a minus.
function list_saved(	i, key, k, mm, nr_saved)
{
	print "Saved per operation, -cpu " cpu ":"
	for (i = 1; i <= nr_rows; i++) {
		key = order[i]
		split(key, k, SUBSEP)
		if (broadcast_saved(key) > -0.5 && broadcast_saved(key) < 0.5)
			continue
		nr_saved++
		mm = k[4] > 0 ? "+" k[4] " busy" : k[5]
		printf "  %-15s %-14s %5s pages, %-9s: %s of %s broadcast TLBI, %s of %s DSB ISH\n",
			k[1], k[2], k[3], mm,
			number(broadcast_saved(key)), broadcasts("base", key),
			number(saved(key, "ish")), number(count["base", key, "ish"] / ops[key])
	}
	if (!nr_saved)
		print "  nothing"
	return 0
}
