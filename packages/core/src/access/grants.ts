/** The results of the checks of `Access`: the record that a check loads, the caller in its organization, and their role. */
import type { Conflict, Forbidden, Gone, NotFound } from "../kernel/errors.ts"
import type { StorageUnavailable } from "../kernel/storage/index.ts"
import type { ChangeRequestRow } from "../model/change-requests/ChangeRequest.ts"
import type { CollectionRow } from "../model/collections/Collection.ts"
import type { MemberRow } from "../model/organizations/Member.ts"
import type { TeamRow } from "../model/organizations/Team.ts"
import type { TeamPlace } from "../model/roles/Policy.ts"
import type { RoleOrGuest } from "../model/roles/Role.ts"
import type { SiteRow } from "../model/sites/Site.ts"
import type { SpaceRow } from "../model/spaces/Space.ts"
import type { Caller } from "./Access.ts"

/** The errors of a check. */
export type CheckError = NotFound | Forbidden | StorageUnavailable

/** The errors of a check of a space, which may be in the trash. */
export type SpaceCheckError = CheckError | Conflict | Gone

/** A membership of the caller's organization. */
export interface MemberGrant {
  readonly caller: Caller
  readonly member: MemberRow
}

/** A team of the caller's organization. */
export interface TeamGrant {
  readonly caller: Caller
  readonly team: TeamRow
  /** The relation of the caller to the team. */
  readonly place: TeamPlace
}

/** A collection, with the caller's role on it. */
export interface CollectionGrant {
  readonly collection: CollectionRow
  readonly caller: Caller
  readonly role: RoleOrGuest
}

/** A space, with the caller's role on it. */
export interface SpaceGrant {
  readonly space: SpaceRow
  readonly caller: Caller
  readonly role: RoleOrGuest
}

/** A change request, with its space. */
export interface ChangeRequestGrant extends SpaceGrant {
  readonly changeRequest: ChangeRequestRow
}

/** A site of the caller's organization. */
export interface SiteGrant {
  readonly caller: Caller
  readonly site: SiteRow
}
