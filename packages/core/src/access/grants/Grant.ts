/** What a grant is to those who receive one. Only `issueGrant.ts` makes them. */
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

/** What every authorization gives. */
export interface Granted {
  readonly grant: Grant
}
