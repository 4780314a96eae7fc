/**
 * Archives in production, which any number of downloads read while their chunks are stored. An archive is produced at the
 * speed of the store and not of a download, so that a slow client delays no other one.
 */

import { type BlobHash, StorageUnavailable } from "@lectern/kernel"
import type { Conflict } from "@lectern/model/errors"
import { Cause, Deferred, Effect, Exit, type Fiber, Stream } from "effect"
import type { ExportLimitsSettings } from "./ExportLimits.ts"

/** Why an archive cannot be produced. */
export type ExportFailure = Conflict | StorageUnavailable

/** Who has reached the limit of unfinished archives. */
export type BusyLimit = "organization" | "workspace"

/** An archive in production. */
export interface Production {
  readonly organization: string
  /** The chunks that are stored, in order. */
  readonly chunks: Array<BlobHash>
  /** The number of downloads that read or wait. */
  readers: number
  /** The result, with the hash of all bytes. Undefined until the production has ended. */
  exit: Exit.Exit<BlobHash, ExportFailure> | undefined
  /** Completes with the next chunk, or the end. */
  changed: Deferred.Deferred<void>
  fiber: Fiber.Fiber<unknown> | undefined
}

/** Produces an archive. It calls `onChunk` after each chunk is stored. */
export type Produce = (onChunk: (chunk: BlobHash) => void) => Effect.Effect<BlobHash, ExportFailure>

/** Runs an effect that no download waits for, until the workspace is closed. */
export type RunDetached = (effect: Effect.Effect<void>) => Fiber.Fiber<unknown>

/** The time that a download waits for the end after the first chunk: the length of a small archive is then known. */
const endWaitTime = "250 millis"

const notify = (production: Production): void => {
  const { changed } = production
  production.changed = Deferred.makeUnsafe()
  Deferred.doneUnsafe(changed, Exit.void)
}

const ended = new StorageUnavailable({
  reason: "Overloaded",
  detail: "The production of an archive was interrupted."
})

const enter = (production: Production) =>
  Effect.sync(() => {
    production.readers++
  })

const waitForEnd = Effect.fnUntraced(function* (production: Production) {
  while (production.exit === undefined) yield* Deferred.await(production.changed)
})

const waitForChunk = Effect.fnUntraced(function* (production: Production, index: number) {
  for (;;) {
    const { changed, chunks, exit } = production
    if (index < chunks.length || exit !== undefined) return
    yield* Deferred.await(changed)
  }
})

/** Returns the hash of the bytes, or undefined while they are produced. Fails with the failure of the production. */
const resultOf = ({ exit }: Production): Effect.Effect<BlobHash | undefined, ExportFailure> => {
  if (exit === undefined || Exit.isSuccess(exit)) return Effect.succeed(exit?.value)
  return Cause.hasInterruptsOnly(exit.cause) ? Effect.fail(ended) : Effect.failCause(exit.cause)
}

const chunkAt = Effect.fnUntraced(function* (
  readChunk: (chunk: BlobHash) => Effect.Effect<Uint8Array, StorageUnavailable>,
  production: Production,
  index: number
) {
  yield* waitForChunk(production, index)
  const chunk = production.chunks[index]
  if (chunk !== undefined) return [yield* readChunk(chunk), index + 1] as const
  yield* resultOf(production).pipe(
    Effect.catchTag("Conflict", ({ message }) =>
      Effect.fail(new StorageUnavailable({ reason: "ConversionFailed", detail: message }))
    )
  )
  return undefined
})

/** Creates the functions that start and follow productions. */
export const makeProductions = (
  limits: Pick<ExportLimitsSettings, "unfinished" | "unfinishedPerOrganization" | "graceMillis">,
  runDetached: RunDetached,
  readChunk: (chunk: BlobHash) => Effect.Effect<Uint8Array, StorageUnavailable>
) => {
  const unfinished = new Map<string, Production>()

  const busyLimitOf = (organization: string): BusyLimit | undefined => {
    const own = [...unfinished.values()].filter((production) => production.organization === organization)
    if (own.length >= limits.unfinishedPerOrganization) return "organization"
    return unfinished.size >= limits.unfinished ? "workspace" : undefined
  }

  const remove = (key: string, production: Production): void => {
    if (unfinished.get(key) === production) unfinished.delete(key)
  }

  const start = (key: string, organization: string, produce: Produce): Production => {
    const production: Production = {
      organization,
      chunks: [],
      readers: 0,
      exit: undefined,
      changed: Deferred.makeUnsafe(),
      fiber: undefined
    }
    unfinished.set(key, production)
    const onChunk = (chunk: BlobHash): void => {
      production.chunks.push(chunk)
      notify(production)
    }
    production.fiber = runDetached(
      Effect.onExit(produce(onChunk), (exit) =>
        Effect.sync(() => {
          production.exit = exit
          remove(key, production)
          notify(production)
        })
      ).pipe(Effect.ignore)
    )
    return production
  }

  /** Interrupts a production that still has no reader. A new download of its content then starts another one. */
  const abandon = (key: string, production: Production): Effect.Effect<void> =>
    Effect.andThen(
      Effect.sleep(limits.graceMillis),
      Effect.sync(() => {
        if (production.readers > 0 || production.exit !== undefined) return
        remove(key, production)
        production.fiber?.interruptUnsafe()
      })
    )

  const leave = (key: string, production: Production) =>
    Effect.sync(() => {
      production.readers--
      if (production.readers === 0 && production.exit === undefined) runDetached(abandon(key, production))
    })

  return {
    /**
     * Returns the production of a key, and starts it if it does not exist; the limit that it would exceed if too many are unfinished.
     */
    join: (key: string, organization: string, produce: Produce): Production | BusyLimit =>
      unfinished.get(key) ?? busyLimitOf(organization) ?? start(key, organization, produce),

    /**
     * Waits for the first chunk, and returns the hash of all bytes if the production has ended, or undefined. Fails with the
     * failure of the production.
     */
    begin: (key: string, production: Production): Effect.Effect<BlobHash | undefined, ExportFailure> =>
      Effect.acquireUseRelease(
        enter(production),
        () =>
          waitForChunk(production, 0).pipe(
            Effect.andThen(Effect.timeoutOption(waitForEnd(production), endWaitTime)),
            Effect.andThen(Effect.suspend(() => resultOf(production)))
          ),
        () => leave(key, production)
      ),

    /** Streams the bytes while they are stored. */
    follow: (key: string, production: Production): Stream.Stream<Uint8Array, StorageUnavailable> =>
      Stream.unwrap(
        Effect.as(
          Effect.acquireRelease(enter(production), () => leave(key, production)),
          Stream.unfold(0, (index: number) => chunkAt(readChunk, production, index))
        )
      )
  }
}
