/** The spaces that a search reads. */

import type { OrganizationId } from "@lectern/model/organizations"
import type { SpaceId } from "@lectern/model/spaces"
import * as Where from "../../storage/Where.ts"

/** Spaces of one organization. A search reads no row of another space. */
export interface SearchedSpaces {
  readonly organization: OrganizationId
  readonly spaces: ReadonlyArray<SpaceId>
}

/** The columns that the tables of the index have in common. */
interface IndexRow {
  readonly space: SpaceId
  readonly organization: OrganizationId
}

/** Returns the condition on the rows of spaces in a table of the index. */
export const inSpaces = <R extends IndexRow>({ organization, spaces }: SearchedSpaces): Where.Where<R> =>
  Where.and<IndexRow>(
    spaces.length === 1 ? Where.eq("space", spaces[0]!) : Where.isIn("space", spaces),
    Where.eq("organization", organization)
  )
