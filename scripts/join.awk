# SPDX-License-Identifier: GPL-2.0-only
#
# Put together what the guest said of its runs and what the plugin counted, by the
# order of the records:
#
#	awk -v sites=FILE -f join.awk System.map CONSOLE RECORDS
#
# The plugin says where each TLBI and DSB was, and the kernel's System.map which
# function that is, so that these are told apart:
#
#	switch.ish	DSB ISH of a context switch, in __switch_to()
#	kernel.*	broadcasts for kernel mappings, as vmalloc makes them, and the DSB
#			ISH and the repeated TLBI in the same function
#	tlbi.*, dsb.*	all others
#
# FILE gets the functions: lines of counts.awk's format, with "in" for a field.

FNR == 1 { file++ }

# System.map is in the order of addresses.
file == 1 {
	if ($2 ~ /^[TtWw]$/) {
		address[nr_symbols] = $1 ""
		symbol[nr_symbols++] = $3
	}
	next
}

file == 2 {
	if ($1 == "discard" || $1 == "empty" || $1 == "record")
		run[nr_runs++] = $0
	next
}

function function_at(pc,	low, high, middle)
{
	if (pc !~ /^ffff/)
		return "user"
	if (pc in known)
		return known[pc]
	high = nr_symbols - 1
	while (low < high) {
		middle = int((low + high + 1) / 2)
		if (address[middle] <= pc "")
			low = middle
		else
			high = middle - 1
	}
	return known[pc] = symbol[low]
}

# TLBI by VA for all ASIDs, or of everything.
function is_of_kernel(name)
{
	return name ~ /^tlbi\.(r?vaal?e1|vmalle1)[io]s/
}

$1 == "site" {
	split($2, pc, "=")
	split($3, op, "=")
	where = function_at(pc[2])
	if (!((where, op[1]) in at)) {
		site_function[nr_sites] = where
		site_op[nr_sites++] = op[1]
	}
	at[where, op[1]] += op[2]
	total[op[1]] += op[2]
	if (is_of_kernel(op[1]))
		of_kernel[where] = 1
	next
}

/^end / {
	split($2, f, "=")
	complete = f[2] == nr_runs
	next
}

# A record, after its sites. Every TLBI and DSB must have been at some site.
{
	split($1, f, "=")
	what = run[f[2]]
	line = what
	split("", sum)
	for (i = 1; i <= NF; i++) {
		if ($i !~ /^(tlbi|dsb)\./) {
			line = line " " $i
			continue
		}
		split($i, f, "=")
		if (total[f[1]] != f[2])
			wrong = 1
		delete total[f[1]]
	}
	for (op_left in total)
		wrong = 1

	for (i = 0; i < nr_sites; i++) {
		key = name = site_op[i]
		where = site_function[i]
		if (name == "dsb.ish" && where == "__switch_to")
			key = "switch.ish"
		else if (where in of_kernel && name ~ /^(tlbi.*[io]s|dsb\.ish)$/)
			sub(/^[a-z]*/, "kernel", key)
		if (!(key in sum))
			keys[nr_keys++] = key
		sum[key] += at[where, name]
		if (what ~ /^record/)
			print what, $2, name "=" at[where, name], "in=" where >sites
	}
	for (i = 0; i < nr_keys; i++)
		line = line " " keys[i] "=" sum[keys[i]]
	print line

	nr_sites = nr_keys = 0
	split("", at)
	split("", total)
	split("", of_kernel)
}

END { exit !complete || wrong }
