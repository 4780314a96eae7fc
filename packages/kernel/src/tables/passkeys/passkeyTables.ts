/** The tables `passkeys`, `usedChallenges`, `recoveryCodes` and `recoveryFailures`. */

import type { PasskeyId } from "@lectern/model/passkeys"
import type { UserId } from "@lectern/model/users"
import { Table } from "../../storage/index.ts"
import { users } from "../users/userTable.ts"

const ofUser = { user: { table: () => users, onRemove: "cascade" } } as const

const passkeyColumns = {
  id: Table.text<PasskeyId>(),
  user: Table.text<UserId>(),
  /** The id of the credential, which the authenticator has chosen, as Base64 for URLs. */
  credential: Table.text(),
  /** The public key in the encoding of COSE, as Base64 for URLs. */
  publicKey: Table.text(),
  /** The number of signatures of the authenticator. It must grow, unless the authenticator does not count: then it is 0. */
  counter: Table.integer(),
  /** How browsers reach the authenticator, such as `internal`. */
  transports: Table.json<ReadonlyArray<string>>(),
  /** Whether the passkey is available on several devices. */
  isSynced: Table.boolean(),
  /** The host name that the credential is bound to. */
  host: Table.text(),
  name: Table.text(),
  createdAt: Table.text(),
  lastUsedAt: Table.nullable(Table.text())
}

/** A row of the table `passkeys`. */
export interface PasskeyRow extends Table.RowOf<typeof passkeyColumns> {}

/** The table of passkeys. */
export const passkeys: Table.ProtectedTable<"passkeys", PasskeyRow, "id"> = Table.makeProtected("passkeys", {
  tenant: null,
  owner: "user",
  columns: passkeyColumns,
  locking: Table.withoutLocks,
  key: ["id"],
  unique: [["credential"]],
  references: ofUser,
  indexes: [["user", "id"]]
})

const usedChallengeColumns = {
  /** SHA-256 of the challenge, in hexadecimal. */
  digest: Table.text(),
  expiresAt: Table.text()
}

interface UsedChallengeRow extends Table.RowOf<typeof usedChallengeColumns> {}

/** The challenges in accepted responses, until they expire: a repeated response is rejected. */
export const usedChallenges: Table.ProtectedTable<"usedChallenges", UsedChallengeRow, "digest"> =
  Table.makeProtected("usedChallenges", {
    tenant: null,
    columns: usedChallengeColumns,
    locking: Table.withoutLocks,
    key: ["digest"],
    indexes: [["expiresAt"]]
  })

const recoveryCodeColumns = {
  user: Table.text<UserId>(),
  /** SHA-256 of the code, in hexadecimal. A code that was used is removed. */
  digest: Table.text(),
  createdAt: Table.text()
}

/** A row of the table `recoveryCodes`. */
export interface RecoveryCodeRow extends Table.RowOf<typeof recoveryCodeColumns> {}

/** The table of one-time recovery codes. */
export const recoveryCodes: Table.ProtectedTable<"recoveryCodes", RecoveryCodeRow, "user" | "digest"> =
  Table.makeProtected("recoveryCodes", {
    tenant: null,
    owner: "user",
    columns: recoveryCodeColumns,
    locking: Table.withoutLocks,
    key: ["user", "digest"],
    references: ofUser
  })

const recoveryFailureColumns = {
  user: Table.text<UserId>(),
  /** The number of wrong codes since `startedAt`. */
  failures: Table.integer(),
  startedAt: Table.text()
}

/** A row of the table `recoveryFailures`. */
export interface RecoveryFailureRow extends Table.RowOf<typeof recoveryFailureColumns> {}

/** How many wrong recovery codes were entered for a user, which bounds guesses. */
export const recoveryFailures: Table.ProtectedTable<"recoveryFailures", RecoveryFailureRow, "user"> =
  Table.makeProtected("recoveryFailures", {
    tenant: null,
    owner: "user",
    columns: recoveryFailureColumns,
    locking: Table.withoutLocks,
    key: ["user"],
    references: ofUser
  })
