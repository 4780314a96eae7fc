/** The kinds of locks, and which of them cover the rows of a table: see `Locks` of `@lectern/access`. */
import type { Table } from "../../storage/index.ts"

/** The kinds of resources that transactions lock. */
export const lockKinds = {
  organization: "organization",
  space: "space",
  visits: "visits",
  accounts: "accounts",
  account: "account",
  integration: "integration",
  token: "token",
  places: "places",
  notifications: "notifications",
  host: "host"
} as const

/** The rows of an organization that are not the content of one space. */
export const lockedByOrganization: Table.Locking = { writes: [lockKinds.organization], reads: "locked" }

/** The rows of a space. A command that changes its organization covers them as well. */
export const lockedBySpace: Table.Locking = {
  writes: [lockKinds.space, lockKinds.organization],
  reads: "locked"
}

/** Memberships. The times of visits are recorded under a lock of their own. */
export const lockedByMember: Table.Locking = {
  writes: [lockKinds.organization, lockKinds.visits],
  reads: "locked"
}

/** Accounts. Readers present names, or find an account by its id, and tolerate that it changes. */
export const lockedByAccounts: Table.Locking = {
  writes: [lockKinds.accounts, lockKinds.account],
  reads: "unlocked"
}

/** Integrations and their installations in all organizations. Readers that do not hold the lock tolerate that they change. */
export const lockedByIntegration: Table.Locking = { writes: [lockKinds.integration], reads: "unlocked" }
