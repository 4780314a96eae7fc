/**
 * Reads ahead: transactions of one kind with the same locks begin with the same reads, such as the reads of the authorization. These are
 * executed in the round trip that acquires the locks. A later read of the transaction with the same text and parameters gets their
 * rows, unless the transaction has written before.
 *
 * The reads follow the statement that acquires the locks, and each has a snapshot of its own. So they see what the same statement
 * would see a round trip later, except for rows that the locks do not cover.
 */
import type { Lock, PlainRow } from "@lectern/kernel"
import { Context, Effect, type Fiber } from "effect"
import { LRUCache } from "lru-cache"

/** A statement that reads. */
export interface Read {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

type Rows = ReadonlyArray<PlainRow>

/** The maximum number of reads that are repeated, and the maximum length of their parameters together, in characters. */
const [maximumReads, maximumParameters] = [6, 2_000]

/** The maximum number of kinds of transactions whose reads are known. */
const maximumKinds = 500

/** The reads of a transaction before its first write, by their text and parameters. */
export interface FirstReads {
  readonly made: Map<string, Read>
  /** The rows that were read ahead, and were not used yet. Undefined after the first write. */
  found: Map<string, Rows> | undefined
}

class CurrentReads extends Context.Service<CurrentReads, FirstReads>()("@lectern/storage-sql/CurrentReads") {}

/** Identifies a read by its text and parameters; undefined if it is not repeated, because its parameters are unusual or long. */
const keyOf = ({ text, parameters }: Read): string | undefined => {
  let key = text
  for (const value of parameters) {
    if (typeof value !== "string" && typeof value !== "number") return undefined
    key += `\u0000${typeof value === "string" ? "" : "#"}${value}`
  }
  return key.length - text.length > maximumParameters ? undefined : key
}

/** Names a kind of transactions with their locks. */
const kindOf = (like: string, locks: ReadonlyArray<Lock>): string =>
  locks.reduce(
    (name, lock) =>
      `${name}\u0000${lock.mode} ${lock.kind} ${"row" in lock ? `row ${lock.row.id}` : lock.id}`,
    like
  )

/** Forgets the rows that were read ahead, because the fiber's transaction writes, or acquires further locks. */
export const endReadAhead = (fiber: Fiber.Fiber<unknown, unknown>): void => {
  const reads = Context.getOrUndefined(fiber.context, CurrentReads)
  if (reads !== undefined) reads.found = undefined
}

/** Returns a read, or the rows that the fiber's transaction has read ahead. */
export const readOnce = <E, R>(read: Read, execute: Effect.Effect<Rows, E, R>): Effect.Effect<Rows, E, R> =>
  Effect.withFiber((fiber) => {
    const reads = Context.getOrUndefined(fiber.context, CurrentReads)
    if (reads?.found === undefined) return execute
    const key = keyOf(read)
    if (key === undefined) return execute
    if (reads.made.size < maximumReads) reads.made.set(key, read)
    const rows = reads.found.get(key)
    if (rows === undefined) return execute
    // Rows are decoded in place.
    reads.found.delete(key)
    return Effect.succeed(rows)
  })

/** Creates the function that runs transactions with the reads that those before them began with. */
export const makeReadAhead = () => {
  /** The reads of the last transaction of a kind, and the reads that it had in common with the one before it. */
  const known = new LRUCache<
    string,
    { readonly last: ReadonlyMap<string, Read>; readonly repeated: ReadonlyArray<Read> }
  >({ max: maximumKinds })

  /**
   * Runs the transactions of a kind. `acquire` acquires the locks, and executes reads in the same round trip, whose rows it returns
   * in their order.
   */
  return <A, B, E, R, E2, R2>(
    like: string,
    locks: ReadonlyArray<Lock>,
    acquire: (reads: ReadonlyArray<Read>) => Effect.Effect<readonly [A, ReadonlyArray<Rows>], E, R>,
    self: (acquired: A) => Effect.Effect<B, E2, R2>
  ): Effect.Effect<B, E | E2, R | R2> =>
    Effect.suspend(() => {
      const kind = kindOf(like, locks)
      const before = known.get(kind)
      const repeated = before?.repeated ?? []
      return Effect.flatMap(acquire(repeated), ([acquired, all]) => {
        const found = new Map(all.map((rows, index) => [keyOf(repeated[index]!)!, rows]))
        const reads: FirstReads = { made: new Map(), found }
        return Effect.tap(
          Effect.provideService(self(acquired), CurrentReads, reads) as Effect.Effect<B, E2, R2>,
          () =>
            Effect.sync(() => {
              const last = reads.made
              known.set(kind, {
                last,
                repeated: [...last].flatMap(([key, read]) => (before?.last.has(key) === true ? [read] : []))
              })
            })
        )
      })
    })
}
