# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What the scripts share. The Makefile exports the variables; the defaults are
# for a script that is run by hand.

set -euo pipefail
export LC_ALL=C
# Neither our own make's flags nor the user's are meant for the kernel's.
unset MAKEFLAGS MFLAGS MAKELEVEL O KBUILD_OUTPUT LOCALVERSION LLVM KCFLAGS CFLAGS LDFLAGS

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
: "${BASE:=6.12}" "${BUILD:=$top/build}" "${KERNEL:=}" "${JOBS:=$(nproc)}"

# Everything that belongs to one base tree is under $out.
out=$BUILD/$BASE
if [ -n "$KERNEL" ]; then
	[ -d "$KERNEL" ] || {
		echo "error: KERNEL=$KERNEL is not a directory" >&2
		exit 1
	}
	KERNEL=$(cd "$KERNEL" && pwd)
	out=$BUILD/$BASE-$(basename "$KERNEL")
fi
# A variant of the configuration, kernel/variants, is built beside the usual one.
: "${VARIANT:=}"
variant=${VARIANT:+-$VARIANT}
patches=$top/patches/$BASE
mutations=$top/mutations/$BASE
logs=$out/logs

say()
{
	printf '  %-8s %s\n' "$1" "$2"
}

die()
{
	echo "error: $*" >&2
	exit 1
}

need()
{
	local tool

	for tool; do
		command -v "$tool" >/dev/null ||
			die "$tool is not installed: run 'make setup'"
	done
}

# need_space DIR MIB: before anything is written.
need_space()
{
	local free

	mkdir -p "$1" || die "cannot create $1: set BUILD=DIR to a place that can be written"
	free=$(df -Pm "$1" | awk 'NR == 2 { print $4 }')
	[ "$free" -ge "$2" ] ||
		die "$2 MiB of disk needed in $1, $free MiB free: make room, or set BUILD=DIR elsewhere"
}

# log_failed WHAT LOG: one line that says why, from what a tool left behind.
log_failed()
{
	if grep -qs -e 'No space left on device' -e 'not all data was written' "$2"; then
		die "$1: the disk is full: make room in $BUILD and run the same command again"
	fi
	grep -E -m 5 'error|Error|fatal' "$2" >&2 || tail -n 5 "$2" >&2 || :
	die "$1 failed: see $2"
}

# The patches, without a cover letter, which is no commit.
patch_files()
{
	find "$patches" -name '[0-9]*.patch' ! -name '0000-*' 2>/dev/null | sort
}

# What the series touches, as objects. A header stands for its users that the
# series is about.
touched_objects()
{
	git -C "$out/series" diff --name-only base..HEAD -- '*.c' ':!tools' | sed 's/c$/o/'
	echo mm/mprotect.o mm/huge_memory.o
}

# same_patches DIR DIR: but for the lines where they apply and the blobs that they apply
# to, which another point release moves. The cover letter does not count.
same_patches()
{
	local dir texts=()

	for dir; do
		texts+=("$(cd "$dir" && for patch in $(ls | grep -v '^0000-'); do
			echo "$patch"
			sed -e '/^index [0-9a-f]*\.\./d' -e 's/^@@ .*/@@/' "$patch"
		done)")
	done
	diff <(echo "${texts[0]}") <(echo "${texts[1]}")
}

# side_by_side COMMAND...: COMMAND with each line of stdin for its last argument, $JOBS
# at a time. The check results come in the order of the lines, numbered anew.
side_by_side()
{
	local line i=0 dir

	dir=$(mktemp -d)
	while IFS= read -r line; do
		i=$((i + 1))
		("$@" "$line" || echo "not ok 1 ended early: $line") \
			>"$dir/$(printf %04d $i)" </dev/null &
		[ "$(jobs -rp | wc -l)" -lt "$JOBS" ] || wait -n || :
	done
	wait
	cat "$dir"/* | awk '/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++n) } { print }'
	rm -rf "$dir"
}

# Whatever the user's configuration says, git makes the same commits.
plain_git()
{
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
	export GIT_COMMITTER_NAME=series GIT_COMMITTER_EMAIL=series@localhost
	export GIT_AUTHOR_NAME=base GIT_AUTHOR_EMAIL=base@localhost
}

# apt_source TOOL ARGUMENTS: a tool of apt, knowing the source packages of the
# machine's own sources, by way of directories of ours: what is configured on the
# machine stays as it is. apt_source_update LOG makes the directories.
apt_source()
{
	local apt=$BUILD/apt

	"$1" -o Dir::Etc::SourceList="$apt/sources.list" -o Dir::Etc::SourceParts="$apt/sources.list.d" \
		-o Dir::State::Lists="$apt/lists" -o Dir::Cache="$apt/cache" "${@:2}"
}

apt_source_update()
{
	local apt=$BUILD/apt file

	rm -rf "$apt"
	mkdir -p "$apt"/{sources.list.d,lists/partial,cache/archives/partial}
	: >"$apt/sources.list"
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >>"$apt/sources.list"
	done
	for file in /etc/apt/sources.list.d/*.sources; do
		[ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" \
			>"$apt/sources.list.d/$(basename "$file")"
	done
	say UPDATE "list of source packages, in $apt"
	apt_source apt-get update >"$1" 2>&1 || :
}

# The tool chain: native on arm64, Debian's cross compiler elsewhere.
case $(uname -m) in
aarch64) cross= ;;
*) cross=aarch64-linux-gnu- ;;
esac
