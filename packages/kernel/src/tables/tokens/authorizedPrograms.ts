/** The tokens that represent authorizations of programs of others. */
import type { OrganizationId } from "@lectern/model/organizations"
import { type AuthorizedProgram, AuthorizedProgramId } from "@lectern/model/programs"
import type { UserId } from "@lectern/model/users"
import { Where } from "../../storage/index.ts"
import type { ApiTokenRow } from "./apiTokenTable.ts"

/** Matches the authorizations of a user that have not been revoked, or only the ones that are limited to an organization. */
export const whereAuthorized = (
  user: UserId,
  organization: OrganizationId | undefined
): Where.Where<ApiTokenRow> =>
  Where.and<ApiTokenRow>(
    Where.eq("user", user),
    Where.not(Where.isNull("program")),
    Where.isNull("revokedAt"),
    organization === undefined ? Where.all : Where.eq("organization", organization)
  )

/** Converts the row of an authorization to the resource. */
export const authorizedProgramOf = (row: ApiTokenRow): AuthorizedProgram => ({
  object: "authorized-program",
  id: AuthorizedProgramId.make(row.id),
  name: row.label,
  program: row.program ?? "",
  permissions: row.permissions ?? [],
  ...(row.organization === null ? {} : { organization: row.organization }),
  ...(row.site === null ? {} : { site: row.site }),
  createdAt: row.createdAt,
  expiresAt: row.expiresAt ?? row.createdAt,
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt })
})
