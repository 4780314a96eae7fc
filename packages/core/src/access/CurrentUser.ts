/** The user on whose behalf operations run. */
import { Context, Effect } from "effect"
import type { OrganizationId } from "../model/organizations/Organization.ts"
import type { UserId } from "../model/users/User.ts"

/** An authenticated user. */
export interface Identity {
  /** The id of the user. */
  readonly id: UserId
  /**
   * The only organization in which the user can act; all of their organizations by default. A token from single sign-on
   * is limited to one, because the identity provider authenticates for its own organization only.
   */
  readonly organization?: OrganizationId
}

/** The user on whose behalf an operation runs. Every operation requires one, except for operations of operators. */
export class CurrentUser extends Context.Service<CurrentUser, Identity>()("@lectern/core/CurrentUser") {
  /** Runs an effect on behalf of a user, without a limit to one organization. */
  static readonly provide =
    (id: UserId) =>
    <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentUser>> =>
      Effect.provideService(self, CurrentUser, { id })
}
