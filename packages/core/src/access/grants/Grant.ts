/** The types of grants and of the records that they reach. Only `issueGrant.ts` creates grants. */
import type { ReadableRecords, Table, WritableRecords } from "../../kernel/storage/index.ts"
import type { Grant } from "./issueGrant.ts"

export type { Grant }

/** Records of all tables, to read: of protected tables, the rows that a grant reaches. A query receives them. */
export interface GrantedReader extends ReadableRecords<Table.AnyTable> {
  /** Returns these records with the rows that another grant reaches as well. */
  readonly with: (grant: Grant) => GrantedReader
}

/** Records of all tables, to read and to write: of protected tables, the rows that a grant reaches. */
export interface GrantedRecords extends WritableRecords<Table.AnyTable> {
  /** Returns these records with the rows that another grant reaches as well. */
  readonly with: (grant: Grant) => GrantedRecords
}

/** The result that every authorization includes. */
export interface Granted {
  /** The permission to reach protected rows. */
  readonly grant: Grant
}
