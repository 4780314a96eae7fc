/** The table `mails`. */

import { Table } from "../../storage/index.ts"

const mailColumns = {
  id: Table.text(),
  /** The e-mail address, in lower case. */
  recipient: Table.text(),
  /** The IP address of the client that requested it; null if it is unknown, and for mails that members send. */
  address: Table.nullable(Table.text()),
  createdAt: Table.text()
}

/** A row of the table `mails`. */
export interface MailRow extends Table.RowOf<typeof mailColumns> {}

/** The mails of the last hour, which limit how many a recipient receives. They have no content. */
export const mails: Table.Table<"mails", MailRow, "id"> = Table.make("mails", {
  columns: mailColumns,
  locking: Table.withoutLocks,
  key: ["id"],
  indexes: [["recipient", "createdAt"], ["address", "createdAt"], ["createdAt"]]
})
