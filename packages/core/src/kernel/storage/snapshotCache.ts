/**
 * Answers that take much to make and follow from the store alone, kept for as long as nothing in it changes: nobody has
 * to say what they depend on, and no process what it has written. Where much is written they are made anew each time.
 */
import { Effect } from "effect"
import { LRUCache } from "lru-cache"
import type { Records } from "./Records.ts"
import type { StorageUnavailable } from "./StorageError.ts"

/**
 * Makes a keeper of answers, of at most this size together. It is asked with all that an answer follows from beside the
 * store; what depends on the time must not be kept. Answers are frozen, so that whoever writes one out can keep its
 * text too.
 */
export const whileUnchanged = (records: Records["Service"], maxSize: number) => {
  const kept = new LRUCache<string, { readonly snapshot: string; readonly value: object }>({ maxSize })

  return Effect.fnUntraced(function* <A extends object, E, R>(
    what: ReadonlyArray<unknown>,
    make: Effect.Effect<A, E, R>,
    sizeOf: (value: A) => number
  ): Effect.fn.Return<A, E | StorageUnavailable, R> {
    // Asked for before anything is read: what is committed meanwhile makes the answer one that is not used again.
    const snapshot = yield* records.snapshot
    if (snapshot === undefined) return yield* make
    const key = JSON.stringify(what)
    const known = kept.get(key)
    if (known?.snapshot === snapshot) return known.value as A
    const value = Object.freeze(yield* make)
    kept.set(key, { snapshot, value }, { size: sizeOf(value) })
    return value
  })
}
