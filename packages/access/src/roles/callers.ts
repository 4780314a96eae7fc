/** Loads users as callers: their role in an organization, and the grants to them and their teams. */

import { type Lookup, type StorageUnavailable, Where } from "@lectern/kernel"
import { CacheScope, type GrantRow, grants, members, teamMembers } from "@lectern/kernel/tables"
import * as Placement from "@lectern/model/collections"
import type { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast, type Role } from "@lectern/model/roles"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import type { Caller, Placed } from "../Caller.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { GrantedReader } from "../grants/Grant.ts"
import { canActIn, isFromSso } from "../limits/identityLimits.ts"
import { noteAuthorization } from "../noteAuthorization.ts"
import { OrganizationMeter } from "../OrganizationMeter.ts"
import { hasSecondFactor } from "./secondFactor.ts"

/** Returns the caller that is cached under a key, or reads and caches it. */
type CachedCaller = (
  lookup: Lookup<Caller>,
  read: () => Effect.Effect<Caller | undefined, StorageUnavailable>
) => Effect.Effect<Caller | undefined, StorageUnavailable>

/** Creates the functions that load callers. `admitsContent` is the limit of the token of the current user. */
export const makeCallers = (
  records: GrantedReader,
  cached: CachedCaller,
  admitsContent: (content: Placed) => Effect.Effect<boolean, StorageUnavailable, CurrentUser>
) => {
  const readCaller = Effect.fnUntraced(function* (
    user: UserId,
    organization: OrganizationId,
    targets?: ReadonlyArray<string>
  ): Effect.fn.Return<Caller | undefined, StorageUnavailable> {
    const ofUserOrTeams = Where.or<GrantRow>(
      Where.eq("user", user),
      records.inSelect("team", teamMembers, "team", Where.eq("user", user))
    )
    const [member, grantRows] = yield* records.zipConcurrent(
      records.get(members, { organization, user }, ["role", "disabled", "ssoMissing", "secondFactor"]),
      records.find(grants, {
        select: ["target", "role"],
        where: Where.and<GrantRow>(
          Where.eq("organization", organization),
          targets === undefined ? Where.all : Where.isIn("target", targets),
          ofUserOrTeams
        )
      })
    )
    if (member === undefined || member.disabled) return undefined
    const granted = new Map<string, Role>()
    for (const grant of grantRows) {
      const highestSoFar = granted.get(grant.target)
      if (highestSoFar === undefined || !isAtLeast(highestSoFar, grant.role))
        granted.set(grant.target, grant.role)
    }
    return {
      user,
      organization,
      role: member.role,
      granted,
      ssoRequired: member.ssoMissing,
      secondFactorRequired: member.secondFactor
    }
  })

  /** Loads a user as a caller; undefined if they are not a member. `targets` limits the grants to load. */
  const loadCaller = (user: UserId, organization: OrganizationId, targets?: ReadonlyArray<string>) =>
    cached(
      {
        key: `caller ${user} ${organization} ${targets === undefined ? "all" : targets.join(" ")}`,
        scopes: () => [CacheScope.organization(organization)]
      },
      () => readCaller(user, organization, targets)
    )

  /** Loads the current user as a caller; undefined if their token cannot act in the organization. */
  const callerIn = Effect.fnUntraced(function* (
    organization: OrganizationId,
    targets?: ReadonlyArray<string>
  ): Effect.fn.Return<Caller | undefined, StorageUnavailable, CurrentUser> {
    const current = yield* CurrentUser
    if (!canActIn(current, organization)) {
      yield* noteAuthorization(current, organization, false)
      return undefined
    }
    const meter = yield* OrganizationMeter
    if (meter !== undefined) yield* meter(organization)
    const caller = yield* loadCaller(current.id, organization, targets)
    yield* noteAuthorization(current, organization, caller !== undefined)
    if (caller === undefined) return undefined
    const ssoRequired = caller.ssoRequired && !isFromSso(current, organization)
    const secondFactorRequired = caller.secondFactorRequired && !(yield* hasSecondFactor(records, current))
    return ssoRequired === caller.ssoRequired && secondFactorRequired === caller.secondFactorRequired
      ? caller
      : { ...caller, ssoRequired, secondFactorRequired }
  })

  /**
   * Loads the caller with the grants that an action on content depends on. To view and read it, these are the grants on
   * it and its ancestors. Other actions can involve further content, such as the target of a move, and load all grants.
   */
  const callerOn = (content: Placed, action: string) =>
    Effect.flatMap(admitsContent(content), (isAdmitted) =>
      isAdmitted
        ? callerIn(
            content.organization,
            action === "view" || action === "read"
              ? [content.id, ...Placement.ancestorsOf(content.path)]
              : undefined
          )
        : Effect.succeed(undefined)
    )

  return { loadCaller, callerIn, callerOn }
}
