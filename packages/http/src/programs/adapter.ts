/** Stores the records of the library of the authorization server in the database, without the secrets that are their ids. */
import {
  type OAuthRecordRow,
  oauthDigest,
  type ProgramGrantsService,
  type StorageUnavailable
} from "@lectern/core"
import { Clock, Effect } from "effect"
import type { Adapter, AdapterPayload } from "oidc-provider"

/** Runs an effect of the workspace as a promise. */
export type RunStorage = <A>(effect: Effect.Effect<A, StorageUnavailable>) => Promise<A>

/** How long a registered program without an authorization remains, in milliseconds: 24 hours. */
const unusedProgramMillis = 24 * 60 * 60 * 1_000

/** The start of an id that is a digest already: that of a record which was found by its user code, whose secret is unknown. */
const handlePrefix = "digest:"

/** Kinds that are never stored: a browser has the session of the workspace only. */
const transientKinds: ReadonlySet<string> = new Set(["Session", "ReplayDetection"])

const digestOfSaved = (id: string): string =>
  id.startsWith(handlePrefix) ? id.slice(handlePrefix.length) : oauthDigest(id)

const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

/** Removes the secrets from a payload. A grant has no secret: its id is that of its API token. */
const withoutSecrets = ({ jti: _, userCode: __, consumed: ___, ...payload }: AdapterPayload) => payload

/** Creates the adapter of one kind of record. `onReplay` creates the error of a record that is used a second time. */
export const makeAdapter =
  ({ records, end }: ProgramGrantsService, run: RunStorage, onReplay: () => Error) =>
  (kind: string): Adapter => {
    const restore = (
      row: OAuthRecordRow | undefined,
      secrets: Partial<AdapterPayload>
    ): Effect.Effect<AdapterPayload | undefined> =>
      Effect.map(Clock.currentTimeMillis, (time) =>
        row === undefined || Date.parse(row.expiresAt) <= time
          ? undefined
          : {
              ...row.payload,
              ...(kind === "Client" ? {} : { kind, ...secrets }),
              ...(row.consumedAt === null ? {} : { consumed: Math.floor(Date.parse(row.consumedAt) / 1_000) })
            }
      )

    const save = Effect.fnUntraced(function* (id: string, payload: AdapterPayload, expiresIn?: number) {
      const lifetime = expiresIn === undefined ? unusedProgramMillis : expiresIn * 1_000
      yield* records.save({
        kind,
        digest: digestOfSaved(id),
        grant: kind === "Grant" ? id : (stringOf(payload.grantId) ?? null),
        userCode: stringOf(payload.userCode),
        payload: withoutSecrets(payload),
        expiresAt: (yield* Clock.currentTimeMillis) + lifetime
      })
    })

    const find = (id: string) =>
      Effect.flatMap(records.get(kind, oauthDigest(id)), (row) => restore(row, { jti: id }))

    const findByUserCode = (userCode: string) =>
      Effect.flatMap(records.findByUserCode(kind, userCode), (row) =>
        restore(row, { jti: `${handlePrefix}${row?.digest}`, userCode })
      )

    /** Uses a record once. Of concurrent uses one succeeds, and the others end the grant, as later ones do. */
    const consume = Effect.fnUntraced(function* (id: string) {
      const digest = oauthDigest(id)
      if (yield* records.consume(kind, digest)) return true
      const grant = (yield* records.get(kind, digest))?.grant
      if (grant !== undefined && grant !== null) yield* end(grant)
      return false
    })

    const isTransient = transientKinds.has(kind)
    return {
      upsert: (id, payload, expiresIn) =>
        isTransient ? Promise.resolve() : run(save(id, payload, expiresIn)),
      find: (id) => (isTransient ? Promise.resolve(undefined) : run(find(id))),
      findByUserCode: (userCode) => run(findByUserCode(userCode)),
      findByUid: () => Promise.resolve(undefined),
      consume: async (id) => {
        if (!(await run(consume(id)))) throw onReplay()
      },
      destroy: (id) => run(kind === "Grant" ? end(id) : Effect.asVoid(records.remove(kind, oauthDigest(id)))),
      revokeByGrantId: (grant) => run(end(grant))
    }
  }
