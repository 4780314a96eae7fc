/** The table `users`. */

import type { User, UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { lockedByAccounts } from "../locks/tableLocks.ts"

const userColumns = {
  id: Table.text<UserId>(),
  /** The e-mail address, in lower case. */
  email: Table.text(),
  displayName: Table.text(),
  photoURL: Table.nullable(Table.text()),
  createdAt: Table.text()
}

/** A row of the table `users`. */
export interface UserRow extends Table.RowOf<typeof userColumns> {}

/** The table of users. */
export const users: Table.Table<"users", UserRow, "id"> = Table.make("users", {
  columns: userColumns,
  locking: lockedByAccounts,
  key: ["id"],
  unique: [["email"]]
})

/** Converts a row to the resource. */
export const presentUser = (base: string, row: UserRow): User => ({
  object: "user",
  id: row.id,
  displayName: row.displayName,
  email: row.email,
  ...(row.photoURL === null ? {} : { photoURL: row.photoURL }),
  urls: { location: `${base}/v1/users/${row.id}` }
})
