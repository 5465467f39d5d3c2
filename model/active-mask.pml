/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The CPUs where an address space has been active, and who trusts them: a model
 * of check_and_switch_context(), new_context(), arm64_mm_context_get() and
 * tlbi_begin() ... tlbi_sync(). See README.md for what is modelled, and how.
 *
 * Scenarios are chosen with -D: CPUS, SWITCHES, ROLLOVERS, PIN, CNP, WINDOW;
 * the broken variants with -DV_...: see the file "runs".
 */

#ifndef CPUS
#define CPUS		2
#endif
#ifndef SWITCHES	/* of each CPU */
#define SWITCHES	2
#endif
#ifndef SWITCHES_0	/* of the first one, where the thread that unmaps starts */
#define SWITCHES_0	SWITCHES
#endif
#ifndef ROLLOVERS	/* beyond those that an allocation cannot do without */
#define ROLLOVERS	1
#endif
#ifndef PIN		/* calls of arm64_mm_context_get() */
#define PIN		0
#endif

/* Address spaces: M is the one whose page is unmapped. */
#define NONE		0	/* reserved TTBR0 */
#define M		1
#define N		2	/* another, that CPUs return to */
#define X		3	/* any number of others, each switched to once */

/* ASIDs: one for each CPU's reserved one, one to spare, one that is pinned. */
#define NUMBERS		(CPUS + 1 + PIN)
#define ID(g, n)	((g) * 8 + (n))
#define GEN(id)		((id) / 8)
#define NUMBER(id)	((id) % 8)
#define BIT(n)		(1 << (n))

/* Memory: what everybody sees. */
byte mask;			/* mm_cpumask(M) */
byte id[3];			/* context.id; X gets a new one each time */
bool pinned;			/* M's context.pinned */
bool pte = 1;			/* M's entry: does it map the page? */
byte generation = 1;
byte active_asid[CPUS], reserved_asid[CPUS];
byte pending;			/* tlb_flush_pending */
byte used;			/* asid_map */
bool lock;			/* cpu_asid_lock, as the others see it */

/*
 * Stores of a CPU that nobody else can see yet. There is one at most of each kind,
 * as no CPU gets through a context switch without a DSB ISH.
 */
bool st_pte[CPUS];
bool st_mask[CPUS]; byte st_mask_value[CPUS];
bool st_bit[CPUS];
bool st_id[CPUS]; byte st_id_value[CPUS];
bool st_pinned[CPUS];
bool st_unlock[CPUS];

/* MMUs: the last one is the device's that M's ASID is pinned for. */
#define DEVICE		CPUS
byte ttbr[CPUS + 1];		/* whose tables can be walked */
byte asid[CPUS + 1];		/* under which number */
byte tlb[CPUS + 1];		/* numbers under which the page is still mapped */
byte doomed[CPUS + 1];		/* same, but a TLBI is on its way */
bool switching[CPUS];		/* between the claim and TTBR0 */
bool broadcast;			/* the TLBI is for all of them */

/* The thread that unmaps and frees the page. */
#define RUNS		0
#define LEAVES		1	/* its CPU is in a context switch */
#define READY		2	/* to run on any CPU */
#define DONE		3
byte thread = RUNS;
byte thread_cpu;
bool thread_stays;		/* preempt_disable() */
bool preempted;			/* since it loaded ahead */
byte tlbi_number, tlbi_cpu;
bool freed;

byte left[CPUS];		/* switches to go */
byte rollovers, pins;

/* Stores become visible, barriers wait for them. */

/*
 * The order that is kept is that of one location, and before a release: the mask
 * before the bit in it, the id (store-release) after the mask if the code says so,
 * the unlock after everything in the critical section.
 */
#ifdef V_CLEAR_AFTER_ID
#define MASK_FIRST(c)	true
#else
#define MASK_FIRST(c)	!st_mask[c]
#endif

inline see_pte(c)
{
	pte = 0; st_pte[c] = 0;
}

inline see_mask(c)
{
	mask = st_mask_value[c]; st_mask[c] = 0; st_mask_value[c] = 0;
}

inline see_bit(c)
{
	mask = mask | BIT(c); st_bit[c] = 0;
}

inline see_id(c)
{
	id[M] = st_id_value[c]; st_id[c] = 0; st_id_value[c] = 0;
}

inline see_pinned(c)
{
	pinned = 1; st_pinned[c] = 0;
}

inline see_unlock(c)
{
	lock = 0; st_unlock[c] = 0;
}

/* DSB for the inner shareable domain: everything is visible. */
inline dsb_stores(c)
{
	if :: st_pte[c] -> see_pte(c) :: else fi;
	if :: st_mask[c] -> see_mask(c) :: else fi;
	if :: st_bit[c] -> see_bit(c) :: else fi;
	if :: st_id[c] -> see_id(c) :: else fi;
	if :: st_pinned[c] -> see_pinned(c) :: else fi;
	if :: st_unlock[c] -> see_unlock(c) :: else fi
}

proctype visible(byte c)
{
end:	do
	:: d_step { st_pte[c] -> see_pte(c) }
	:: d_step { st_mask[c] -> see_mask(c) }
	:: d_step { st_bit[c] && !st_mask[c] -> see_bit(c) }
	:: d_step { st_id[c] && MASK_FIRST(c) -> see_id(c) }
#if PIN
	:: d_step { st_pinned[c] -> see_pinned(c) }
#endif
	:: d_step { st_unlock[c] && !st_mask[c] && !st_id[c] && !st_pinned[c] -> see_unlock(c) }
	od
}

/* A CPU's own loads see its own stores. */
#define MASK(c)		((st_mask[c] -> st_mask_value[c] : mask) | (st_bit[c] -> BIT(c) : 0))
#define OWN_BIT(c)	((MASK(c) & BIT(c)) != 0)
#define M_ID(c)		(st_id[c] -> st_id_value[c] : id[M])

/*
 * Walks: whatever can be walked has been, there is no need to wait. To hold an
 * entry opens ways to go wrong, and closes none.
 */
inline walk(c)
{
	if
	:: pte && ttbr[c] == M -> tlb[c] = tlb[c] | BIT(asid[c])
	:: else
	fi
}

#define USABLE(c)	(ttbr[c] != NONE && ((tlb[c] | doomed[c]) & BIT(asid[c])))

/* The property. Called whenever an MMU may have come to use something else. */
inline check_use(c)
{
	/* stale translation: the page is free, and still mapped */
	assert(!(freed && USABLE(c)));
#ifndef STALE_ONLY
	/* foreign translation: it is mapped in another address space */
	assert(!(ttbr[c] != M && USABLE(c)))
#else
	skip	/* foreign ones count once the page is free */
#endif
}

inline dsb_tlbi(c, is)
{
	if
	:: c == tlbi_cpu && broadcast && is ->
		for (k : 0 .. DEVICE) {
			doomed[k] = 0
		}
		broadcast = 0
	:: c == tlbi_cpu && !(broadcast && is) -> doomed[c] = 0
	:: else
	fi
}

#ifdef WINDOW
#define REACHED(c)	true
#else
#define REACHED(c)	(asid[c] == tlbi_number)
#endif

/* The thread goes on, on a CPU that is not in the middle of a context switch. */
#define GOES_ON		(thread == RUNS)

proctype unmaps()
{
	byte k, cpu, seen, number;
	bool was_pinned, is_local;

#ifdef V_BATCH_STALE
	atomic { GOES_ON -> cpu = thread_cpu; seen = mask; was_pinned = pinned }
#endif

	/* Change the entry. */
	d_step { GOES_ON -> st_pte[thread_cpu] = 1 }

#ifndef V_MASK_BEFORE_PTE
	/* DSB ISHST */
	d_step { GOES_ON -> dsb_stores(thread_cpu) }
#endif

	/*
	 * tlbi_begin(). The loads of the mask, of "pinned" and, later, of the id are
	 * not ordered. An early load of "pinned" finds the least; an early load of the
	 * id may or may not be made. If the thread is preempted, they come to nothing.
	 */
#ifndef V_BATCH_STALE
	d_step { GOES_ON -> cpu = thread_cpu; preempted = 1 }
	do
	:: atomic {
		GOES_ON && preempted ->
		was_pinned = pinned;
		if
		:: number = NUMBER(M_ID(thread_cpu))
		:: number = 0
		fi;
		preempted = 0
	   }
	:: d_step { GOES_ON && !preempted -> seen = MASK(thread_cpu) } break
	od;
#endif
	atomic {
		GOES_ON ->
		is_local = !(seen & ~BIT(cpu));
#ifndef V_PINNED_IS_LOCAL
		is_local = is_local && !was_pinned;
#endif
#ifdef V_BROADCAST
		is_local = 0;
#endif
#ifndef V_PREEMPTIBLE
#ifndef V_NO_SECOND_LOOK
		is_local = is_local && cpu == thread_cpu;
#endif
		thread_stays = is_local;
#endif
		cpu = 0; seen = 0; was_pinned = 0
	}
#ifdef V_MASK_BEFORE_PTE
	d_step { GOES_ON -> dsb_stores(thread_cpu) }
#endif

	d_step {
		GOES_ON ->
		if
		:: number == 0 || preempted -> number = NUMBER(M_ID(thread_cpu))
		:: else
		fi
	}
	/* The TLBI. What is walked from here on, it may miss. */
	d_step {
		GOES_ON ->
		tlbi_cpu = thread_cpu;
		tlbi_number = number;
		broadcast = !is_local;
		k = 0;
		do
		:: k <= DEVICE ->
			if
			:: (broadcast || k == thread_cpu) && (tlb[k] & BIT(number)) ->
				tlb[k] = tlb[k] & ~BIT(number);
				doomed[k] = BIT(number);
				walk(k)
			:: else
			fi;
			k++
		:: else -> break
		od;
		k = 0; number = 0;
		thread_stays = 0
	}

	/* tlbi_sync(), and the page is free. */
	atomic {
		GOES_ON ->
#ifdef V_BATCH_LAST
		is_local = 1;
#endif
		dsb_stores(thread_cpu);
		dsb_tlbi(thread_cpu, !is_local);
		tlbi_cpu = 0; broadcast = 0; is_local = 0; preempted = 0;
		thread = DONE;
		freed = 1;
		k = 0;
		do
		:: k < CPUS ->
			if
			:: !switching[k] -> check_use(k)
			:: switching[k] && ttbr[k] == M && REACHED(k) -> check_use(k)
			:: else
			fi;
			k++
		:: else -> break
		od;
		check_use(DEVICE);
		k = 0; tlbi_number = 0; thread_cpu = 0
	}
}

/* new_context(), with the lock held. */

#define FREE(n)		(!(used & BIT(n)))
#define ANY_FREE	(used != BIT(NUMBERS + 1) - BIT(1))

inline flush_context(c)
{
	generation++;
	used = (pinned -> BIT(NUMBER(id[M])) : 0);
	k = 0;
	do
	:: k < CPUS ->
		if
		:: active_asid[k] != 0 ->
			reserved_asid[k] = active_asid[k];
			active_asid[k] = 0
		:: else
		fi;
		if
		:: reserved_asid[k] != 0 -> used = used | BIT(NUMBER(reserved_asid[k]))
		:: else
		fi;
		k++
	:: else -> break
	od;
	k = 0;
	pending = BIT(CPUS) - 1
}

inline allocate(c)
{
	/* If there is none, others have them all: more than are modelled here. */
	if
	:: ANY_FREE -> skip
	:: rollovers > 0 -> rollovers--; flush_context(c)
	:: !ANY_FREE && rollovers == 0 -> flush_context(c)
	fi;
	if
	:: FREE(1) -> new = 1
	:: FREE(2) -> new = 2
	:: FREE(3) -> new = 3
#if CPUS + PIN >= 3
	:: FREE(4) -> new = 4
#endif
#if CPUS + PIN >= 4
	:: FREE(5) -> new = 5
#endif
	fi;
	used = used | BIT(new);
	new = ID(generation, new);
	restarts = 1
}

/* The load and the store are not one: the store waits in st_mask. */
inline restart_active_mask(c)
{
#ifdef V_CLEAR_ALL
	st_mask_value[c] = 0;
#else
	st_mask_value[c] = MASK(c) & pending;
#endif
	st_mask[c] = 1
}

inline new_context(c, mm)
{
	new = 0; restarts = 0;
	if
	:: mm != X ->
		/* Was it running somewhere when the rollover came? */
		k = 0;
		do
		:: k < CPUS ->
			if
			:: reserved_asid[k] == old ->
				new = ID(generation, NUMBER(old));
				reserved_asid[k] = new
			:: else
			fi;
			k++
		:: else -> break
		od;
		k = 0;
#ifdef V_RESTART_RESERVED
		if
		:: new != 0 -> restarts = 1
		:: else
		fi;
#endif
		if
		:: new == 0 && mm == M && pinned -> new = ID(generation, NUMBER(old))
		:: new == 0 && !(mm == M && pinned) && FREE(NUMBER(old)) ->
			used = used | BIT(NUMBER(old));
			if
			:: new = ID(generation, NUMBER(old)); restarts = 1
			:: skip		/* another has taken it */
			fi
		:: else
		fi
	:: else
	fi;
	if
	:: new == 0 -> allocate(c)
	:: else
	fi;
	if
	:: mm == M && restarts -> restart_active_mask(c)
	:: else
	fi;
	/* The caller's atomic64_set_release(&mm->context.id, new). */
	if
	:: mm == M -> st_id[c] = 1; st_id_value[c] = new
	:: mm == N -> id[N] = new
	:: else
	fi;
	old = new; new = 0; restarts = 0
}

#define CURRENT_ID(c, mm)	(mm == M -> M_ID(c) : (mm == N -> id[N] : 0))

/*
 * One step for each access that others may get in between of. A critical section
 * is one step: what it stores becomes visible bit by bit, the unlock last, and what
 * it loads is protected by the lock, but for the mask.
 */
inline check_and_switch_context(c, mm)
{
	/* IRQs are off. If the thread that unmaps was here, it is preempted. */
	atomic {
		left[c] > 0 && !(thread == RUNS && thread_cpu == c && thread_stays) &&
		(mm == X || ttbr[c] != mm || switching[c]) ->
		left[c]--;
		if
		:: thread == RUNS && thread_cpu == c -> thread = LEAVES; preempted = 1
		:: else
		fi;
#ifdef CNP
		ttbr[c] = NONE;
#endif
		switching[c] = 1;
		have = 0; own = (mm != M);
#ifdef V_NO_ACQUIRE
		/* The load of the bit may be made before that of the id ... */
		if
		:: mm == M -> own = OWN_BIT(c); have = 1
		:: true
		fi
	}
	atomic {
#endif
		old = CURRENT_ID(c, mm)
	}
#ifdef V_BIT_BEFORE_CLAIM
	atomic {
		if
		:: mm == M && !OWN_BIT(c) -> st_bit[c] = 1
		:: else
		fi;
		own = 1; have = 1
	}
	d_step { dsb_stores(c) }
#endif
	/* asid_gen_match(); by now, the load of the bit may have been made. */
	atomic {
		claims = active_asid[c] != 0 && old != 0 && GEN(old) == generation;
		if
		:: mm == M && !have && claims -> own = OWN_BIT(c); have = 1
		:: true
		fi
	}
	if
	/* The cmpxchg() succeeds. */
	:: atomic { claims && active_asid[c] != 0 ->
		active_asid[c] = old;
		if
		:: mm == M && !have -> own = OWN_BIT(c)
		:: else
		fi
	   }
	/* Or not, or there was none. */
	:: atomic { !(claims && active_asid[c] != 0) && !lock ->
		lock = 1;
		old = CURRENT_ID(c, mm);
		if
		:: GEN(old) != generation -> new_context(c, mm); have = 0
		:: else
		fi;
		if
		:: pending & BIT(c) ->
			pending = pending & ~BIT(c);
			tlb[c] = 0; doomed[c] = 0;
			walk(c)
		:: else
		fi;
		active_asid[c] = old;
		st_unlock[c] = 1;
#ifdef V_NO_DSB_FOR_NEW_ID
		if :: mm == M -> own = OWN_BIT(c) :: else fi
#else
		own = 0
#endif
	   }
	fi;
#ifdef V_EXEC_PREEMPTIBLE
	/*
	 * A new program, in exec_mmap(), and preempted: the CPU goes on to something
	 * else while switching[c] and TTBR0 are as they were.
	 */
	if
	:: atomic { mm == X && !(thread == LEAVES && thread_cpu == c) -> old = 0; claims = 0; own = 0 } goto end
	:: skip
	fi;
#endif
	/* DSB ISHST if the bit is set, and cpu_do_switch_mm() */
	atomic {
		if
		:: !own ->
#if defined(V_BIT_BEFORE_CLAIM)
			/* Again only after a restart of its own. */
			if
			:: mm == M && !have -> st_bit[c] = 1
			:: else
			fi;
#elif !defined(V_BIT_AFTER_TTBR)
			if
			:: mm == M -> st_bit[c] = 1
			:: else
			fi;
#endif
#ifndef V_NO_DSB_AFTER_BIT
			dsb_stores(c)
#endif
		:: else
		fi;
		if
		:: mm == M -> asid[c] = NUMBER(M_ID(c))
		:: mm == N -> asid[c] = NUMBER(id[N])
		:: else -> asid[c] = NUMBER((active_asid[c] != 0 -> active_asid[c] : reserved_asid[c]))
		fi;
		ttbr[c] = mm;
		walk(c);
		switching[c] = 0;
		old = 0; have = 0; claims = 0;
		check_use(c)
	}
#ifdef V_BIT_AFTER_TTBR
	d_step {
		if
		:: mm == M && !own -> st_bit[c] = 1; dsb_stores(c)
		:: else
		fi
	}
#endif
	own = 0;
	d_step { switch_to(c) }
}

/* __switch_to(): from there on, the thread that was preempted can run elsewhere. */
inline switch_to(c)
{
#ifndef V_NO_DSB_IN_SWITCH_TO
	dsb_stores(c);
	dsb_tlbi(c, 1);
#endif
	if
	:: thread == LEAVES && thread_cpu == c -> thread = READY
	:: else
	fi
}

/* arm64_mm_context_get() */
inline context_get(c)
{
	atomic {
		pins > 0 && !(thread == RUNS && thread_cpu == c) && !lock ->
		pins--;
		lock = 1;
		old = M_ID(c);
		if
		:: GEN(old) != generation -> new_context(c, M)
		:: else
		fi;
		used = used | BIT(NUMBER(old));
		st_pinned[c] = 1
	}
	atomic {
#ifndef V_PIN_WITHOUT_DSB
		dsb_stores(c);
#endif
		st_unlock[c] = 1;
		asid[DEVICE] = NUMBER(old);
		ttbr[DEVICE] = M;
		walk(DEVICE);
		old = 0;
		check_use(DEVICE)
	}
	d_step { dsb_stores(c) }
}

/* Before that, the one place for the thread is as good as the other. */
#define STARTED	(!pte || st_pte[thread_cpu])

proctype cpu(byte c)
{
	byte k, old, new;
	bool have, own, claims, restarts;

end:	do
	:: check_and_switch_context(c, M)
	:: check_and_switch_context(c, N)
	:: check_and_switch_context(c, X)
	/* A kernel thread runs, and leaves the address space where it is. */
	:: d_step {
		thread == RUNS && thread_cpu == c && !thread_stays && STARTED ->
		thread = LEAVES; preempted = 1;
		switch_to(c)
	   }
	/* The thread that unmaps comes here, or back. */
	:: d_step {
		thread == READY && (thread_cpu == c || STARTED) ->
		thread_cpu = c;
		switch_to(c);
		thread = RUNS
	   }
#if PIN
	:: context_get(c)
#endif
	od
}

init {
	byte c;

	/* Everybody has been running for a while. */
	atomic {
		id[M] = ID(1, M);
		id[N] = ID(1, N);
		used = BIT(M) | BIT(N);
		rollovers = ROLLOVERS;
		pins = PIN;
		c = 0;
		do
		:: c < CPUS ->
			left[c] = (c == 0 -> SWITCHES_0 : SWITCHES);
			if
			:: ttbr[c] = M; mask = mask | BIT(c)
			:: ttbr[c] = N
			:: ttbr[c] = N; mask = mask | BIT(c)
			fi;
			asid[c] = ttbr[c];
			active_asid[c] = ID(1, ttbr[c]);
			if
			:: mask & BIT(c) -> tlb[c] = BIT(M)
			:: else
			fi;
			run cpu(c);
			run visible(c);
			c++
		:: else -> break
		od;
		run unmaps()
	}
}
