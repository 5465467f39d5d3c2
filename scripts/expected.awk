# SPDX-License-Identifier: GPL-2.0-only
#
# Hold counts against what they must be:
#
#	awk -v cpu=CPU -v column=base|series -f counts.awk -f expected.awk \
#		EXPECTED CPU-KERNEL.counts
#
# Of each there may be a few more, less than 1 in 2 operations, or in 50 pages: DSB
# ISH is part of every context switch that an interrupt makes, and what runs then
# may be another mm, which writes to a page for the first time. Broadcasts must be
# as expected to the last one unless something else did run.

FNR == NR {
	if (/^#/ || NF == 0 || $1 != cpu)
		next
	want[$2, $3, $4] = column == "base" ? $5 : $6
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
	key = v["name"] SUBSEP v["phase" v["phase"]] SUBSEP v["pages"]
	if (!(key in want))
		next
	seen[key]++
	expect = key in at_home && v["where"] == "home" ? at_home[key] : want[key]
	split(expect, w, "/")
	dsb = v["dsb.ish"] - w[2] * v["ops"]
	more = local - w[3] * v["ops"]
	extra = broadcast - w[1] * v["ops"]
	few = v["ops"] * (1 / 2 + v["pages"] / 500)
	if (v["windows"] != v["ops"] || extra < 0 || extra >= (v["others"] ? few : 1) ||
	    more < 0 || more >= few || dsb < 0 || dsb >= few) {
		printf "%s %s, %d pages, %s, %d threads: %g/%g/%g per operation, not %s\n",
			v["name"], v["phase" v["phase"]], v["pages"], v["where"], v["threads"],
			broadcast / v["ops"], v["dsb.ish"] / v["ops"], local / v["ops"], expect
		bad = 1
	}
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
