/** A workspace as a story sees it: operations by name, answered with a value or with the tag of an error. */
import type { Role, RoleOrGuest } from "@lectern/core"
import type { routes } from "./HttpRoutes.ts"

/** An operation of a service: `["spaces", "create", [organization, input]]`. */
export type Call = readonly [service: keyof typeof routes, method: string, args: ReadonlyArray<unknown>]

/** How a call ended. */
export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string }

/** What a story needs of the workspace that it runs against: through core, through HTTP, or any other way. */
export interface WorkspaceApi {
  readonly call: (user: string, call: Call) => Promise<Outcome>
  /** Makes an account; the answer is its id. */
  readonly createUser: (email: string) => Promise<string>
  /** Makes an organization with its first administrator; the answer is its id. */
  readonly createOrganization: (title: string, administrator: string) => Promise<string>
  /** Makes a user a member, or gives a member another role. */
  readonly setMember: (organization: string, user: string, role: RoleOrGuest) => Promise<Outcome>
  /** Makes a team of members; the answer is its id. */
  readonly createTeam: (organization: string, users: ReadonlyArray<string>) => Promise<string>
  /** Shares content with a user or a team; a grant that was there is replaced. */
  readonly grant: (grant: {
    readonly organization: string
    readonly kind: "collection" | "space"
    readonly target: string
    readonly user?: string
    readonly team?: string
    readonly role: Role
  }) => Promise<void>
  /** Lets time pass, in milliseconds. */
  readonly advance: (milliseconds: number) => Promise<void>
  /** The time of the workspace, in milliseconds since 1970. */
  readonly now: () => number
  /** Removes for good what has been in the bin for too long; the answer is how many spaces that were. */
  readonly purge: () => Promise<number>
  /** Does all jobs that are due in the background. */
  readonly work: () => Promise<void>
}
