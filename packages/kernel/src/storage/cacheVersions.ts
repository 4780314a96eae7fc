/**
 * The versions that caches of rows depend on. Each row belongs to scopes, such as its space, and a change of the row raises their
 * versions in the same transaction. A cached value names the scopes of the rows that it was computed from.
 */
import { Clock, Context, Effect, type Fiber } from "effect"
import { isFiberInTransaction } from "./currentTransaction.ts"
import type { RaisedVersions, RecordsAdapter } from "./RecordsAdapter.ts"
import type { StorageUnavailable } from "./StorageError.ts"
import { SharedReading } from "./sharedReading.ts"

/** The maximum number of scopes whose versions are known. Beyond it, all cached values are dropped. */
const maximumScopes = 100_000

/** How long the lookups of a request share one reading of the raised versions, in milliseconds. */
const maximumSharedMs = 1_000

/** Collects the scopes that the cached values of an effect depend on; undefined outside of {@link collectScopes}. */
const CollectedScopes = Context.Reference<Set<string> | undefined>("@lectern/core/storage/CollectedScopes", {
  defaultValue: () => undefined
})

/** Declares that a value which is computed now depends on rows of these scopes, for {@link collectScopes}. */
export const dependOnScopes = (scopes: ReadonlyArray<string>): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    addScopes(fiber, scopes)
    return Effect.void
  })

/** Adds scopes to the collected scopes of the fiber. */
export const addScopes = (fiber: Fiber.Fiber<unknown, unknown>, scopes: ReadonlyArray<string>): void => {
  const collected = fiber.getRef(CollectedScopes)
  if (collected !== undefined) for (const scope of scopes) collected.add(scope)
}

/** Runs an effect, and adds the scopes of everything that it has read from caches, or declared, to `scopes`. */
export const collectScopes = <A, E, R>(
  scopes: Set<string>,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => Effect.provideService(effect, CollectedScopes, scopes)

/** Creates the versions of a store. */
export const makeCacheVersions = (adapter: RecordsAdapter["Service"]) => {
  /** The number of readings that have raised a version. Values are numbered by it, so that they are older or newer than a change. */
  let count = 0
  /** Values that were read before this number are invalid. */
  let clearedAt = 0
  /** The last position, and the version of the store at which it was read. */
  let last: { readonly position: string; readonly version: number | undefined } | undefined
  const raised = new Map<string, { readonly version: number; readonly at: number }>()

  const clear = () => {
    count++
    clearedAt = count
    raised.clear()
  }

  const apply = ({ position, versions }: RaisedVersions, version: number | undefined): number => {
    if (versions === undefined || raised.size + versions.length > maximumScopes) clear()
    // A concurrent reading can report the same version again.
    const changed = (versions ?? []).filter(([scope, raisedTo]) => raised.get(scope)?.version !== raisedTo)
    if (changed.length > 0) count++
    for (const [scope, raisedTo] of changed) raised.set(scope, { version: raisedTo, at: count })
    last = { position, version }
    return count
  }

  /** Without versions of the store, any commit raises all. */
  const compareSnapshots = (since: string | undefined): Effect.Effect<RaisedVersions, StorageUnavailable> =>
    Effect.map(adapter.snapshot, (position) => ({
      position,
      versions: position === since ? [] : undefined
    })) as Effect.Effect<RaisedVersions, StorageUnavailable>

  const readRaised = (adapter.raisedVersions ?? compareSnapshots) as (
    since: string | undefined
  ) => Effect.Effect<RaisedVersions, StorageUnavailable>

  const read = (version: number | undefined): Effect.Effect<number, StorageUnavailable> =>
    Effect.suspend(() => Effect.map(readRaised(last?.position), (result) => apply(result, version)))

  return {
    /**
     * Returns the number of the state that reads see from now on, after reading the versions that were raised; undefined in a
     * transaction, in which nothing is cached. The lookups of a request share a reading. `bySnapshot` compares snapshots if the
     * store has no versions; otherwise, nothing is cached then.
     */
    current: (
      fiber: Fiber.Fiber<unknown, unknown>,
      bySnapshot: boolean
    ): number | undefined | Effect.Effect<number, StorageUnavailable> => {
      if (isFiberInTransaction(fiber)) return undefined
      if (adapter.raisedVersions === undefined && !bySnapshot) return undefined
      const version = adapter.version?.()
      // The state is the one whose versions were read last.
      if (version !== undefined && version === last?.version) return count
      const shared = fiber.getRef(SharedReading)
      if (version !== undefined || shared === undefined) return read(version)
      const time = fiber.getRef(Clock.Clock).currentTimeMillisUnsafe()
      if (shared.reading !== undefined && Math.abs(time - shared.reading.time) <= maximumSharedMs) {
        return shared.reading.at
      }
      return Effect.tap(read(undefined), (at) =>
        Effect.sync(() => {
          shared.reading = { time, at }
        })
      )
    },

    /**
     * Returns the scopes that were raised since a position that it has returned before, and the position of the state that it has read.
     * The scopes are undefined if every one may have been raised.
     */
    raisedSince: (since: string | undefined) =>
      Effect.map(readRaised(since), ({ position, versions }) => ({
        position,
        scopes: versions?.map(([scope]) => scope)
      })),

    /** Whether a value is valid that was computed from reads of these scopes, which began in a state with this number. */
    isValid: (at: number, scopes: ReadonlyArray<string>): boolean => {
      if (at < clearedAt) return false
      for (const scope of scopes) if ((raised.get(scope)?.at ?? 0) > at) return false
      return true
    },

    /** Runs a request, whose lookups share a reading of the raised versions. Part of a request if the fiber runs one. */
    sharing: <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.withFiber((fiber) =>
        fiber.getRef(SharedReading) === undefined
          ? Effect.provideService(effect, SharedReading, { reading: undefined })
          : effect
      )
  }
}
