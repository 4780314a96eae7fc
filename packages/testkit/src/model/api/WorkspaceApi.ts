/** A workspace as scenarios use it: operations by name, which return a value or the tag of an error. */
import type { RoleOrGuest } from "@lectern/core"
import type { Actors } from "../state/Actors.ts"
import type { WorkspaceModel } from "../state/WorkspaceModel.ts"
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
  /** Sends a file to the URL of an upload. */
  readonly send: (url: string, bytes: Uint8Array) => Promise<Outcome>
  /** Creates an account. Returns its id. */
  readonly createUser: (email: string) => Promise<string>
  /** Creates an organization with its first administrator. Returns its id. */
  readonly createOrganization: (title: string, administrator: string) => Promise<string>
  /** Adds a user to an organization, or updates the role of a member. */
  readonly setMember: (organization: string, user: string, role: RoleOrGuest) => Promise<Outcome>
  /** Creates a team of members. Returns its id. */
  readonly createTeam: (organization: string, users: ReadonlyArray<string>) => Promise<string>
  /**
   * Prepares users and organizations that exist already, and adds them to the model. Without it, each scenario creates two
   * organizations with five users.
   */
  readonly prepare?: (model: WorkspaceModel) => Promise<Actors>
  /** The time of the workspace, in milliseconds since 1970. */
  readonly now: () => number
  /** Advances the clock of the workspace, in milliseconds. Without it, steps that depend on the clock are skipped. */
  readonly advance?: (milliseconds: number) => Promise<void>
  /** Purges the spaces whose retention in the trash has expired. Returns their number. Present together with `advance`. */
  readonly purge?: () => Promise<number>
  /**
   * Runs all background jobs that are due. Without it, the workspace runs them itself, and a comparison waits until their effects
   * are visible.
   */
  readonly work?: () => Promise<void>
}
