# SPDX-License-Identifier: GPL-2.0-only
#
# Tables of the real workloads, from what scripts/real puts together: lines of
# scripts/counts.awk's format, after the number of CPUs and the kernel; and what is left
# to broadcast on the series, by function. plot gets the means, for real.gp.

function add(what, n,	key)
{
	key = name SUBSEP ncpus SUBSEP kernel SUBSEP what
	n /= v["ops"]
	sum[key] += n
	if (!(key in min) || n < min[key])
		min[key] = n
	if (!(key in max) || n > max[key])
		max[key] = n
}

# In the counts, those for kernel mappings are told apart already.
function of_user(op)
{
	return op ~ /^tlbi\./ && op !~ /^tlbi\.(r?vaal?e1|vmalle1)[io]s/
}

FILENAME ~ /\.counts$/ {
	ncpus = $1
	kernel = $2
	$1 = $2 = ""
	$0 = $0
	parse()
	name = v["name"]
	if (!(name in rows)) {
		rows[name] = 1
		row[nr_rows++] = name
	}
	runs[name, ncpus, kernel]++
	broadcast = here = ish = vmalloc = 0
	for (op in v) {
		if (of_user(op) && is_broadcast(op))
			broadcast += v[op]
		else if (of_user(op))
			here += v[op]
		else if (op == "dsb.ish")
			ish += v[op]
		else if (op ~ /^kernel\.(r?va|vmalle1)/)
			vmalloc += v[op]
	}
	add("broadcast", broadcast)
	add("local", here)
	add("dsb", ish)
	add("kernel", vmalloc)
	add("insns", v["insns"] + v["others"])
	next
}

# Sites, of the series: what still broadcasts for user mappings, and where.
{
	ncpus = $1
	$1 = ""
	$0 = $0
	parse()
	for (op in v)
		if (of_user(op) && is_broadcast(op)) {
			left[v["name"], ncpus, v["in"]] += v[op]
			all_left[v["name"], ncpus] += v[op]
			functions[v["in"]] = 1
		}
}

function mean(name, ncpus, kernel, what)
{
	return sum[name, ncpus, kernel, what] / runs[name, ncpus, kernel]
}

function number(x)
{
	return sprintf(x >= 100 || x == int(x) ? "%.0f" : x >= 10 ? "%.1f" : "%.2f", x)
}

function table(title, what,	i, j, k, cell, key, most)
{
	for (key in max) {
		split(key, part, SUBSEP)
		if (part[4] == what && max[key] > most)
			most = max[key]
	}
	if (!most) {
		printf "\n%s: none in any run\n", title
		return
	}
	printf "\n%s\n\n%-24s %4s", title, "", "CPUs"
	for (k = 1; k <= nr_kernels; k++)
		printf "  %-22s", kernel_list[k]
	print ""
	for (i = 0; i < nr_rows; i++)
		for (j = 1; j <= nr_cpus; j++) {
			printf "%-24s %4s", row[i], cpu_list[j]
			for (k = 1; k <= nr_kernels; k++) {
				key = row[i] SUBSEP cpu_list[j] SUBSEP kernel_list[k] SUBSEP what
				cell = number(mean(row[i], cpu_list[j], kernel_list[k], what))
				if (number(min[key]) != number(max[key]))
					cell = cell " (" number(min[key]) "-" number(max[key]) ")"
				printf "  %-22s", cell
			}
			print ""
		}
}

END {
	nr_kernels = split(kernels, kernel_list, " ")
	nr_cpus = split(cpus, cpu_list, " ")

	print "Per operation: mean, and least and most of the runs where these differ."
	table("Broadcast TLBIs for user mappings", "broadcast")
	table("Local TLBIs", "local")
	table("DSB ISH, but for context switches and kernel mappings", "dsb")
	table("Broadcast TLBIs for kernel mappings", "kernel")
	table("Instructions, of all CPUs", "insns")

	printf "\nWhat still broadcasts on the series, %% of it by function\n\n"
	for (i = 0; i < nr_rows; i++)
		for (j = 1; j <= nr_cpus; j++) {
			if (!((row[i], cpu_list[j]) in all_left))
				continue
			printf "%-24s %4s ", row[i], cpu_list[j]
			for (f in functions) {
				share = left[row[i], cpu_list[j], f] / all_left[row[i], cpu_list[j]]
				if (share >= 0.05)
					printf " %s %.0f", f, share * 100
			}
			print ""
		}

	for (j = 1; j <= nr_cpus; j++) {
		for (i = 0; i < nr_rows; i++) {
			of_base = mean(row[i], cpu_list[j], kernel_list[1], "broadcast")
			printf "\"%s\"", row[i] >plot
			for (k = 1; k <= nr_kernels; k++)
				printf " %.2f", of_base ? 100 * mean(row[i], cpu_list[j], kernel_list[k], "broadcast") / of_base : 0 >plot
			print "" >plot
		}
		printf "\n\n" >plot
	}
}
