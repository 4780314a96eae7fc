/** The list of all organizations of a workspace, for its operator. */

import type { GrantedReader } from "@lectern/access"
import { readPage, Where } from "@lectern/kernel"
import { organizations } from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import type { PageQuery } from "@lectern/model/schema"
import { Effect } from "effect"

/** An organization, as the operator lists it. */
export interface OrganizationSummary {
  /** The id of the organization. */
  readonly id: OrganizationId
  /** The title. */
  readonly title: string
  /** When the organization was created. */
  readonly createdAt: string
  /** When the organization was moved to the trash; absent outside of it. */
  readonly deletedAt?: string
}

/** Returns a page of the organizations, oldest first. */
export const readSummaries = (records: GrantedReader, input: PageQuery) =>
  readPage(records, input, {
    table: organizations,
    list: ["all organizations"],
    where: Where.all,
    direction: "asc",
    orderBy: ["id"],
    present: (rows) =>
      Effect.succeed(
        rows.map(
          ({ id, title, createdAt, deletedAt }): OrganizationSummary => ({
            id,
            title,
            createdAt,
            ...(deletedAt === null ? {} : { deletedAt })
          })
        )
      )
  })
