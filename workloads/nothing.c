// SPDX-License-Identifier: GPL-2.0-only
/* What forkexec executes. */
int main(void)
{
	return 0;
}
