/** Grants without a user: for background jobs, event handlers, the doctor, authentication and visitors. */

import { Records } from "@lectern/kernel"
import { Effect } from "effect"
import type { Grant, GrantedRecords } from "./Grant.ts"
import { unrestrictedGrant, writableRecords } from "./issueGrant.ts"

/** A grant that reaches every row. */
export interface SystemGrant {
  /** The grant, for authorizations that require one. */
  readonly grant: Grant
  /** Records to read and to write. */
  readonly records: GrantedRecords
}

/**
 * Creates a grant that reaches every row. `reason` is a string literal that states the purpose: the golden file
 * `core/test/systemGrants.txt` lists every call, so that review notices a new one.
 *
 * @example
 * const { records } = yield* SystemGrant.make("Deletes spaces whose retention has expired.")
 */
const makeSystemGrant = (_reason: string): Effect.Effect<SystemGrant, never, Records> =>
  Effect.map(Records, (store) => {
    const grant = unrestrictedGrant(store)
    return { grant, records: writableRecords(grant) }
  })

/** Creates grants without a user: see {@link makeSystemGrant}. */
export const SystemGrant = { make: makeSystemGrant } as const
