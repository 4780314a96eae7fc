/**
 * The state of merge rules, as far as the reviews determine it. The server decides: a rule with an expression is `unknown` until the
 * preview of the merge is loaded.
 */
import type {
  ChangeRequest,
  ChangeRequestReview,
  FailingMergeRule,
  MergeRule,
  MergeRules,
  RequestedReviewer,
  StandaloneMergeRules
} from "@lectern/client/fetch"

/** The rules that apply to a change request: its own rules, the rules of the space, or the rules of the organization. */
export const effectiveRules = (
  request: MergeRules,
  space: MergeRules,
  organization: StandaloneMergeRules | undefined
): ReadonlyArray<MergeRule> => {
  const own = request.type === "inherit" ? space : request
  const effective = own.type === "inherit" ? organization : own
  return effective?.type === "rules" ? effective.rules : []
}

/** A rule that can prevent a merge. `allow_bypass` prevents none. */
type PreventingRule = Exclude<MergeRule["rule"], "allow_bypass">

/** A rule with its state. */
export interface RuleCheck {
  readonly rule: PreventingRule
  readonly state: "passed" | "missing" | "unknown"
  /** The ids of the people whose approval is missing. */
  readonly missing: ReadonlyArray<string>
  /** The expression of a rule `custom`. */
  readonly expression?: string
}

/** The state of a change request that its rules depend on. */
export interface RuleContext {
  readonly request: Pick<ChangeRequest, "subject" | "description" | "outdated" | "createdBy">
  readonly reviews: ReadonlyArray<Pick<ChangeRequestReview, "reviewer" | "status" | "outdated">>
  readonly requested: ReadonlyArray<Pick<RequestedReviewer, "user">>
}

const stateOf = (isPassed: boolean): RuleCheck["state"] => (isPassed ? "passed" : "missing")

const checkRule = (rule: MergeRule, { request, reviews, requested }: RuleContext): RuleCheck | undefined => {
  const current = reviews.filter(
    ({ outdated, reviewer }) => !outdated && reviewer.id !== request.createdBy.id
  )
  const approvers = new Set(
    current.flatMap(({ reviewer, status }) => (status === "approved" ? [reviewer.id] : []))
  )
  switch (rule.rule) {
    case "allow_bypass":
      return undefined
    case "require_specific_reviewers": {
      const missing = rule.users.filter((user) => !approvers.has(user))
      return { rule: rule.rule, state: stateOf(missing.length === 0), missing }
    }
    case "require_one_of_specific_reviewers": {
      const isPassed = rule.users.some((user) => approvers.has(user))
      return { rule: rule.rule, state: stateOf(isPassed), missing: isPassed ? [] : rule.users }
    }
    case "require_at_least_one_review":
      return { rule: rule.rule, state: stateOf(current.length > 0), missing: [] }
    case "require_all_reviews_approved": {
      const rejecting = current
        .filter(({ status }) => status !== "approved")
        .map(({ reviewer }) => reviewer.id)
      const missing = [...new Set([...requested.map(({ user }) => user.id), ...rejecting])]
      return { rule: rule.rule, state: stateOf(missing.length === 0), missing }
    }
    case "require_agent_review":
      return { rule: rule.rule, state: "missing", missing: [] }
    case "require_up_to_date_change_request":
      return { rule: rule.rule, state: stateOf(!request.outdated), missing: [] }
    case "require_change_request_subject":
      return { rule: rule.rule, state: stateOf(request.subject !== ""), missing: [] }
    case "require_change_request_description":
      return { rule: rule.rule, state: stateOf(request.description !== undefined), missing: [] }
    case "custom":
      return { rule: rule.rule, state: "unknown", missing: [], expression: rule.expression }
  }
}

/** Returns the rules that can prevent the merge of a change request, with their states, in their order. */
export const checkMergeRules = (
  rules: ReadonlyArray<MergeRule>,
  context: RuleContext
): ReadonlyArray<RuleCheck> =>
  rules.flatMap((rule) => {
    const check = checkRule(rule, context)
    return check === undefined ? [] : [check]
  })

/** Decides the rules with an expression by the rules that the server found to fail. Unless it did, nothing is decided. */
export const decideChecks = (
  checks: ReadonlyArray<RuleCheck>,
  failing: ReadonlyArray<FailingMergeRule> | undefined
): ReadonlyArray<RuleCheck> => {
  if (failing === undefined) return checks
  const expressions = new Set(failing.map(({ expression }) => expression))
  return checks.map((check) =>
    check.state === "unknown" ? { ...check, state: stateOf(!expressions.has(check.expression)) } : check
  )
}
