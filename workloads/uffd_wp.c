// SPDX-License-Identifier: GPL-2.0-only
/* Write-protect a buffer by userfaultfd, and take the protection away. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "workload.h"

static int uffd;

static void setup_registered(size_t len)
{
	struct uffdio_api api = {
		.api = UFFD_API,
		.features = UFFD_FEATURE_PAGEFAULT_FLAG_WP,
	};
	struct uffdio_register reg = {
		.range = { .start = (unsigned long)BUF, .len = len },
		.mode = UFFDIO_REGISTER_MODE_WP,
	};

	uffd = syscall(__NR_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY);
	if (uffd < 0)
		die("userfaultfd");
	if (ioctl(uffd, UFFDIO_API, &api) || ioctl(uffd, UFFDIO_REGISTER, &reg))
		die("userfaultfd ioctl");
}

/* Private anonymous pages of our own: writable before, and made so again. */
static void setup_written(size_t len)
{
	map_buf(len);
	touch_buf(len);
	setup_registered(len);
}

/* Entries of the zero page: read-only before and after. */
static void setup_zero(size_t len)
{
	size_t i;

	map_buf(len);
	for (i = 0; i < len; i += page_size)
		*(volatile char *)(BUF + i);
	setup_registered(len);
}

static void op(size_t len)
{
	struct uffdio_writeprotect on = {
		.range = { .start = (unsigned long)BUF, .len = len },
		.mode = UFFDIO_WRITEPROTECT_MODE_WP,
	};
	struct uffdio_writeprotect off = {
		.range = { .start = (unsigned long)BUF, .len = len },
	};
	int err;

	PHASE(1);
	err = ioctl(uffd, UFFDIO_WRITEPROTECT, &on);
	STOP();
	PHASE(2);
	err |= ioctl(uffd, UFFDIO_WRITEPROTECT, &off);
	STOP();
	if (err)
		die("UFFDIO_WRITEPROTECT");
}

const struct workload uffd_wp = {
	.name = "uffd_wp",
	.phases = { "protect", "unprotect" },
	.setup = setup_written,
	.op = op,
};

const struct workload uffd_wp_zero = {
	.name = "uffd_wp_zero",
	.phases = { "protect", "unprotect" },
	.setup = setup_zero,
	.op = op,
};
