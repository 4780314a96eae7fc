/** The state of the authorization server, for the server. It acts for no user. */

import { SystemGrant } from "@lectern/access"
import {
  makeOAuthRecords,
  now,
  type OAuthRecords,
  Records,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import { type ApiTokenRow, apiTokens, whereAuthorized } from "@lectern/kernel/tables"
import { ApiTokenId } from "@lectern/model/tokens"
import type { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { revokeTokens } from "../tokens/revokeTokens.ts"

/** The records of the authorization server, and the state of authorizations. */
export interface ProgramGrantsService {
  /** Codes, tokens, grants and registered programs. */
  readonly records: OAuthRecords
  /** Returns the user and the end of an authorization that has not ended; undefined for another one. */
  readonly find: (
    grant: string
  ) => Effect.Effect<Pick<ApiTokenRow, "user" | "expiresAt"> | undefined, StorageUnavailable>
  /** Whether a user has authorized a program, and the authorization has not ended. */
  readonly isAuthorized: (user: UserId, program: string) => Effect.Effect<boolean, StorageUnavailable>
  /** Ends an authorization with everything that was issued for it, with immediate effect. */
  readonly end: (grant: string) => Effect.Effect<void, StorageUnavailable>
}

const makeProgramGrants = Effect.gen(function* () {
  const oauth = makeOAuthRecords(yield* Records)
  const { records } = yield* SystemGrant.make(
    "Ends authorizations of programs whose codes or tokens were replayed."
  )

  const authorization = (grant: string): Where.Where<ApiTokenRow> =>
    Where.and<ApiTokenRow>(Where.eq("id", ApiTokenId.make(grant)), Where.not(Where.isNull("program")))

  return {
    records: oauth,

    find: Effect.fnUntraced(function* (grant: string) {
      return yield* records.first(apiTokens, {
        select: ["user", "expiresAt"],
        where: Where.and<ApiTokenRow>(
          authorization(grant),
          Where.isNull("revokedAt"),
          Where.gt("expiresAt", yield* now)
        )
      })
    }),

    isAuthorized: Effect.fnUntraced(function* (user: UserId, program: string) {
      const row = yield* records.first(apiTokens, {
        select: ["id"],
        where: Where.and<ApiTokenRow>(
          whereAuthorized(user, undefined),
          Where.eq("program", program),
          Where.gt("expiresAt", yield* now)
        )
      })
      return row !== undefined
    }),

    end: (grant: string) =>
      Effect.andThen(revokeTokens(records, authorization(grant)), Effect.asVoid(oauth.removeGrant(grant)))
  } satisfies ProgramGrantsService
})

/** The state of the authorization server: see {@link ProgramGrantsService}. */
export class ProgramGrants extends Context.Service<ProgramGrants, ProgramGrantsService>()(
  "@lectern/core/ProgramGrants"
) {
  static readonly layer: Layer.Layer<ProgramGrants, never, Records> = Layer.effect(
    ProgramGrants,
    makeProgramGrants
  )
}
