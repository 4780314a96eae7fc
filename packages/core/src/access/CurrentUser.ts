/** Who asks. */
import { Context, Effect } from "effect"
import type { OrganizationId } from "../model/organizations/Organization.ts"
import type { UserId } from "../model/users/User.ts"

/** A user who was told by what they showed. */
export interface Identity {
  readonly id: UserId
  /**
   * The only organization that they may act in, where it was one that vouched for them: an identity provider speaks
   * for its own organization, and not for others that the user is in. Any by default.
   */
  readonly organization?: OrganizationId
}

/** The user on whose behalf an operation runs. Every operation of the services needs one. */
export class CurrentUser extends Context.Service<CurrentUser, Identity>()("@lectern/core/CurrentUser") {
  /** Runs an effect on behalf of a user. */
  static readonly provide =
    (id: UserId) =>
    <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentUser>> =>
      Effect.provideService(self, CurrentUser, { id })
}
