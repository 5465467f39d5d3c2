# SPDX-License-Identifier: GPL-2.0-only
#
# List the functions that executed TLBI and DSB, per operation of a workload:
#
#	awk -v name=WORKLOAD -f counts.awk -f sites.awk CPU-KERNEL.sites

{
	parse()
	if (v["name"] != name)
		next
	head = sprintf("  %s, %s, %d pages, %s", name, v["phase" v["phase"]], v["pages"],
		       v["threads"] > 0 ? "+" v["threads"] " busy" : v["where"])
	if (head != last)
		print head
	last = head
	for (f in v) {
		if (f ~ /^(tlbi|dsb)\./)
			printf "  %8.2f  %-14s %s\n", v[f] / v["ops"], f, v["in"]
	}
}

END { exit last == "" }
