/** Authorizations of operations: a rule as data, and the check that enforces it. */

import type { Records, StorageUnavailable } from "@lectern/kernel"
import type { ChangeRequestRef } from "@lectern/model/change-requests"
import type { CollectionId } from "@lectern/model/collections"
import type { Conflict, Forbidden, Gone, NotFound } from "@lectern/model/errors"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import type { RoleOrGuest } from "@lectern/model/roles"
import {
  type ActionNoun,
  type ChangeRequestAction,
  type CollectionAction,
  changeRequestActions,
  collectionActions,
  type FeatureAction,
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
} from "@lectern/model/roles"
import type { SiteId } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { noteCheck } from "../accessChecks.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { Granted, GrantedReader } from "../grants/Grant.ts"
import { organizationGrant } from "../grants/issueGrant.ts"
import type { SystemGrant } from "../grants/SystemGrant.ts"
import type { Access, Caller } from "../roles/Access.ts"
import type { VisitedSpace, VisitorAccess } from "../visitors/VisitorAccess.ts"
import type { Rule } from "./OperationDefinition.ts"

/** A space that the caller can read: a user, or a visitor of a site. */
export interface ReadableSpace extends Pick<VisitedSpace, "caller" | "space"> {
  readonly role: RoleOrGuest
  /** Present for a visitor. */
  readonly visitor?: VisitedSpace["visitor"]
}

/**
 * The authorization of an operation on a target, whose ids are among the parameters. The check returns a grant with the
 * rows that it has loaded: the record, the caller in its organization, and their role.
 */
export interface Authorization<in Target, out Given, out E = never, out R = CurrentUser> {
  /** The rule that the check enforces. */
  readonly rule: Rule
  /** Loads and authorizes the target. Fails with the errors of `Access`. */
  readonly check: (target: Target) => Effect.Effect<Given & Granted, E | StorageUnavailable, R>
}

/** Whether an operation with this rule admits visitors of published sites, who are not users. */
export const admitsVisitors = (rule: Rule): boolean =>
  rule.kind === "visitor" || (rule.kind === "policy" && rule.visitors !== undefined)

/** Whether an operation with this rule admits visitors without a token. */
export const admitsAnonymous = (rule: Rule): boolean =>
  rule.kind === "visitor" || (rule.kind === "policy" && rule.visitors === "anonymous")

/** Declares that an authorization also admits visitors of a published site, which the parameters name for `anonymous`. */
export const alsoForVisitors = (rule: Rule, visitors: "anonymous" | "token" = "anonymous"): Rule =>
  rule.kind === "policy" ? { ...rule, visitors } : rule

/** Declares actions that some inputs require as well, which the operation checks on the target that the input names. */
export const alsoByInput = <Target, Given, E, R>(
  { rule, check }: Authorization<Target, Given, E, R>,
  ...actions: ReadonlyArray<string>
): Authorization<Target, Given, E, R> => ({
  rule: rule.kind === "policy" ? { ...rule, byInput: actions } : rule,
  check
})

/** Adds a requirement for callers whom an authorization admits, which a rule of the policy states by `mark`. */
export const alsoRequiring =
  (
    requirement: Effect.Effect<void, Forbidden, CurrentUser>,
    mark: Partial<Pick<Extract<Rule, { readonly kind: "policy" }>, "changesSignIn" | "readsKey">> = {}
  ) =>
  <Target, Given, E, R>({
    rule,
    check
  }: Authorization<Target, Given, E, R>): Authorization<Target, Given, E | Forbidden, R | CurrentUser> => ({
    rule: rule.kind === "policy" ? { ...rule, ...mark } : rule,
    check: (target) => Effect.tap(check(target), () => requirement)
  })

const policy = (
  action: string,
  role: RoleOrGuest | "by relation",
  byInput: ReadonlyArray<string> = []
): Rule => ({ kind: "policy", action, role: role ?? "guest", ...(byInput.length === 0 ? {} : { byInput }) })

/** The role that an action requires, if it is the same for every relation of the caller to the target. */
const roleOf = (byRelation: Readonly<Record<string, RoleOrGuest>>): RoleOrGuest | "by relation" => {
  const [first, ...others] = Object.values(byRelation)
  return first !== undefined && others.every((role) => role === first) ? first : "by relation"
}

const organizationAuthorizations = (access: Access["Service"]) => ({
  organization: (
    action: OrganizationAction
  ): Authorization<
    { readonly organization: OrganizationId },
    { readonly caller: Caller },
    NotFound | Forbidden
  > => ({
    rule: policy(`organization.${action}`, organizationActions[action]),
    check: ({ organization }) => access.organization(organization, action)
  }),

  member: (action: MemberAction) => ({
    rule: policy(`member.${action}`, roleOf(memberActions[action])),
    check: ({ organization, user }: { readonly organization: OrganizationId; readonly user: UserId }) =>
      access.member(organization, user, action)
  }),

  team: (action: TeamAction) => ({
    rule: policy(`team.${action}`, roleOf(teamActions[action])),
    check: ({ organization, team }: { readonly organization: OrganizationId; readonly team: TeamId }) =>
      access.team(organization, team, action)
  }),

  site: (action: SiteAction) => ({
    rule: policy(`site.${action}`, siteActions[action]),
    check: ({ organization, site }: { readonly organization: OrganizationId; readonly site: SiteId }) =>
      access.site(organization, site, action)
  })
})

/** Authorizes an action of a feature like the action of the policy that requires the same role. */
const featureAuthorizations = <
  Base extends Readonly<Record<ActionNoun, (action: never) => { readonly rule: Rule }>>
>(
  base: Base
) => ({
  action: <Noun extends ActionNoun>({ noun, permission, equivalent, role }: FeatureAction<Noun>) =>
    ({ ...Reflect.apply(base[noun], undefined, [equivalent]), rule: policy(permission, role) }) as ReturnType<
      Base[Noun]
    >
})

const contentAuthorizations = (access: Access["Service"], visitors: VisitorAccess["Service"]) => ({
  collection: (action: CollectionAction, ...byInput: ReadonlyArray<CollectionAction>) => ({
    rule: policy(
      `collection.${action}`,
      collectionActions[action],
      byInput.map((name) => `collection.${name}`)
    ),
    check: ({ collection }: { readonly collection: CollectionId }) =>
      Effect.map(access.collection(collection, action), (grant) => ({
        ...grant,
        /** Requires one of `byInput` as well, for an input that needs it. */
        requireAction: (needed: CollectionAction) =>
          noteCheck(["collection", collection, needed], access.requireOnCollection(grant.role, needed))
      }))
  }),

  space: (action: SpaceAction, ...byInput: ReadonlyArray<SpaceAction>) => ({
    rule: policy(
      `space.${action}`,
      spaceActions[action],
      byInput.map((name) => `space.${name}`)
    ),
    check: ({ space }: { readonly space: SpaceId }) =>
      Effect.map(access.space(space, action), (grant) => ({
        ...grant,
        /** Requires one of `byInput` as well, for an input that needs it. */
        requireAction: (needed: SpaceAction) =>
          noteCheck(["space", space, needed], access.requireOnSpace(grant.role, needed))
      }))
  }),

  /** Authorizes users like `space`, and also visitors of a published site that shows them the space. */
  publishedSpace: (
    action: "view" | "read"
  ): Authorization<{ readonly space: SpaceId }, ReadableSpace, TargetError> => ({
    rule: alsoForVisitors(policy(`space.${action}`, spaceActions[action]), "token"),
    check: ({ space }) =>
      Effect.flatMap(
        CurrentUser,
        ({
          visitor
        }): Effect.Effect<ReadableSpace & Granted, TargetError | StorageUnavailable, CurrentUser> =>
          visitor === undefined ? access.space(space, action) : visitors.space(visitor, space)
      )
  }),

  changeRequest: (action: ChangeRequestAction) => ({
    rule: policy(`changeRequest.${action}`, roleOf(changeRequestActions[action])),
    check: ({
      space,
      changeRequest
    }: {
      readonly space: SpaceId
      readonly changeRequest: typeof ChangeRequestRef.Type
    }) => access.changeRequest(space, changeRequest, action)
  })
})

/** Authorization by the policy, for each kind of target. */
export const authorizations = (
  store: Records["Service"],
  access: Access["Service"],
  system: SystemGrant,
  visitors: VisitorAccess["Service"]
) => ({
  ...organizationAuthorizations(access),
  ...contentAuthorizations(access, visitors),
  ...featureAuthorizations({
    ...organizationAuthorizations(access),
    ...contentAuthorizations(access, visitors)
  }),

  /**
   * Authorizes within the organization that the target names, and loads rows of it concurrently. The rows are returned
   * only if the authorization succeeds.
   */
  loading:
    <Target extends { readonly organization: OrganizationId }, Given, E, R, A>(
      authorization: Authorization<Target, Given, E, R>,
      load: (records: GrantedReader, target: Target) => Effect.Effect<A, StorageUnavailable>
    ) =>
    (target: Target): Effect.Effect<readonly [Given & Granted, A], E | StorageUnavailable, R> => {
      const { records } = organizationGrant(store, target.organization)
      return records.zipConcurrent(authorization.check(target), load(records, target))
    },

  /** Authorizes any authenticated user. `why` states the limit that replaces a role. */
  signedIn: (why: string): Authorization<unknown, { readonly user: CurrentUser["Service"] }> => ({
    rule: { kind: "signedIn", why },
    check: () => access.signedIn
  }),

  /** Authorizes the operator of the workspace, without a user. */
  operator: (why: string): Authorization<unknown, Granted, never, never> => ({
    rule: { kind: "operator", why },
    check: () => Effect.succeed({ grant: system.grant })
  })
})

/** The authorizations of {@link authorizations}. */
export interface Authorizations extends ReturnType<typeof authorizations> {}

/** The errors of a check, including the errors for a space in the trash. */
export type TargetError = NotFound | Forbidden | Conflict | Gone
