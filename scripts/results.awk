# SPDX-License-Identifier: GPL-2.0-only
#
# A console with one KTAP report in it -> one line for each test and subtest,
# its result and its name, without what differs from run to run: to diff the
# runs of two kernels.
{ sub(/\r$/, "") }
/^ *(not )?ok [0-9]+/ {
	depth = match($0, /[^ ]/) - 1
	result = /^ *not/ ? "not ok" : / # SKIP/ ? "skip" : "ok"
	name = $0
	sub(/^ *(not )?ok [0-9]+ */, "", name)
	# What kselftest skips has its name, or just the reason, behind the mark.
	if (name !~ /^# SKIP/)
		sub(/ *# .*/, "", name)
	# Counts and times.
	sub(/ Extra pages .*/, "", name)
	if (depth) {
		sub_result[++n] = result
		sub_name[n] = name
	} else {
		for (i = 1; i <= n; i++)
			print sub_result[i] "\t" name ": " sub_name[i]
		print result "\t" name
		n = 0
	}
}
