# SPDX-License-Identifier: GPL-2.0-only
#
# gnuplot -e "results='PREFIX'; kernels='base ...'; cpus='1 2'; model='max'" real.gp:
# PREFIX.svg and PREFIX.png, from PREFIX.data.
set style data histograms
set style histogram clustered gap 1
set style fill solid 0.8 noborder
set yrange [0:*]
set xtics rotate by -35 left
set ylabel "% of base"
set key outside top center horizontal
set grid ytics
rows = words(cpus)
plots = "svg png"
do for [p=1:2] {
	if (p == 1) { set terminal svg size 1000, 320 * rows background "white" }
	else { set terminal pngcairo size 1000, 320 * rows }
	set output results . "." . word(plots, p)
	set multiplot layout rows, 1
	do for [i=1:rows] {
		set title "Broadcast TLBIs per operation, " . model . ", CPUs: " . word(cpus, i)
		plot for [k=1:words(kernels)] results . ".data" index i - 1 \
			using k + 1:xtic(1) title word(kernels, k)
	}
	unset multiplot
}
