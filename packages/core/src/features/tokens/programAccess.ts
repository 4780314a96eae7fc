/** Access tokens of programs of others: each acts as the API token of its authorization, for one resource. */

import {
  makeOAuthRecords,
  oauthDigest,
  PublicUrl,
  type Records,
  type StorageUnavailable
} from "@lectern/kernel"
import { type ApiTokenRow, apiTokens } from "@lectern/kernel/tables"
import type { ApiTokenId } from "@lectern/model/tokens"
import { Effect } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"

/** The columns of a token that the access of a program depends on. */
type Columns = ReadonlyArray<keyof ApiTokenRow>

/** What an access token of a program is limited to, besides the limits of its authorization. */
export interface ProgramAccess {
  /** The URL of the resource that accepts it. */
  readonly resource: unknown
  /** Its permissions. */
  readonly permissions: ReadonlyArray<string>
  readonly expiresAt: string
  /** The name of the program, for audit records. */
  readonly name: string
}

/** Creates the function that finds the authorization of an access token, with the limits of the access token. */
export const makeFindProgramAccess = Effect.fnUntraced(function* <const Selected extends Columns>(
  store: Records["Service"],
  records: GrantedReader,
  select: Selected
) {
  const oauth = makeOAuthRecords(store)
  return Effect.fnUntraced(function* (
    secret: string
  ): Effect.fn.Return<
    (Pick<ApiTokenRow, Selected[number] | "label"> & { readonly access: ProgramAccess }) | undefined,
    StorageUnavailable
  > {
    const record = yield* oauth.get("AccessToken", oauthDigest(secret))
    if (record === undefined || record.grant === null || record.consumedAt !== null) return undefined
    const columns = [...select, "label"] as const
    const row = yield* records.get(apiTokens, { id: record.grant as ApiTokenId }, columns)
    if (row === undefined) return undefined
    const { aud, scope } = record.payload
    const access: ProgramAccess = {
      resource: aud,
      permissions: typeof scope === "string" ? scope.split(" ") : [],
      expiresAt: record.expiresAt,
      name: row.label
    }
    return { ...row, access }
  })
})

/** The URL of the API, as a resource of programs. */
export const apiResource: Effect.Effect<string> = Effect.map(PublicUrl, (base) => `${base}/v1`)
