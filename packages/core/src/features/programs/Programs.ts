/** Operations on the programs of others that a person has authorized, on behalf of the person. */

import {
  Access,
  type AccessError,
  type Authorization,
  addAuditDetails,
  type Command,
  type Identity,
  Locks,
  loginProviderOf,
  noteOwnCall,
  Operations,
  type Query,
  requireSecondFactor,
  withFreshSignIn
} from "@lectern/access"
import { type Ids, makeOAuthRecords, now, Records, readPage, toTimestamp, Where } from "@lectern/kernel"
import { type ApiTokenRow, apiTokens, authorizedProgramOf, whereAuthorized } from "@lectern/kernel/tables"
import { Conflict, Forbidden, NotFound } from "@lectern/model/errors"
import { type AuthorizedProgram, AuthorizedProgramId, AuthorizeProgram } from "@lectern/model/programs"
import { type Page, PageQuery } from "@lectern/model/schema"
import { ApiTokenId } from "@lectern/model/tokens"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TokenLifetimes } from "../tokens/TokenLifetimes.ts"
import { makeTokenIssuer } from "../tokens/tokenIssuer.ts"

/** Operations on the programs of others that the `CurrentUser` has authorized. A caller who is limited to an organization sees only the authorizations for it. */
export interface ProgramsOperations {
  /** Lists the caller's authorizations that have not ended, newest first. */
  readonly list: Query<{ input?: PageQuery }, Page<AuthorizedProgram>>
  /** Ends an authorization, with immediate effect. Fails with `NotFound` if the caller has no such authorization. */
  readonly revoke: Command<{ program: AuthorizedProgramId }, void, AccessError>
  /**
   * Authorizes a program: creates the API token that its access tokens act as. Requires a session with a sign-in in the last 10 minutes.
   * The token has the limits of the session, as one that the caller creates. Fails with `Conflict` if the caller has 100.
   */
  readonly authorize: Command<{ input: AuthorizeProgram }, AuthorizedProgram, AccessError | Conflict>
}

/** The maximum number of authorizations of a user that have not ended. */
const maximumPrograms = 100

/** How long an authorization lasts unless a maximum is shorter, in milliseconds: 90 days. */
const authorizationMillis = 90 * 24 * 60 * 60 * 1_000

const sessionRequired = new Forbidden({
  reason: "ScopeTooNarrow",
  message: "A program is authorized in a browser, by a session. An API token cannot authorize it."
})

const makePrograms = Effect.gen(function* () {
  const access = yield* Access
  const { query, command, allow } = yield* Operations
  const oauth = makeOAuthRecords(yield* Records)
  const { issue } = yield* makeTokenIssuer
  const { maximumMillis = authorizationMillis } = yield* TokenLifetimes
  const signedIn = allow.signedIn("the programs that the caller has authorized")

  /** Matches the authorizations of a caller that have not ended. */
  const ownedBy = ({ id, organization }: Identity, time: string): Where.Where<ApiTokenRow> =>
    Where.and<ApiTokenRow>(whereAuthorized(id, organization), Where.gt("expiresAt", time))

  const allowOwn: Authorization<
    { readonly program: AuthorizedProgramId },
    { readonly row: ApiTokenRow },
    NotFound
  > = {
    rule: signedIn.rule,
    check: Effect.fnUntraced(function* ({ program }) {
      const { user, grant } = yield* signedIn.check({})
      const row = yield* grant.records.first(apiTokens, {
        where: Where.and<ApiTokenRow>(Where.eq("id", ApiTokenId.make(program)), ownedBy(user, yield* now))
      })
      if (row === undefined) return yield* NotFound.of("program")
      yield* addAuditDetails({ organization: row.organization })
      if (row.organization === null) yield* noteOwnCall(grant.records, user.id)
      return { grant, row }
    })
  }

  return {
    list: query(
      "Programs.list",
      { parameters: { input: PageQuery }, authorize: signedIn },
      function* ({ input }, { user, records }) {
        return yield* readPage(records, input, {
          table: apiTokens,
          list: ["programs", user.id, user.organization],
          where: ownedBy(user, yield* now),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map(authorizedProgramOf))
        })
      }
    ),

    revoke: command(
      "Programs.revoke",
      {
        parameters: { program: AuthorizedProgramId },
        authorize: allowOwn,
        locks: ({ program }, caller) => Locks.ownToken({ token: program }, caller)
      },
      function* (_, { row, records }) {
        yield* records.update(apiTokens, Where.eq("id", row.id), { revokedAt: yield* now })
        yield* oauth.removeGrant(row.id)
      }
    ),

    authorize: command(
      "Programs.authorize",
      {
        parameters: { input: AuthorizeProgram },
        authorize: withFreshSignIn(signedIn),
        locks: ({ input: { site } }, caller) => [...Locks.tokenIn(site ?? {}), ...Locks.memberships(caller)]
      },
      function* ({ input }, { user, records }) {
        if (user.token !== undefined) return yield* sessionRequired
        yield* requireSecondFactor(records, user)
        const organization = input.site?.organization ?? user.organization ?? null
        if (input.site !== undefined) yield* access.site(input.site.organization, input.site.site, "view")
        yield* addAuditDetails({ organization })
        if (organization === null) yield* noteOwnCall(records, user.id)
        const time = yield* Clock.currentTimeMillis
        if ((yield* records.count(apiTokens, ownedBy(user, toTimestamp(time)))) >= maximumPrograms) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `A user can authorize at most ${maximumPrograms} programs. Revoke one first.`
          })
        }
        const end = time + Math.min(authorizationMillis, maximumMillis)
        // An authorization by a login ends with it, as a token that the login creates.
        const login = loginProviderOf(user) === undefined ? undefined : user.signIn?.expiresAt
        const expiresAt = toTimestamp(login === undefined ? end : Math.min(end, Date.parse(login)))
        const { row } = yield* issue(records, {
          user: user.id,
          organization,
          label: input.name,
          site: input.site?.site ?? null,
          permissions: input.permissions,
          samlProvider: loginProviderOf(user) ?? null,
          program: input.program,
          expiresAt
        })
        return authorizedProgramOf(row)
      }
    )
  } satisfies ProgramsOperations
})

/** Operations on the programs of others that a person has authorized: see {@link ProgramsOperations}. */
export class Programs extends Context.Service<Programs, ProgramsOperations>()("@lectern/core/Programs") {
  static readonly layer: Layer.Layer<Programs, never, Access | Operations | Ids | Records> = Layer.effect(
    Programs,
    makePrograms
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
