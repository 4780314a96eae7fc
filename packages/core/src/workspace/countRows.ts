/** Counts the rows of the largest resources. */

import { SystemGrant } from "@lectern/access"
import { Records, type StorageUnavailable, Where } from "@lectern/kernel"
import { changeRequests, organizations, sites, spaces, users } from "@lectern/kernel/tables"
import { Effect } from "effect"

/** The numbers of resources in a workspace. */
export interface RowCounts {
  /** Organizations. */
  readonly organizations: number
  /** Accounts. */
  readonly users: number
  /** Spaces, including the trash. */
  readonly spaces: number
  /** Change requests in all states. */
  readonly changeRequests: number
  /** Sites. */
  readonly sites: number
}

/** Counts the resources of a workspace. */
export const countRows: Effect.Effect<RowCounts, StorageUnavailable, Records> = Effect.gen(function* () {
  const store = yield* Records
  const { records } = yield* SystemGrant.make("Counts resources for the operator of the workspace.")
  return {
    organizations: yield* records.count(organizations, Where.all),
    users: yield* store.count(users, Where.all),
    spaces: yield* records.count(spaces, Where.all),
    changeRequests: yield* records.count(changeRequests, Where.all),
    sites: yield* records.count(sites, Where.all)
  }
})
