/** The tokens that open an organization, for its administrators. */

import { type AccessError, type Authorization, type Caller, Locks, Operations } from "@lectern/access"
import { decodeSet, encodeMember, encodeSet, now, readPage, Where } from "@lectern/kernel"
import { type ApiTokenRow, apiTokens, type MemberRow, members } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import { ApiTokenId, ListOrganizationTokens, type OrganizationToken } from "@lectern/model/tokens"
import { Effect } from "effect"

interface OneOrganizationToken {
  readonly organization: OrganizationId
  readonly token: ApiTokenId
}

/** Matches tokens that are not revoked. */
export const isActive = Where.isNull<ApiTokenRow, "revokedAt">("revokedAt")

/** Converts a row to the resource that administrators of an organization see. */
const presentForOrganization = (row: ApiTokenRow): OrganizationToken => {
  const unlimited = row.organization === null
  return {
    object: "organization-token",
    id: row.id,
    user: row.user,
    unlimited,
    ...(unlimited ? {} : { label: row.label }),
    ...(row.site === null ? {} : { site: row.site }),
    readOnly: row.readOnly,
    ...(row.permissions === null ? {} : { permissions: row.permissions }),
    ...(row.samlProvider === null ? {} : { samlProvider: row.samlProvider }),
    renewable: row.renewalMillis !== null,
    ...(row.installation === null ? {} : { installation: row.installation }),
    ...(row.program === null ? {} : { program: row.program }),
    createdAt: row.createdAt,
    ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
    ...(unlimited || row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt })
  }
}

/** The active tokens that open an organization: limited to it, or of a member and not excluded from it. */
const opening = (
  records: Parameters<typeof readPage>[0],
  organization: OrganizationId
): Where.Where<ApiTokenRow> =>
  Where.and<ApiTokenRow>(
    isActive,
    Where.or<ApiTokenRow>(
      Where.eq("organization", organization),
      Where.and<ApiTokenRow>(
        Where.isNull("organization"),
        Where.not(Where.contains("excluded", encodeMember(organization))),
        records.inSelect(
          "user",
          members,
          "user",
          Where.eq<MemberRow, "organization">("organization", organization)
        )
      )
    )
  )

/** Creates the operations of administrators on the tokens that open an organization. */
export const makeOrganizationTokens = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const administrate = allow.organization("administrate")

  const allowInOrganization: Authorization<
    OneOrganizationToken,
    { readonly caller: Caller; readonly row: ApiTokenRow },
    AccessError
  > = {
    rule: administrate.rule,
    check: Effect.fnUntraced(function* ({ organization, token }) {
      const { caller, grant } = yield* administrate.check({ organization })
      const { records } = grant
      const row = yield* records.first(apiTokens, {
        where: Where.and<ApiTokenRow>(Where.eq("id", token), opening(records, organization))
      })
      return row === undefined ? yield* NotFound.of("token") : { caller, grant, row }
    })
  }

  return {
    listInOrganization: query(
      "Tokens.listInOrganization",
      {
        parameters: { organization: OrganizationId, input: ListOrganizationTokens },
        authorize: administrate
      },
      function* ({ organization, input }, { records }) {
        const { user } = input
        return yield* readPage(records, input, {
          table: apiTokens,
          list: ["organization tokens", organization, user],
          where: Where.and<ApiTokenRow>(
            opening(records, organization),
            user === undefined ? Where.all : Where.eq("user", user)
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map(presentForOrganization))
        })
      }
    ),

    revokeInOrganization: command(
      "Tokens.revokeInOrganization",
      {
        parameters: { organization: OrganizationId, token: ApiTokenId },
        authorize: allowInOrganization,
        locks: (target) => [...Locks.tokenIn(target), ...Locks.token(target)]
      },
      function* ({ organization }, { row, records }) {
        yield* records.update(
          apiTokens,
          Where.eq("id", row.id),
          row.organization === organization
            ? { revokedAt: yield* now }
            : { excluded: encodeSet([...decodeSet(row.excluded), organization]) }
        )
      }
    )
  }
})
