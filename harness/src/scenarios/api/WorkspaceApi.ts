/** A workspace as scenarios use it: operations by name, which return a value or the tag of an error. */
import type { Role, RoleOrGuest } from "@lectern/core"
import type { ServiceName } from "./services.ts"

/** An operation of a service: `["spaces", "create", [organization, input]]`. */
export type Call = readonly [service: ServiceName, method: string, args: ReadonlyArray<unknown>]

/** The result of a call: its value, or the tag of its error. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

/** A workspace to which scenarios send calls: through core, through HTTP, or by another transport. */
export interface WorkspaceApi {
  /** Calls an operation on behalf of a user. */
  readonly call: (user: string, call: Call) => Promise<Outcome>
  /** Creates an account. Returns its id. */
  readonly createUser: (email: string) => Promise<string>
  /** Creates an organization with its first administrator. Returns its id. */
  readonly createOrganization: (title: string, administrator: string) => Promise<string>
  /** Adds a user to an organization, or updates the role of a member. */
  readonly setMember: (organization: string, user: string, role: RoleOrGuest) => Promise<Outcome>
  /** Creates a team of members. Returns its id. */
  readonly createTeam: (organization: string, users: ReadonlyArray<string>) => Promise<string>
  /** Shares content with a user or a team. Replaces an existing grant. */
  readonly grant: (grant: {
    readonly organization: string
    readonly kind: "collection" | "space"
    readonly target: string
    readonly user?: string
    readonly team?: string
    readonly role: Role
  }) => Promise<void>
  /** Advances the clock of the workspace, in milliseconds. */
  readonly advance: (milliseconds: number) => Promise<void>
  /** The time of the workspace, in milliseconds since 1970. */
  readonly now: () => number
  /** Purges the spaces whose retention in the trash has expired. Returns their number. */
  readonly purge: () => Promise<number>
  /** Runs all background jobs that are due. */
  readonly work: () => Promise<void>
}
