/** Evaluates merge rules, as pure functions. */

import { parseMergeExpression } from "@lectern/markdown/conditions"
import { evaluateNamed } from "@lectern/model/conditions"
import type { FailingMergeRule } from "@lectern/model/errors"
import type { MergeRule, MergeRules, StandaloneMergeRules } from "@lectern/model/merge-rules"
import type { UserId } from "@lectern/model/users"
import { Result } from "effect"

/** A review, as far as rules depend on it. */
interface ReviewState {
  readonly reviewer: UserId
  readonly status: "approved" | "changes-requested"
  /** Whether the review is superseded by a later review or request. */
  readonly outdated: boolean
}

/** The state that merge rules depend on. */
export interface MergeRulesSubject {
  /** The user who merges. */
  readonly actor: UserId
  readonly subject: string
  readonly hasDescription: boolean
  readonly outdated: boolean
  readonly reviews: ReadonlyArray<ReviewState>
  /** The users whose review is requested and missing. */
  readonly requestedReviewers: ReadonlyArray<UserId>
  /** The values of the names of expressions, in the shapes of the API. */
  readonly names: { readonly [name: string]: unknown }
}

/** Returns the rules that apply to a change request. */
export const effectiveMergeRules = (
  changeRequest: MergeRules,
  space: MergeRules,
  organization: StandaloneMergeRules
): ReadonlyArray<MergeRule> => {
  const own = changeRequest.type === "inherit" ? space : changeRequest
  const effective = own.type === "inherit" ? organization : own
  return effective.type === "rules" ? effective.rules : []
}

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many)

/** Returns why a rule fails, or undefined if it passes. `allow_bypass` never fails. */
const failureOf = (rule: MergeRule, on: MergeRulesSubject): string | undefined => {
  const current = on.reviews.filter(({ outdated }) => !outdated)
  const approvers = new Set(
    current.flatMap(({ reviewer, status }) => (status === "approved" ? [reviewer] : []))
  )
  switch (rule.rule) {
    case "allow_bypass":
      return undefined
    case "require_specific_reviewers": {
      const missing = rule.users.filter((user) => !approvers.has(user))
      return missing.length === 0
        ? undefined
        : `Requires the approval of the ${plural(missing.length, "user", "users")} ${missing.join(", ")}.`
    }
    case "require_one_of_specific_reviewers":
      return rule.users.some((user) => approvers.has(user))
        ? undefined
        : `Requires the approval of one of the users ${rule.users.join(", ")}.`
    case "require_at_least_one_review":
      return current.length > 0 ? undefined : "Requires a review."
    case "require_all_reviews_approved": {
      const pending = new Set(on.requestedReviewers)
      for (const { reviewer, status } of current) if (status !== "approved") pending.add(reviewer)
      return pending.size === 0
        ? undefined
        : `Requires that all reviews approve; missing ${plural(pending.size, "is", "are")} ${[...pending].join(", ")}.`
    }
    case "require_agent_review":
      return "Requires the review of an agent, which this workspace does not have."
    case "require_up_to_date_change_request":
      return on.outdated ? "Requires that the change request is updated from its space." : undefined
    case "require_change_request_subject":
      return on.subject === "" ? "Requires a subject." : undefined
    case "require_change_request_description":
      return on.hasDescription ? undefined : "Requires a description."
    case "custom": {
      const parsed = parseMergeExpression(rule.expression)
      return Result.isSuccess(parsed) && evaluateNamed(parsed.success, on.names)
        ? undefined
        : `Requires that this expression is true: ${rule.expression}`
    }
  }
}

/** Returns the rules that prevent a merge, in their order: none if the actor can bypass them. */
export const failingMergeRules = (
  rules: ReadonlyArray<MergeRule>,
  on: MergeRulesSubject
): ReadonlyArray<FailingMergeRule> => {
  if (rules.some((rule) => rule.rule === "allow_bypass" && rule.users.includes(on.actor))) return []
  return rules.flatMap((rule) => {
    const message = failureOf(rule, on)
    if (message === undefined) return []
    return [{ rule: rule.rule, message, ...(rule.rule === "custom" ? { expression: rule.expression } : {}) }]
  })
}
