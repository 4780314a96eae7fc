/** The access that a command required, so that its repetition can be checked again. */

import type { CollectionId } from "@lectern/model/collections"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type {
  ChangeRequestAction,
  CollectionAction,
  MemberAction,
  OrganizationAction,
  SiteAction,
  SpaceAction,
  TeamAction
} from "@lectern/model/roles"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Context, Effect } from "effect"

/** An action that the caller was permitted, with the method of `Access` that checked it and the ids of its target. */
export type AccessCheck =
  | readonly ["organization", id: OrganizationId, action: OrganizationAction]
  | readonly ["member", organization: OrganizationId, user: UserId, action: MemberAction]
  | readonly ["team", organization: OrganizationId, id: TeamId, action: TeamAction]
  | readonly ["collection", id: CollectionId, action: CollectionAction]
  | readonly ["space", id: SpaceId, action: SpaceAction]
  | readonly ["changeRequest", space: SpaceId, ref: string, action: ChangeRequestAction]
  | readonly ["site", organization: OrganizationId, id: SiteId, action: SiteAction]

/** The access that an execution of a command required. */
export interface RequiredAccess {
  /** The checks that succeeded, without duplicates, by their text. */
  readonly checks: Map<string, AccessCheck>
  /** The organizations in which the caller was found to be a member. */
  readonly organizations: Set<OrganizationId>
}

/** The maximum number of checks of one command that its repetition makes again. */
const maximumChecks = 100

/** Collects the access that an effect requires; undefined by default. */
export const CurrentRequiredAccess = Context.Reference<RequiredAccess | undefined>(
  "@lectern/core/CurrentRequiredAccess",
  { defaultValue: () => undefined }
)

/** Creates a collection without checks. */
export const noRequiredAccess = (): RequiredAccess => ({ checks: new Map(), organizations: new Set() })

/** Adds a check to the access that the current command requires, if an effect succeeds. */
export const noteCheck = <A, E, R>(
  check: AccessCheck,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const required = fiber.getRef(CurrentRequiredAccess)
    if (required === undefined) return effect
    return Effect.tap(effect, () =>
      Effect.sync(() => {
        if (required.checks.size < maximumChecks) required.checks.set(check.join(" "), check)
      })
    )
  })
