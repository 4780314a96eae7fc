/** Grants of what acts on behalf of nobody: background jobs, event handlers, the doctor, authentication, visitors. */
import { Effect } from "effect"
import { Records } from "../../kernel/storage/index.ts"
import type { Grant, GrantedRecords } from "./Grant.ts"
import { unrestrictedGrant, writableRecords } from "./issueGrant.ts"

/** A grant that reaches every row. */
export interface SystemGrant {
  readonly grant: Grant
  readonly records: GrantedRecords
}

/**
 * Makes a grant that reaches every row. `reason` completes "It": what it is for and why no user's grant is enough. It is
 * a string literal: `core/test/policy/SystemGrants.txt` lists every one, so that a new one is a change to review.
 *
 * @example
 * const { records } = yield* SystemGrant.make("Deletes spaces whose retention has expired.")
 */
const makeSystemGrant = (_reason: string): Effect.Effect<SystemGrant, never, Records> =>
  Effect.map(Records, (store) => {
    const grant = unrestrictedGrant(store)
    return { grant, records: writableRecords(grant) }
  })

/** Makes grants on behalf of nobody: see {@link makeSystemGrant}. */
export const SystemGrant = { make: makeSystemGrant } as const
