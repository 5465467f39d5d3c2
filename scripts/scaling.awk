# SPDX-License-Identifier: GPL-2.0-only
#
# A model of what broadcasts cost on a machine with more CPUs than there are here, from
# the counts that scripts/real puts together: awk -v cpus=8 -f counts.awk -f scaling.awk
#
# Published for stress-ng --tlb-shootdown on a server, 32 of it at once, with a prototype
# of a mask of active CPUs (the last posting that the cover letter names): 1593 operations
# a second before, 15328 after. At 1 of it, no gain: a broadcast that is alone is not
# dear; what is, is that they wait for each other.
#
# Assumptions:
#   1. A machine completes broadcasts one after the other, whichever CPUs they are from.
#   2. The broadcasts per operation are those with as many CPUs as were counted.
#   3. At 32, one takes, at the most, what explains all of what was gained there,
#	(1 / before - 1 / after) / (broadcasts per operation on base, less on series)
#      and at the least as much as all of the time that was left then
#	1 / after / broadcasts per operation on series
#      These would be the same if 2. and 1. were exact.
#   4. With more CPUs to answer, one takes as long or, at worst, longer in proportion.
# The least that one takes and no more for more CPUs is the upper end of what is printed,
# the most and in proportion the lower. What comes out is a ceiling: what the machine does at most, if it did nothing but wait
# for broadcasts. Workloads that are far below their ceiling on base gain nothing.

BEGIN {
	before = 1593
	after = 15328
	at = 32
}

$1 == cpus && ($2 == "base" || $2 == "series") {
	kernel = $2
	$1 = $2 = ""
	$0 = $0
	parse()
	if (!((v["name"], "base") in n))
		row[nr_rows++] = v["name"]
	n[v["name"], kernel]++
	for (op in v)
		if (op ~ /^tlbi\./ && is_broadcast(op))
			broadcasts[v["name"], kernel] += v[op] / v["ops"]
}

function per_op(name, kernel)
{
	return broadcasts[name, kernel] / n[name, kernel]
}

function ceiling(b, seconds)
{
	return b * seconds < 1e-7 ? "none" : sprintf("%.0f", 1 / (b * seconds))
}

function range(low, high)
{
	return low == high ? low : low "-" high
}

END {
	name = "stress-ng:tlb-shootdown"
	if (!((name, "series") in n))
		exit
	saved = per_op(name, "base") - per_op(name, "series")
	if (saved <= 0) {
		print "No model: nothing is saved in " name " with " cpus " CPUs."
		exit
	}
	slow = (1 / before - 1 / after) / saved
	fast = 1 / after / per_op(name, "series")
	if (fast > slow) {
		one = fast
		fast = slow
		slow = one
	}
	print "A model, not a measurement: scripts/scaling.awk has its assumptions."
	printf "One broadcast on a machine with %d CPUs: %.2f to %.2f us, from %.1f saved and %.1f left\n",
		at, fast * 1e6, slow * 1e6, saved, per_op(name, "series")
	print "in one operation of " name ", and published rates of that."
	print "\nAt most so many operations a second, of the whole machine: lowest-highest, base > series\n"
	printf "%-24s %9s %9s", "", "base", "series"
	for (c = 64; c <= 256; c *= 2)
		printf "   %-30s", c " CPUs"
	print ""
	for (i = 0; i < nr_rows; i++) {
		name = row[i]
		printf "%-24s %9.2f %9.2f", name, per_op(name, "base"), per_op(name, "series")
		for (c = 64; c <= 256; c *= 2) {
			line = ""
			for (k = 1; k <= 2; k++) {
				b = per_op(name, k == 1 ? "base" : "series")
				line = line (k == 1 ? "" : " > ") range(ceiling(b, slow * c / at), ceiling(b, fast))
			}
			printf "   %-30s", line
		}
		print ""
	}
}
