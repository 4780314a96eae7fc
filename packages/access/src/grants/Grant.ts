/** The types of grants and of the records that they reach. Only `issueGrant.ts` creates grants. */

import type { ReadableRecords, Table, WritableRecords } from "@lectern/kernel"
import type { OrganizationId } from "@lectern/model/organizations"
import type { Grant } from "./issueGrant.ts"

export type { Grant }

/**
 * Readable records of all tables, limited to the rows of protected tables that a grant reaches. Queries receive them.
 */
export interface GrantedReader extends ReadableRecords<Table.AnyTable> {
  /** Returns these records with the rows that another grant reaches as well. */
  readonly with: (grant: Grant) => GrantedReader
}

/** Writable records of all tables, limited to the rows of protected tables that a grant reaches. */
export interface GrantedRecords extends WritableRecords<Table.AnyTable> {
  /** Returns these records with the rows that another grant reaches as well. */
  readonly with: (grant: Grant) => GrantedRecords
}

/** The part of the result that all authorizations have in common. */
export interface Granted {
  /** The permission to reach protected rows. */
  readonly grant: Grant
  /**
   * Organizations whose rows decided the authorization, besides the organizations of the grant. A locked command runs again as a serializable
   * transaction if it does not hold their locks.
   */
  readonly lockedOrganizations?: Iterable<OrganizationId>
}
