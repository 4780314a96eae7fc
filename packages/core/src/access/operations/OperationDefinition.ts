/** What an operation declares of itself, as data: for policy files, tables of operations and documentation. */
import type { Role } from "../../model/roles/Role.ts"

/**
 * What authorizes an operation.
 *
 * - `policy`: an action of the policy, on what the ids name. `byInput` lists actions that some inputs need as well.
 * - `signedIn`: any authenticated user, on what is their own.
 * - `visitor`: anyone with the address, a share key or a visitor token.
 * - `operator`: the host application or the command line; it is not reachable over HTTP.
 */
export type Rule =
  | {
      readonly kind: "policy"
      readonly action: string
      readonly role: Role | "guest" | "by relation"
      readonly byInput?: ReadonlyArray<string>
    }
  | { readonly kind: "signedIn" | "visitor" | "operator"; readonly why: string }

/** An operation, as data. */
export interface OperationDefinition {
  /** The service and the method, as in `Spaces.create`. */
  readonly name: string
  readonly kind: "query" | "command"
  /** The names of its parameters, in order. */
  readonly parameters: ReadonlyArray<string>
  readonly rule: Rule
}
