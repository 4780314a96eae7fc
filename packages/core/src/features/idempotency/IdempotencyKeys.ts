/** Runs commands at most once per idempotency key, and replays their results. */

import {
  Access,
  type AccessError,
  CommandGuard,
  type CommandGuardFunction,
  CurrentRequiredAccess,
  type CurrentUser,
  noRemainingAccess,
  noRequiredAccess,
  type RemainingAccess,
  remainingAccess,
  requireRemainingAccess
} from "@lectern/access"
import { Encryption, now, Records, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { sha256 } from "@lectern/kernel/sha256"
import { type IdempotencyKeyRow, idempotencyKeys } from "@lectern/kernel/tables"
import { Conflict } from "@lectern/model/errors"
import { Clock, Context, Effect, Layer, Semaphore } from "effect"
import { Base64Url } from "effect/encoding"

/** How long a result is replayed, in milliseconds: 24 hours. */
export const replayPeriodMillis = 24 * 60 * 60 * 1000

/** A request that has an idempotency key. */
export interface IdempotentRequest<out E = never, out R = never> {
  /** The caller, the operation and the key: requests with equal scopes are attempts of one request. */
  readonly scope: ReadonlyArray<string>
  /** A digest of everything else in the request, which must be the same in all attempts. */
  readonly fingerprint: string
  /** Whether a result contains a secret. It is then not stored, and cannot be replayed. */
  readonly returnsSecret: (result: unknown) => boolean
  /**
   * Authorizes a repetition: requires the scopes of the caller's token and runs `check`, as `authorizeAgain` of the operation
   * does.
   */
  readonly authorizeAgain: (
    check: Effect.Effect<void, AccessError | StorageUnavailable, CurrentUser>
  ) => Effect.Effect<void, E, R>
}

/** The result of a request that has an idempotency key. */
export interface IdempotentResult<out A> {
  /** The result of the command. */
  readonly value: A
  /** Whether it is the result of an earlier execution. */
  readonly isReplayed: boolean
}

/** Operations on idempotency keys. They act for no user: the scope of a request names the caller. */
export interface IdempotencyKeysService {
  /**
   * Runs a command, unless a request with the same scope has succeeded within 24 hours: then it returns the result of
   * that request. The result must be JSON. It is stored, encrypted, in the transaction of the command, so that a crash
   * loses either both or neither. A failure is not stored: the next attempt runs the command again.
   *
   * A repetition requires the access that the command required, except for access that the command itself has removed, and
   * fails with the error of the authorization otherwise.
   *
   * Concurrent attempts run one after the other in a process. Across processes, the transactions wait for each other, and
   * only one of them commits. A staged command (see `Operations`) can perform its external I/O once per process.
   *
   * Fails with `Conflict` and the reason `IdempotencyKeyReused` if the fingerprint differs, and `AlreadyDone` if the
   * result cannot be replayed.
   */
  readonly execute: <A, E, R, E2, R2>(
    request: IdempotentRequest<E2, R2>,
    command: Effect.Effect<A, E, R>
  ) => Effect.Effect<IdempotentResult<A>, E | E2 | Conflict | StorageUnavailable, R | R2 | CurrentUser>
  /** Deletes expired keys. */
  readonly purge: Effect.Effect<number, StorageUnavailable>
}

const keyReused = new Conflict({
  reason: "IdempotencyKeyReused",
  message: "The idempotency key was used for another request. Send a new key with each new request."
})

const alreadyDone = new Conflict({
  reason: "AlreadyDone",
  message:
    "The request was executed before, and its response is not repeated, because it contains a secret or can no longer be decrypted."
})

/** A stored result, with the access that its repetition requires. */
interface Stored {
  readonly access: RemainingAccess
  /** Whether the value is stored: it is not if it contains a secret. */
  readonly isRepeatable: boolean
  readonly value?: unknown
}

/** The first characters of a stored result with its access. Results of version 0.1 are JSON without them, or empty. */
const mark = "access "

const encodeStored = (access: RemainingAccess, result: { readonly value: unknown } | undefined): string =>
  mark + JSON.stringify({ access, isRepeatable: result !== undefined, ...result } satisfies Stored)

const decodeStored = (text: string): Stored =>
  text.startsWith(mark)
    ? (JSON.parse(text.slice(mark.length)) as Stored)
    : {
        access: noRemainingAccess,
        isRepeatable: true,
        ...(text === "" ? {} : { value: JSON.parse(text) as unknown })
      }

/** Semaphores by key, which exist only while they are used. */
const makeLocks = () => {
  const locks = new Map<string, { readonly semaphore: Semaphore.Semaphore; users: number }>()
  return <A, E, R>(key: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      Effect.sync(() => {
        const lock = locks.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), users: 0 }
        lock.users++
        locks.set(key, lock)
        return lock
      }),
      ({ semaphore }) => semaphore.withPermit(effect),
      (lock) =>
        Effect.sync(() => {
          if (--lock.users === 0) locks.delete(key)
        })
    )
}

const makeIdempotencyKeys = Effect.gen(function* () {
  const access = yield* Access
  const records = yield* Records
  const encryption = yield* Encryption
  const locked = makeLocks()

  /** Returns the result that a key has stored. Fails with `Conflict` if it is not the result of this request. */
  const replay = Effect.fnUntraced(function* <E, R>(
    { fingerprint, authorizeAgain }: IdempotentRequest<E, R>,
    row: IdempotencyKeyRow
  ): Effect.fn.Return<unknown, E | Conflict | StorageUnavailable, R | CurrentUser> {
    if (row.fingerprint !== fingerprint) return yield* keyReused
    const json = row.result === null ? undefined : yield* encryption.decrypt(row.result, row.id)
    const stored = json === undefined ? undefined : decodeStored(json)
    yield* authorizeAgain(requireRemainingAccess(access, stored?.access ?? noRemainingAccess))
    if (stored?.isRepeatable !== true) return yield* alreadyDone
    return stored.value
  })

  /** Runs in the transaction of the command. The key is written first, so that concurrent transactions wait for this one. */
  const executeOnce = <A, E, R, E2, R2>(
    request: IdempotentRequest<E2, R2>,
    id: string,
    onReplay: (isReplayed: boolean) => void,
    command: Effect.Effect<A, E, R>
  ) =>
    Effect.gen(function* () {
      const time = yield* Clock.currentTimeMillis
      const row: IdempotencyKeyRow = {
        id,
        fingerprint: request.fingerprint,
        result: null,
        expiresAt: toTimestamp(time + replayPeriodMillis)
      }
      const whereKey = Where.eq<IdempotencyKeyRow, "id">("id", id)
      if ((yield* records.insertMissing(idempotencyKeys, [row])) === 0) {
        const { id: _, ...renewed } = row
        const isExpired = Where.lte<IdempotencyKeyRow, "expiresAt">("expiresAt", toTimestamp(time))
        // One statement, so that only one of several concurrent attempts renews the key, also if their locks differ.
        const renewals = yield* records.update(
          idempotencyKeys,
          Where.and<IdempotencyKeyRow>(whereKey, isExpired),
          renewed
        )
        if (renewals === 0) {
          onReplay(true)
          return (yield* replay(request, (yield* records.get(idempotencyKeys, { id }))!)) as A
        }
      }
      onReplay(false)
      const required = noRequiredAccess()
      const value = yield* Effect.provideService(command, CurrentRequiredAccess, required)
      const remaining = yield* remainingAccess(access, required)
      const json = encodeStored(remaining, request.returnsSecret(value) ? undefined : { value })
      yield* records.update(idempotencyKeys, whereKey, { result: yield* encryption.encrypt(json, id) })
      return value
    })

  const execute: IdempotencyKeysService["execute"] = <A, E, R, E2, R2>(
    request: IdempotentRequest<E2, R2>,
    command: Effect.Effect<A, E, R>
  ) =>
    Effect.withFiber((fiber) => {
      const id = Base64Url.encode(sha256(JSON.stringify(request.scope)))
      const outer = fiber.getRef(CommandGuard)
      let isReplayed = false
      // `execute` declares the errors of the guard.
      const guard = (<A, E, R>(guarded: Effect.Effect<A, E, R>) =>
        executeOnce(
          request,
          id,
          (value) => {
            isReplayed = value
          },
          outer === undefined ? guarded : outer(guarded)
        )) as CommandGuardFunction
      return locked(
        id,
        Effect.gen(function* () {
          const stored = yield* records.first(idempotencyKeys, {
            where: Where.and<IdempotencyKeyRow>(Where.eq("id", id), Where.gt("expiresAt", yield* now))
          })
          // Without a transaction, and without the external I/O of a staged command.
          if (stored !== undefined) {
            return { value: (yield* replay(request, stored)) as A, isReplayed: true }
          }
          const value = yield* Effect.provideService(command, CommandGuard, guard)
          return { value, isReplayed }
        })
      )
    })

  return IdempotencyKeys.of({
    execute,
    purge: Effect.flatMap(now, (time) => records.remove(idempotencyKeys, Where.lte("expiresAt", time)))
  })
})

/** Runs commands at most once per idempotency key: see {@link IdempotencyKeysService}. */
export class IdempotencyKeys extends Context.Service<IdempotencyKeys, IdempotencyKeysService>()(
  "@lectern/core/IdempotencyKeys"
) {
  /** Provides the service. */
  static readonly layer: Layer.Layer<IdempotencyKeys, never, Access | Records | Encryption> = Layer.effect(
    IdempotencyKeys,
    makeIdempotencyKeys
  )
}
