/** Who asks. */
import { Context, Effect } from "effect"
import type { UserId } from "../organizations/User.ts"

/** The user on whose behalf an operation runs. Every operation of the services needs one. */
export class CurrentUser extends Context.Service<CurrentUser, { readonly id: UserId }>()(
  "@lectern/core/access/CurrentUser"
) {
  /** Runs an effect on behalf of a user. */
  static readonly provide =
    (id: UserId) =>
    <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, CurrentUser>> =>
      Effect.provideService(self, CurrentUser, { id })
}
