/** Definitions of operations as data, for policy files, tables of operations and documentation. */

import type { Role } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import type { LockList } from "./Locks.ts"

/**
 * The rule that authorizes an operation.
 *
 * - `policy`: an action of the policy on the target. `byInput` lists actions that some inputs require as well.
 *   `visitors`: it also admits visitors of a published site, without a role: with a visitor token, or also without one
 *   (`anonymous`) if its parameters name the site. `changesSignIn`: it changes how members join and sign in, which tokens with limited
 *   permissions cannot. `readsKey`: its result has a key of lasting access, which tokens that are read-only or limited cannot read.
 * - `signedIn`: any authenticated user, on their own data. `why` states the limit.
 * - `visitor`: everyone with the URL, a share key or a visitor token.
 * - `operator`: the host application or the command line; it is not reachable over HTTP.
 */
export type Rule =
  | {
      readonly kind: "policy"
      readonly action: string
      readonly role: Role | "guest" | "by relation"
      readonly byInput?: ReadonlyArray<string>
      readonly visitors?: "anonymous" | "token"
      readonly changesSignIn?: true
      readonly readsKey?: true
    }
  | { readonly kind: "signedIn" | "visitor" | "operator"; readonly why: string }

/** An operation, as data. */
export interface OperationDefinition {
  /** The service and the method, as in `Spaces.create`. */
  readonly name: string
  /** Whether the operation reads or writes. */
  readonly kind: "query" | "command"
  /** The names of its parameters, in order. */
  readonly parameters: ReadonlyArray<string>
  /** The rule that authorizes it. */
  readonly rule: Rule
  /** Whether its calls are recorded in the audit log: of every command, and of queries that export data. */
  readonly isAudited: boolean
  /** The locks of a command, by its decoded parameters. Absent if it is a serializable transaction. */
  readonly locks?: (parameters: never, caller: UserId | undefined) => LockList
  /** The reason why a command declares no locks. */
  readonly serializable?: string
}
