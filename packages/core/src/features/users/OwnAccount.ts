/** The export and the erasure of a person's own data. */

import { type Conflict, Forbidden, InvalidInput, NotFound } from "@lectern/model/errors"
import { EraseAccount, type OwnData, type OwnEntries } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { noteOwnCall } from "../../access/audit/noteOwnCall.ts"
import { CurrentUser, type Identity } from "../../access/CurrentUser.ts"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import type { Authorization } from "../../access/operations/Authorization.ts"
import { withFreshSignIn } from "../../access/operations/freshSignIn.ts"
import type { AccessError, Command, Query } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { type StorageUnavailable, type Table, Where } from "../../kernel/storage/index.ts"
import { changeRequests } from "../../tables/change-requests/changeRequestTables.ts"
import { commentReplies, comments } from "../../tables/comments/commentTables.ts"
import { oidcSubjects } from "../../tables/oidc/oidcSubjectTable.ts"
import { members } from "../../tables/organizations/memberTable.ts"
import { organizations } from "../../tables/organizations/organizationTables.ts"
import { teamMembers } from "../../tables/organizations/teamTables.ts"
import { sessions, signedInUsers, signInLinks } from "../../tables/sessions/sessionTables.ts"
import { apiTokens } from "../../tables/tokens/apiTokenTable.ts"
import { type UserRow, users } from "../../tables/users/userTable.ts"
import { removeMembership, requireOtherAdministrator } from "../organizations/memberships.ts"
import { endSessions } from "../sessions/endSessions.ts"
import { revokeTokens } from "../tokens/revokeTokens.ts"

/**
 * Operations on the data of the `CurrentUser`. They fail with `Forbidden` for API tokens, for sessions of an identity provider of
 * an organization, which has no authority over the account, and for a sign-in that is more than 10 minutes ago.
 */
export interface OwnAccountOperations {
  /** Returns everything that the server stores about the caller. */
  readonly exportData: Query<Record<never, never>, OwnData, AccessError>
  /**
   * Erases the account of the caller: its name, its address, its identities, memberships, teams, tokens and sessions. What the
   * caller has written remains, by an author without a name. Fails with `InvalidInput` if the address is not that of the account,
   * and with `Conflict` if the caller is the last administrator of an organization.
   */
  readonly erase: Command<{ input: EraseAccount }, void, AccessError | Conflict>
}

/** The maximum number of entries of each kind in an export. */
const maximumEntries = 10_000

/** The name of an author whose account was erased. */
const erasedName = "Former user"

const tokenNotAllowed = new Forbidden({
  reason: "SsoTokenNotAllowed",
  message:
    "An API token and a session of an identity provider of an organization cannot export or erase an account. Sign in by a link in an e-mail."
})

const entriesOf = <A, B>(rows: ReadonlyArray<A>, present: (row: A) => B): OwnEntries<B> => ({
  items: rows.slice(0, maximumEntries).map(present),
  isCut: rows.length > maximumEntries
})

/** Returns the rows of a table that belong to a user, and one more than an export contains if there are more. */
const rowsOf = <T extends Table.AnyTable>(
  records: GrantedReader,
  table: T,
  column: keyof Table.Row<T> & string,
  user: UserRow["id"]
): Effect.Effect<ReadonlyArray<Table.Row<T>>, StorageUnavailable> =>
  records.find(table, {
    where: { op: "eq", column, value: user } as unknown as Where.Where<Table.Row<T>>,
    orderBy: [...table.key] as never,
    limit: maximumEntries + 1
  }) as Effect.Effect<ReadonlyArray<Table.Row<T>>, StorageUnavailable>

const makeOwnAccount = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const signedIn = allow.signedIn("the caller's own account, with a session")

  const allowOwn: Authorization<
    unknown,
    { readonly account: UserRow; readonly user: Identity },
    AccessError
  > = {
    rule: signedIn.rule,
    check: Effect.fnUntraced(function* (target) {
      const { grant, user } = yield* signedIn.check(target as never)
      const { token, organization } = yield* CurrentUser
      const account = yield* grant.records.get(users, { id: user.id })
      if (account === undefined) return yield* NotFound.of("user")
      if (token !== undefined || organization !== undefined) return yield* tokenNotAllowed
      return { grant, account, user }
    })
  }

  return {
    exportData: query(
      "OwnAccount.exportData",
      { parameters: {}, authorize: withFreshSignIn(allowOwn), audited: true },
      function* (_, { account, records }) {
        yield* noteOwnCall(records, account.id)
        const of = <T extends Table.AnyTable>(table: T, column: keyof Table.Row<T> & string) =>
          rowsOf(records, table, column, account.id)
        const memberships = yield* of(members, "user")
        const titles = yield* records.find(organizations, {
          select: ["id", "title"],
          where: Where.isIn(
            "id",
            memberships.map(({ organization }) => organization)
          )
        })
        const titleById = new Map(titles.map(({ id, title }) => [id, title]))
        return {
          account,
          memberships: entriesOf(memberships, ({ organization, role, joinedAt, lastSeenAt }) => ({
            organization,
            title: titleById.get(organization) ?? "",
            role,
            joinedAt,
            lastSeenAt
          })),
          teams: entriesOf(yield* of(teamMembers, "user"), ({ team, role }) => ({ team, role })),
          sessions: entriesOf(
            yield* of(sessions, "user"),
            ({ method, userAgent, address, createdAt, lastUsedAt }) => ({
              method,
              userAgent,
              address,
              createdAt,
              lastUsedAt
            })
          ),
          tokens: entriesOf(yield* of(apiTokens, "user"), ({ label, createdAt, lastUsedAt }) => ({
            label,
            createdAt,
            lastUsedAt
          })),
          identities: entriesOf(yield* of(oidcSubjects, "user"), ({ provider, subject, createdAt }) => ({
            provider,
            subject,
            createdAt
          })),
          comments: entriesOf(yield* of(comments, "postedBy"), ({ id, space, body, postedAt }) => ({
            id,
            space,
            body,
            postedAt
          })),
          replies: entriesOf(yield* of(commentReplies, "postedBy"), ({ id, comment, body, postedAt }) => ({
            id,
            comment,
            body,
            postedAt
          })),
          changeRequests: entriesOf(
            yield* of(changeRequests, "createdBy"),
            ({ id, space, subject, createdAt }) => ({ id, space, subject, createdAt })
          )
        }
      }
    ),

    erase: command(
      "OwnAccount.erase",
      {
        parameters: { input: EraseAccount },
        authorize: withFreshSignIn(allowOwn),
        serializable: "Removes the memberships of the user in all organizations."
      },
      function* ({ input }, { account, records }) {
        const { id } = account
        if (input.email !== account.email) {
          return yield* InvalidInput.at("email", "must be the e-mail address of the account")
        }
        yield* noteOwnCall(records, id)
        for (const member of yield* records.find(members, { where: Where.eq("user", id) })) {
          yield* requireOtherAdministrator(records, member)
          yield* removeMembership(records, member)
        }
        yield* revokeTokens(records, Where.eq("user", id))
        yield* endSessions(records, Where.eq("user", id))
        yield* records.remove(signInLinks, Where.eq("user", id))
        yield* records.remove(signedInUsers, Where.eq("user", id))
        yield* records.remove(oidcSubjects, Where.eq("user", id))
        yield* records.update(users, Where.eq("id", id), {
          // A reserved domain: no mailbox and no provider can have the address.
          email: `erased-${id}@erased.invalid`,
          displayName: erasedName,
          photoURL: null
        })
      }
    )
  } satisfies OwnAccountOperations
})

/** Operations on the data of the caller: see {@link OwnAccountOperations}. */
export class OwnAccount extends Context.Service<OwnAccount, OwnAccountOperations>()(
  "@lectern/core/OwnAccount"
) {
  static readonly layer: Layer.Layer<OwnAccount, never, Operations> = Layer.effect(OwnAccount, makeOwnAccount)
}
