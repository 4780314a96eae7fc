/** Enforces the merge rules of a change request. */

import type { Caller, GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  effectiveMergeRules,
  failingMergeRules,
  isOutdated,
  organizations,
  presentUser,
  requestedReviewers,
  reviews,
  type SpaceRow,
  users
} from "@lectern/kernel/tables"
import { Conflict, type FailingMergeRule } from "@lectern/model/errors"
import type { MergeRule } from "@lectern/model/merge-rules"
import type { RoleOrGuest } from "@lectern/model/roles"
import { Effect } from "effect"
import { presentChangeRequest } from "../../views/change-requests/ChangeRequestView.ts"
import { presentReviews } from "../../views/reviews/ReviewView.ts"
import { presentSpace } from "../../views/spaces/SpaceView.ts"

/** A change request that a caller merges. */
interface Merging {
  readonly space: SpaceRow
  readonly changeRequest: ChangeRequestRow
  readonly caller: Caller
  readonly role: RoleOrGuest
}

/** The maximum number of reviews that rules are evaluated on: the newest. */
const maximumReviews = 1000

const inherit = { type: "inherit" } as const
const none = { type: "none" } as const

const rulesOf = Effect.fnUntraced(function* (
  records: GrantedReader,
  { space, changeRequest }: Merging
): Effect.fn.Return<ReadonlyArray<MergeRule>, StorageUnavailable> {
  const own = changeRequest.mergeRules ?? inherit
  const ofSpace = space.mergeRules ?? inherit
  const isInherited = own.type === "inherit" && ofSpace.type === "inherit"
  const organization = isInherited
    ? yield* records.get(organizations, { id: space.organization }, ["mergeRules"])
    : undefined
  return effectiveMergeRules(own, ofSpace, organization?.mergeRules ?? none)
})

/** Returns the merge rules of the change request that do not pass; none if the caller can bypass them. */
export const findFailingRules = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  merging: Merging
): Effect.fn.Return<ReadonlyArray<FailingMergeRule>, StorageUnavailable> {
  const rules = yield* rulesOf(records, merging)
  if (rules.length === 0) return []
  const { space, changeRequest, caller, role } = merging
  const [posted, requested] = yield* records.zipConcurrent(
    records.find(reviews, {
      where: Where.eq("changeRequest", changeRequest.id),
      orderBy: ["id"],
      direction: "desc",
      limit: maximumReviews
    }),
    records.find(requestedReviewers, {
      select: ["user"],
      where: Where.eq("changeRequest", changeRequest.id)
    })
  )
  // Authors can comment on their own changes with a review, but not approve them.
  const foreign = posted.filter(({ reviewer }) => reviewer !== changeRequest.createdBy)
  const hasExpression = rules.some(({ rule }) => rule === "custom")
  return failingMergeRules(rules, {
    actor: caller.user,
    subject: changeRequest.subject,
    hasDescription: changeRequest.description !== null,
    outdated: isOutdated(changeRequest, space),
    reviews: foreign,
    requestedReviewers: requested.map(({ user }) => user),
    names: hasExpression
      ? {
          space: presentSpace(base, space, role, caller.role),
          changeRequest: yield* presentChangeRequest(records, base, space, changeRequest),
          reviews: yield* presentReviews(records, base, space.id, foreign, new Map()),
          actor: presentUser(base, (yield* records.get(users, { id: caller.user }))!)
        }
      : {}
  })
})

/**
 * Fails with `Conflict`, which lists the failing rules, unless the merge rules of the change request pass or the caller
 * can bypass them.
 */
export const requireMergeRules = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  merging: Merging
): Effect.fn.Return<void, Conflict | StorageUnavailable> {
  const failing = yield* findFailingRules(records, base, merging)
  if (failing.length === 0) return
  return yield* new Conflict({
    reason: "MergeRulesFailing",
    message: `The merge rules do not pass. ${failing.map(({ message }) => message).join(" ")}`,
    failingRules: failing
  })
})
