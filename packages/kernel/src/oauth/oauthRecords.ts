/** The records of the authorization server: registered programs, codes, tokens and grants, under the digests of their secrets. */
import { Effect } from "effect"
import { sha256Hex } from "../sha256.ts"
import { type Records, type StorageUnavailable, Table, Where } from "../storage/index.ts"
import { now, toTimestamp } from "../time.ts"

const recordColumns = {
  /** The kind of the record, such as `AccessToken`. */
  kind: Table.text(),
  /** SHA-256 of its id, in hexadecimal. The ids of codes and tokens are their secrets. */
  digest: Table.text(),
  /** The id of the API token that represents the grant; null for a record without one. */
  grant: Table.nullable(Table.text()),
  /** SHA-256 of the code that a person types, in hexadecimal; null for other records. */
  userCode: Table.nullable(Table.text()),
  /** The properties of the record, without its id. */
  payload: Table.json<Readonly<Record<string, unknown>>>(),
  createdAt: Table.text(),
  /** When it was used; null until then. A record is used once. */
  consumedAt: Table.nullable(Table.text()),
  expiresAt: Table.text()
}

/** A row of the table `oauthRecords`. */
export interface OAuthRecordRow extends Table.RowOf<typeof recordColumns> {}

/** The records of the authorization server. They expire, and belong to no organization. */
export const oauthRecords: Table.Table<"oauthRecords", OAuthRecordRow, "kind" | "digest"> = Table.make(
  "oauthRecords",
  {
    columns: recordColumns,
    locking: Table.withoutLocks,
    key: ["kind", "digest"],
    indexes: [["grant"], ["userCode"], ["expiresAt"]]
  }
)

/** A record that is saved. */
export interface NewOAuthRecord extends Pick<OAuthRecordRow, "kind" | "digest" | "grant" | "payload"> {
  /** The code that a person types; undefined for none. */
  readonly userCode?: string | undefined
  /** When it expires, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** Returns the digest under which a record with an id or a user code is stored. */
export const oauthDigest = (secret: string): string => sha256Hex(secret)

type Store = Pick<Records["Service"], "first" | "get" | "count" | "insertMissing" | "update" | "remove">

const keyed = (kind: string, digest: string): Where.Where<OAuthRecordRow> =>
  Where.and<OAuthRecordRow>(Where.eq("kind", kind), Where.eq("digest", digest))

/** Creates the functions on the records of the authorization server. Each changes the database by single statements. */
export const makeOAuthRecords = (records: Store) => ({
  /** Returns a record, also one that was used or has expired. */
  get: (kind: string, digest: string): Effect.Effect<OAuthRecordRow | undefined, StorageUnavailable> =>
    records.get(oauthRecords, { kind, digest }),

  /** Returns the record with a code that a person has typed. */
  findByUserCode: (
    kind: string,
    userCode: string
  ): Effect.Effect<OAuthRecordRow | undefined, StorageUnavailable> =>
    records.first(oauthRecords, {
      where: Where.and<OAuthRecordRow>(Where.eq("kind", kind), Where.eq("userCode", oauthDigest(userCode)))
    }),

  /** Adds a record, or replaces the payload of an existing one. Does not change whether it was used. */
  save: Effect.fnUntraced(function* ({ expiresAt, userCode, ...record }: NewOAuthRecord) {
    const row: OAuthRecordRow = {
      ...record,
      userCode: userCode === undefined ? null : oauthDigest(userCode),
      createdAt: yield* now,
      consumedAt: null,
      expiresAt: toTimestamp(expiresAt)
    }
    const inserted = yield* records.insertMissing(oauthRecords, [row])
    if (inserted === 1) return
    const { grant, payload } = row
    yield* records.update(oauthRecords, keyed(row.kind, row.digest), {
      grant,
      payload,
      expiresAt: row.expiresAt
    })
  }),

  /** Marks a record as used, by one conditional statement. Returns whether it was not used before. */
  consume: Effect.fnUntraced(function* (kind: string, digest: string) {
    const changed = yield* records.update(
      oauthRecords,
      Where.and<OAuthRecordRow>(keyed(kind, digest), Where.isNull("consumedAt")),
      { consumedAt: yield* now }
    )
    return changed === 1
  }),

  /** Ends a code that a person types, by one conditional statement. Returns whether it had not ended before. */
  takeUserCode: (kind: string, userCode: string): Effect.Effect<boolean, StorageUnavailable> =>
    Effect.map(
      records.update(
        oauthRecords,
        Where.and<OAuthRecordRow>(Where.eq("kind", kind), Where.eq("userCode", oauthDigest(userCode))),
        { userCode: null }
      ),
      (changed) => changed === 1
    ),

  /** Moves the expiry of a record. */
  extend: (kind: string, digest: string, expiresAt: number): Effect.Effect<number, StorageUnavailable> =>
    records.update(oauthRecords, keyed(kind, digest), { expiresAt: toTimestamp(expiresAt) }),

  /** Removes a record. */
  remove: (kind: string, digest: string): Effect.Effect<number, StorageUnavailable> =>
    records.remove(oauthRecords, keyed(kind, digest)),

  /** Removes all records of a grant. */
  removeGrant: (grant: string): Effect.Effect<number, StorageUnavailable> =>
    records.remove(oauthRecords, Where.eq<OAuthRecordRow, "grant">("grant", grant)),

  /** Returns the number of the records of a kind, including the records that have expired since the last purge. */
  count: (kind: string): Effect.Effect<number, StorageUnavailable> =>
    records.count(oauthRecords, Where.eq<OAuthRecordRow, "kind">("kind", kind)),

  /** Removes the records that have expired. */
  purge: Effect.flatMap(now, (time) =>
    records.remove(oauthRecords, Where.lt<OAuthRecordRow, "expiresAt">("expiresAt", time))
  )
})

/** The functions on the records of the authorization server. */
export interface OAuthRecords extends ReturnType<typeof makeOAuthRecords> {}

/** Returns the URL of the API as a resource: programs name it in requests for tokens. */
export const apiResource = (publicUrl: string): string => `${publicUrl}/v1`

/** The limits of an access token of a program, besides the limits of the API token of its authorization. */
export interface ProgramAccess {
  /** The URL of the resource that accepts it. */
  readonly resource: unknown
  /** Its permissions. */
  readonly permissions: ReadonlyArray<string>
  readonly expiresAt: string
  /** The name of the program, for audit records. */
  readonly name: string
}

/** Returns the limits of the record of an access token. */
export const programAccessOf = (
  { payload: { aud, scope }, expiresAt }: OAuthRecordRow,
  name: string
): ProgramAccess => ({
  resource: aud,
  permissions: typeof scope === "string" ? scope.split(" ") : [],
  expiresAt,
  name
})
