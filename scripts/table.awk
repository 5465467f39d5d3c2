# SPDX-License-Identifier: GPL-2.0-only
#
# Make the table from the counts of the base kernel and those of the series:
#
#	awk -v cpu=NAME [-v part=saved] -f counts.awk -f table.awk \
#		BASE.counts SERIES.counts

# The kind of a TLBI: broadcast or local; by VA, range, ASID or all of it.
function tlbi_kind(op,	scope)
{
	scope = is_broadcast(op) ? "is" : "local"
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
	b = column ~ /insns|least/ ? sprintf("%.0f", b) : number(b)
	s = column ~ /insns|least/ ? sprintf("%.0f", s) : number(s)
	return b == s ? b : b ">" s
}

function saved(key, column)
{
	return (count["base", key, column] - count["series", key, column]) / ops[key]
}

BEGIN {
	nr_columns = split("is.va is.range is.asid is.all is.kernel local.va local.range " \
			   "local.asid local.all ish switch nsh ishst other insns least", columns)
}

FNR == 1 { kernel = kernel == "" ? "base" : "series" }

{
	parse()
	key = v["name"] SUBSEP v["phase" v["phase"]] SUBSEP v["pages"] SUBSEP v["threads"] SUBSEP v["where"]
}

$1 == "empty" {
	overhead[kernel, key] = v["insns"]
	least_overhead[kernel, key] = v["least"]
}

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
		else if (f ~ /^kernel\./ && f != "kernel.ish")
			count[kernel, key, "is.kernel"] += v[f]
		else if (f ~ /^dsb\.(ish|nsh|ishst)$/)
			count[kernel, key, substr(f, 5)] += v[f]
		else if (f ~ /^dsb\./)
			count[kernel, key, "other"] += v[f]
	}
	count[kernel, key, "other"] += v["kernel.ish"]
	count[kernel, key, "switch"] = v["switch.ish"]
	count[kernel, key, "insns"] = v["insns"] - overhead[kernel, key]
	# Of one operation, as all the others are of "ops".
	count[kernel, key, "least"] = (v["least"] - least_overhead[kernel, key]) * v["ops"]
}

function broadcasts(kernel, key)
{
	return (count[kernel, key, "is.va"] + count[kernel, key, "is.range"] + \
		count[kernel, key, "is.asid"] + count[kernel, key, "is.all"]) / ops[key]
}

function broadcast_saved(key)
{
	return broadcasts("base", key) - broadcasts("series", key)
}

# Where the mm was, by the threads and the place that are part of a key.
function mm(threads, where)
{
	return threads > 0 ? "+" threads " busy" : where
}

END {
	if (failed)
		exit 1
	left = "%-18s %-14s %5s %-9s"
	format = left " |%7s %5s %4s %3s %6s |%7s %5s %4s %3s |%9s %9s %6s %9s %5s |%15s %13s |%9s %7s %6s\n"
	if (part == "saved")
		exit list_saved()
	printf "-cpu %s\n" left " |%-29s |%-22s |%-42s |%-29s |%24s\n", cpu,
		"", "", "", "", "TLBI, broadcast", "TLBI, local", "DSB", "instructions", "saved by the series"
	printf format, "workload", "phase", "pages", "mm", "va", "range", "asid", "all", "kernel",
		"va", "range", "asid", "all", "ish", "switch", "nsh", "ishst", "other",
		"mean", "least", "broadcast", "DSB ISH", "instr."
	for (i = 1; i <= nr_rows; i++) {
		key = order[i]
		split(key, k, SUBSEP)
		for (c = 1; c <= nr_columns; c++)
			x[c] = cell(key, columns[c])
		printf format, k[1], k[2], k[3], mm(k[4], k[5]), x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8],
			x[9], x[10], x[11], x[12], x[13], x[14], x[15], x[16],
			number(broadcast_saved(key)), number(saved(key, "ish")),
			sprintf("%d", saved(key, "least"))
	}
}

# Rows that got worse are listed too, with a minus.
function list_saved(	i, key, k, nr_saved)
{
	print "Saved per operation, -cpu " cpu ":"
	for (i = 1; i <= nr_rows; i++) {
		key = order[i]
		split(key, k, SUBSEP)
		if (broadcast_saved(key) > -0.5 && broadcast_saved(key) < 0.5)
			continue
		nr_saved++
		printf "  %-18s %-14s %5s pages, %-9s: %s of %s broadcast TLBI, %s of %s DSB ISH\n",
			k[1], k[2], k[3], mm(k[4], k[5]),
			number(broadcast_saved(key)), number(broadcasts("base", key)),
			number(saved(key, "ish")), number(count["base", key, "ish"] / ops[key])
	}
	if (!nr_saved)
		print "  nothing"
	return 0
}
