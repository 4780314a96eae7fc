/**
 * Locks of transactions. A locked transaction acquires all of its locks before its first query and holds them until it
 * ends. Locked transactions are serializable if each one holds a lock that covers every row that it reads or writes: see
 * `docs/decisions/0042-declared-locks.md`. The kernel does not know what kinds of locks there are; `@lectern/access`
 * defines them.
 */
import type { AnyTable } from "./Table.ts"

/** How a transaction shares a lock: any number of `shared` holders, or one `exclusive` holder. */
export type LockMode = "shared" | "exclusive"

/** A lock on a resource whose id is known. */
export interface ResourceLock {
  /** How the lock is shared. */
  readonly mode: LockMode
  /** The kind of the resource, such as `space`. */
  readonly kind: string
  /** The id of the resource. */
  readonly id: string
}

/** A lock on the resource that a stored row names, such as the organization of a space. No row, no lock. */
export interface RowLock {
  /** How the lock is shared. */
  readonly mode: LockMode
  /** The kind of the resource, such as `organization`. */
  readonly kind: string
  /** The row that names the resource. */
  readonly row: {
    readonly table: AnyTable
    /** The column of the id of the row. */
    readonly key: string
    /** The id of the row. */
    readonly id: string
    /** The column of the id of the resource. */
    readonly column: string
  }
}

/** A lock that a transaction acquires. */
export type Lock = ResourceLock | RowLock

/** Returns the name of a resource, which is unique among all kinds. */
export const lockName = (kind: string, id: string): string => `${kind}:${id}`

/** Identifies a lock for comparison. A row lock is identified by its row. */
const identityOf = (lock: Lock): string =>
  "row" in lock
    ? `${lock.kind} of ${lock.row.table.name}.${lock.row.key}:${lock.row.id}`
    : lockName(lock.kind, lock.id)

/** The locks that an open transaction holds. */
export interface HeldLocks {
  /** Whether these locks include all of the given ones, in a mode that is as strong. */
  readonly include: (locks: ReadonlyArray<Lock>) => boolean
  /** Whether they include an exclusive lock on a resource of this kind. */
  readonly hasExclusive: (kind: string) => boolean
  /** Whether they include a lock on a resource of this kind. */
  readonly hasKind: (kind: string) => boolean
  /** Whether they include a lock on the resource with this name. */
  readonly hasResource: (name: string) => boolean
  /** Returns these locks and further ones, with the names of their resources. */
  readonly and: (locks: ReadonlyArray<Lock>, names: ReadonlySet<string>) => HeldLocks
}

/** Describes held locks. `names` are the resources, as the adapter resolved them. */
export const heldLocks = (locks: ReadonlyArray<Lock>, names: ReadonlySet<string>): HeldLocks => {
  const shared = new Set(locks.map(identityOf))
  const exclusive = new Set(locks.filter(({ mode }) => mode === "exclusive").map(identityOf))
  const kinds = new Set(locks.map(({ kind }) => kind))
  const exclusiveKinds = new Set(locks.filter(({ mode }) => mode === "exclusive").map(({ kind }) => kind))
  return {
    include: (wanted) =>
      wanted.every((lock) => (lock.mode === "exclusive" ? exclusive : shared).has(identityOf(lock))),
    hasExclusive: (kind) => exclusiveKinds.has(kind),
    hasKind: (kind) => kinds.has(kind),
    hasResource: (name) => names.has(name),
    and: (more, moreNames) => heldLocks([...locks, ...more], new Set([...names, ...moreNames]))
  }
}

/** Whether held locks cover a read or a write of a table. */
export const isCovered = (held: HeldLocks, { locking }: AnyTable, access: "read" | "write"): boolean => {
  if (locking === undefined) return false
  if (access === "write") return locking.writes.length === 0 || locking.writes.some(held.hasExclusive)
  return locking.reads === "unlocked" || locking.writes.some(held.hasKind)
}
