/** The locks of a store whose transactions run concurrently. Waiters are served in order. */
import { Effect } from "effect"
import type { Isolation } from "./OpenTransaction.ts"

/** A lock that is acquired as a whole: by any number of holders of one mode, and by one holder if the mode excludes itself. */
interface Queue {
  mode: string | undefined
  readonly holders: Set<object>
  waiting: Array<{ readonly holder: object; readonly mode: string; readonly grant: () => void }>
}

/** The mode that a single holder has. */
const exclusive = "exclusive"

/** A resource with the mode in which it is locked. */
export interface NamedLock {
  readonly name: string
  readonly mode: "shared" | "exclusive"
}

/** The locks of a store. A holder is identified by an object, which the owner of its transactions can drop. */
export interface StorageLocks {
  /** Waits until the transaction may begin: locked transactions exclude serializable ones, and the other way round. */
  readonly begin: (holder: object, isolation: Isolation) => Effect.Effect<void>
  /** Waits for locks, in the order of their names. */
  readonly acquire: (holder: object, locks: ReadonlyArray<NamedLock>) => Effect.Effect<void>
  /** Acquires locks if no other transaction holds them. Returns whether it did. */
  readonly tryAcquire: (holder: object, locks: ReadonlyArray<NamedLock>) => boolean
  /** Releases everything that a holder has or waits for. */
  readonly release: (holder: object) => void
}

const isCompatible = (queue: Queue, holder: object, mode: string): boolean =>
  queue.holders.size === 0 ||
  (queue.mode === mode && mode !== exclusive) ||
  (queue.holders.size === 1 && queue.holders.has(holder))

/** The order of names, with an exclusive lock before a shared one on the same resource. */
const inOrder = (locks: ReadonlyArray<NamedLock>): ReadonlyArray<NamedLock> => {
  const modes = new Map<string, NamedLock["mode"]>()
  for (const { name, mode } of locks) if (modes.get(name) !== exclusive) modes.set(name, mode)
  return [...modes].map(([name, mode]) => ({ name, mode })).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Creates the locks of a store. */
export const makeStorageLocks = (): StorageLocks => {
  const queues = new Map<string, Queue>()
  const gate = "gate"

  const queueOf = (name: string): Queue => {
    const queue = queues.get(name) ?? { mode: undefined, holders: new Set(), waiting: [] }
    queues.set(name, queue)
    return queue
  }

  /** Whether a holder has a lock that includes every mode. */
  const hasExclusive = (queue: Queue, holder: object): boolean =>
    queue.mode === exclusive && queue.holders.has(holder)

  const hold = (queue: Queue, holder: object, mode: string): void => {
    if (hasExclusive(queue, holder)) return
    queue.holders.add(holder)
    queue.mode = mode
  }

  const take = (name: string, holder: object, mode: string): Effect.Effect<void> =>
    Effect.callback<void>((resume) => {
      const queue = queueOf(name)
      if (hasExclusive(queue, holder)) return resume(Effect.void)
      if (queue.waiting.length === 0 && isCompatible(queue, holder, mode)) {
        hold(queue, holder, mode)
        return resume(Effect.void)
      }
      const waiter = { holder, mode, grant: () => resume(Effect.void) }
      queue.waiting.push(waiter)
      return Effect.sync(() => {
        queue.waiting = queue.waiting.filter((other) => other !== waiter)
        grantWaiting(name, queue)
      })
    })

  const grantWaiting = (name: string, queue: Queue): void => {
    for (;;) {
      const [first] = queue.waiting
      if (first === undefined) {
        if (queue.holders.size === 0) queues.delete(name)
        return
      }
      if (!isCompatible(queue, first.holder, first.mode)) return
      queue.waiting.shift()
      hold(queue, first.holder, first.mode)
      first.grant()
    }
  }

  return {
    begin: (holder, isolation) => take(gate, holder, isolation),
    acquire: (holder, locks) =>
      Effect.forEach(inOrder(locks), ({ name, mode }) => take(`lock ${name}`, holder, mode), {
        discard: true
      }),
    tryAcquire: (holder, locks) => {
      const wanted = inOrder(locks).map(({ name, mode }) => ({ queue: queueOf(`lock ${name}`), mode }))
      const isFree = wanted.every(
        ({ queue, mode }) =>
          hasExclusive(queue, holder) || (queue.waiting.length === 0 && isCompatible(queue, holder, mode))
      )
      if (isFree) for (const { queue, mode } of wanted) hold(queue, holder, mode)
      return isFree
    },
    release: (holder) => {
      for (const [name, queue] of [...queues]) {
        queue.waiting = queue.waiting.filter((waiter) => waiter.holder !== holder)
        queue.holders.delete(holder)
        grantWaiting(name, queue)
      }
    }
  }
}
