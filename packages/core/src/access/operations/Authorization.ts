/** What may authorize an operation: a rule, as data, and the check that enforces it. */
import { Effect } from "effect"
import type { Conflict, Forbidden, Gone, NotFound } from "../../kernel/errors.ts"
import type { StorageUnavailable } from "../../kernel/storage/index.ts"
import type { CollectionId } from "../../model/collections/Collection.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import type { TeamId } from "../../model/organizations/Team.ts"
import {
  type ChangeRequestAction,
  type CollectionAction,
  changeRequestActions,
  collectionActions,
  type MemberAction,
  memberActions,
  type OrganizationAction,
  organizationActions,
  type SiteAction,
  type SpaceAction,
  siteActions,
  spaceActions,
  type TeamAction,
  teamActions
} from "../../model/roles/Policy.ts"
import type { RoleOrGuest } from "../../model/roles/Role.ts"
import type { SiteId } from "../../model/sites/Site.ts"
import type { SpaceId } from "../../model/spaces/Space.ts"
import type { UserId } from "../../model/users/User.ts"
import type { Access, Caller } from "../Access.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type {
  ChangeRequestGrant,
  CollectionGrant,
  MemberGrant,
  SiteGrant,
  SpaceGrant,
  TeamGrant
} from "../grants.ts"
import type { AccessError } from "./Operation.ts"
import type { Rule } from "./OperationDefinition.ts"

/**
 * Authorizes an operation for a target, which has the ids among its parameters. The grant is what the check has
 * loaded on its way: the record, the caller's place in its organization, their role.
 */
export interface Authorization<in Target, out Grant, out E = never, out R = CurrentUser> {
  readonly rule: Rule
  readonly check: (target: Target) => Effect.Effect<Grant, E | StorageUnavailable, R>
}

const policy = (
  action: string,
  role: RoleOrGuest | "by relation",
  byInput: ReadonlyArray<string> = []
): Rule => ({ kind: "policy", action, role: role ?? "guest", ...(byInput.length === 0 ? {} : { byInput }) })

/** The role that an action requires, when it is the same for every relation of the caller to the target. */
const roleOf = (byRelation: Readonly<Record<string, RoleOrGuest>>): RoleOrGuest | "by relation" => {
  const [first, ...others] = Object.values(byRelation)
  return first !== undefined && others.every((role) => role === first) ? first : "by relation"
}

/** Any authenticated user. `why` says what the operation is limited to instead of by a role. */
export const signedIn = (why: string): Authorization<unknown, { readonly user: CurrentUser["Service"] }> => ({
  rule: { kind: "signedIn", why },
  check: () => Effect.map(CurrentUser, (user) => ({ user }))
})

/** The operator of the workspace: no user is involved. */
export const operator = (why: string): Authorization<unknown, void, never, never> => ({
  rule: { kind: "operator", why },
  check: () => Effect.void
})

interface RequireAction<Action> {
  /** Requires one of `byInput` as well: the input calls for it. */
  readonly requireAction: (needed: Action) => Effect.Effect<void, Forbidden>
}

/** Authorization by the policy, for each kind of target. */
export const authorizations = (access: Access["Service"]) => ({
  organization: (
    action: OrganizationAction
  ): Authorization<{ readonly organization: OrganizationId }, { readonly caller: Caller }, AccessError> => ({
    rule: policy(`organization.${action}`, organizationActions[action]),
    check: ({ organization }) =>
      Effect.map(access.organization(organization, action), (caller) => ({ caller }))
  }),

  member: (
    action: MemberAction
  ): Authorization<
    { readonly organization: OrganizationId; readonly user: UserId },
    MemberGrant,
    AccessError
  > => ({
    rule: policy(`member.${action}`, roleOf(memberActions[action])),
    check: ({ organization, user }) => access.member(organization, user, action)
  }),

  team: (
    action: TeamAction
  ): Authorization<
    { readonly organization: OrganizationId; readonly team: TeamId },
    TeamGrant,
    AccessError
  > => ({
    rule: policy(`team.${action}`, roleOf(teamActions[action])),
    check: ({ organization, team }) => access.team(organization, team, action)
  }),

  collection: (
    action: CollectionAction,
    ...byInput: ReadonlyArray<CollectionAction>
  ): Authorization<
    { readonly collection: CollectionId },
    CollectionGrant & RequireAction<CollectionAction>,
    AccessError
  > => ({
    rule: policy(
      `collection.${action}`,
      collectionActions[action],
      byInput.map((one) => `collection.${one}`)
    ),
    check: ({ collection }) =>
      Effect.map(access.collection(collection, action), (grant) => ({
        ...grant,
        requireAction: (needed: CollectionAction) => access.requireOnCollection(grant.role, needed)
      }))
  }),

  space: (
    action: SpaceAction,
    ...byInput: ReadonlyArray<SpaceAction>
  ): Authorization<{ readonly space: SpaceId }, SpaceGrant & RequireAction<SpaceAction>, TargetError> => ({
    rule: policy(
      `space.${action}`,
      spaceActions[action],
      byInput.map((one) => `space.${one}`)
    ),
    check: ({ space }) =>
      Effect.map(access.space(space, action), (grant) => ({
        ...grant,
        requireAction: (needed: SpaceAction) => access.requireOnSpace(grant.role, needed)
      }))
  }),

  changeRequest: (
    action: ChangeRequestAction
  ): Authorization<
    { readonly space: SpaceId; readonly changeRequest: string },
    ChangeRequestGrant,
    TargetError
  > => ({
    rule: policy(`changeRequest.${action}`, roleOf(changeRequestActions[action])),
    check: ({ space, changeRequest }) => access.changeRequest(space, changeRequest, action)
  }),

  site: (
    action: SiteAction
  ): Authorization<
    { readonly organization: OrganizationId; readonly site: SiteId },
    SiteGrant,
    AccessError
  > => ({
    rule: policy(`site.${action}`, siteActions[action]),
    check: ({ organization, site }) => access.site(organization, site, action)
  }),

  signedIn,
  operator
})
/** The authorizations of {@link authorizations}. */
export interface Authorizations extends ReturnType<typeof authorizations> {}

/** What a check can fail with, of a target that may be deleted. */
export type TargetError = NotFound | Forbidden | Conflict | Gone
