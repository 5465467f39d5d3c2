# SPDX-License-Identifier: GPL-2.0-only
#
# Hold counts against what they must be:
#
#	awk -v cpu=CPU -v column=base|series -f counts.awk -f expected.awk \
#		EXPECTED CPU-KERNEL.counts
#
# TLBIs must be as expected to the last one. DSB ISH is also part of every
# context switch, so that a few more are from interrupts: less than 1 in 5
# operations, or in 50 pages.

FNR == NR {
	if (/^#/ || NF == 0 || $1 != cpu)
		next
	want[$2, $3, $4] = column == "base" ? $5 : $6
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
	split(want[key], w, "/")
	dsb = v["dsb.ish"] - w[2] * v["ops"]
	if (v["windows"] != v["ops"] || broadcast != w[1] * v["ops"] || local != w[3] * v["ops"] ||
	    dsb < 0 || dsb >= v["ops"] * (1 / 5 + v["pages"] / 500)) {
		printf "%s %s, %d pages, %s, %d threads: %g/%g/%g per operation, not %s\n",
			v["name"], v["phase" v["phase"]], v["pages"], v["where"], v["threads"],
			broadcast / v["ops"], v["dsb.ish"] / v["ops"], local / v["ops"], want[key]
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
