# SPDX-License-Identifier: GPL-2.0-only
#
# Hold counts against what they must be:
#
#	awk -v cpu=CPU -v column=base|series -f counts.awk -f expected.awk \
#		EXPECTED CPU-KERNEL.counts
#
# Each flush has one DSB ISHST, and so have some changes of upper tables; of the
# barriers, it is DSB ISH that is held against the file. Those of context switches,
# and all that is for kernel mappings, are counted apart and are of no concern here.
#
# Everything must be as expected to the last one, with one exception: if an interrupt
# made something else run, that may have had flushes of its own, such as for pages that
# a child copies. Then there was a context switch for it, and there are no more such
# flushes than two for each, and less than 1 in 5 operations, or in 50 pages. None of them is a broadcast in a run at home; with
# the series nothing is, expected by name or not.

FNR == NR {
	if (/^#/ || NF == 0 || $1 != cpu)
		next
	want[$2, $3, $4] = column == "base" ? $5 : $6
	# Elsewhere it depends on when things happen.
	if ($6 == "-")
		only_at_home[$2, $3, $4]
	if (column == "series" && NF > 6)
		at_home[$2, $3, $4] = $7
	next
}

$1 == "record" {
	parse()
	broadcast = 0; local = 0
	for (f in v) {
		if (f ~ /^tlbi\./ && is_broadcast(f))
			broadcast += v[f]
		else if (f ~ /^tlbi\./)
			local += v[f]
	}
	# Whatever it is.
	if (column == "series" && v["where"] == "home" && broadcast) {
		printf "%s %s, %d pages, home: %d broadcasts\n", v["name"], v["phase" v["phase"]],
			v["pages"], broadcast
		bad = 1
	}
	key = v["name"] SUBSEP v["phase" v["phase"]] SUBSEP v["pages"]
	if (!(key in want))
		next
	seen[key]++
	if (v["where"] != "home" && key in only_at_home)
		next
	expect = key in at_home && v["where"] == "home" ? at_home[key] : want[key]
	split(expect, w, "/")
	few = v["ops"] * (1 / 5 + v["pages"] / 500)
	if (few > 2 * v["switch.ish"])
		few = 2 * v["switch.ish"]
	if (v["windows"] != v["ops"] ||
	    !is_about(broadcast, w[1], v["where"] == "home" ? 0 : few) ||
	    !is_about(v["dsb.ish"], w[2], few) || !is_about(local, w[3], few)) {
		printf "%s %s, %d pages, %s, %d threads: %g/%g/%g per operation, not %s\n",
			v["name"], v["phase" v["phase"]], v["pages"], v["where"], v["threads"],
			broadcast / v["ops"], v["dsb.ish"] / v["ops"], local / v["ops"], expect
		bad = 1
	}
}

function is_about(n, per_op, more)
{
	n -= per_op * v["ops"]
	return n >= 0 && n <= more
}

END {
	for (key in want) {
		if (!(key in seen)) {
			split(key, k, SUBSEP)
			print "not measured: " k[1] " " k[2] ", " k[3] " pages"
			bad = 1
		}
		n++
	}
	if (!n)
		print "nothing is expected of " cpu
	exit bad || !n
}
