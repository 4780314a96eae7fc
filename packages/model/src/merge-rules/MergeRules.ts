/** Merge rules: what a change request must satisfy before it can be merged. */

import * as Schema from "effect/Schema"
import { expressionText } from "../conditions/Condition.ts"
import { UserId } from "../users/User.ts"

/** The names that the expression of a custom rule can use. */
export const expressionNames = ["space", "changeRequest", "reviews", "actor"] as const

/** The expression of a custom rule, 1 to 1,024 characters. */
const MergeExpression = expressionText("merge-rule")

/** The maximum number of users of a rule. */
const maximumUsers = 100

const Users = Schema.Array(UserId).check(
  Schema.isMinLength(1, { message: "must be at least 1 user" }),
  Schema.isMaxLength(maximumUsers, { message: `must be at most ${maximumUsers} users` })
)

/** One rule. */
export type MergeRule =
  | {
      readonly rule: "require_specific_reviewers" | "require_one_of_specific_reviewers" | "allow_bypass"
      readonly users: ReadonlyArray<UserId>
    }
  | {
      readonly rule:
        | "require_at_least_one_review"
        | "require_all_reviews_approved"
        | "require_agent_review"
        | "require_up_to_date_change_request"
        | "require_change_request_subject"
        | "require_change_request_description"
    }
  | { readonly rule: "custom"; readonly expression: string }
/** One rule. */
export const MergeRule: Schema.Codec<MergeRule, unknown> = Schema.Union([
  Schema.Struct({
    /**
     * `require_specific_reviewers`: all of the users have approved. `require_one_of_specific_reviewers`: at least one
     * of them has. `allow_bypass`: they can merge although other rules fail.
     */
    rule: Schema.Literals([
      "require_specific_reviewers",
      "require_one_of_specific_reviewers",
      "allow_bypass"
    ]),
    /** The ids of 1 to 100 users. */
    users: Users
  }),
  Schema.Struct({
    /**
     * `require_at_least_one_review`: there is a review. `require_all_reviews_approved`: no review requests changes, and
     * no requested review is missing. `require_agent_review`: an agent has reviewed, which fails because the workspace
     * has no agents. `require_up_to_date_change_request`: the change request is not outdated.
     * `require_change_request_subject` and `require_change_request_description`: it has one. Reviews that are outdated,
     * or of the user who created the change request, do not count.
     */
    rule: Schema.Literals([
      "require_at_least_one_review",
      "require_all_reviews_approved",
      "require_agent_review",
      "require_up_to_date_change_request",
      "require_change_request_subject",
      "require_change_request_description"
    ])
  }),
  Schema.Struct({
    /** `custom`: the expression is true. */
    rule: Schema.Literal("custom"),
    /**
     * An expression over `space`, `changeRequest`, `reviews` and `actor`, the user who merges, in their shapes of this
     * API: 1 to 1,024 characters.
     */
    expression: MergeExpression
  })
]).annotate({ identifier: "MergeRule" })
/** The maximum number of rules. */
const maximumRules = 50

const Rules = Schema.Struct({
  /** The source of the rules: `rules`, the ones listed here. */
  type: Schema.Literal("rules"),
  /** The rules, at most 50, which must all pass. */
  rules: Schema.Array(MergeRule).check(
    Schema.isMaxLength(maximumRules, { message: `must be at most ${maximumRules} rules` })
  )
})

const NoRules = Schema.Struct({
  /** The source of the rules: `none`, change requests are merged without rules. */
  type: Schema.Literal("none")
})

/** The merge rules of an organization. */
export type StandaloneMergeRules =
  | { readonly type: "rules"; readonly rules: ReadonlyArray<MergeRule> }
  | { readonly type: "none" }
/** The merge rules of an organization. */
export const StandaloneMergeRules: Schema.Codec<StandaloneMergeRules, unknown> = Schema.Union([
  Rules,
  NoRules
]).annotate({
  identifier: "StandaloneMergeRules"
})

/** The merge rules of a space or of a change request. */
export type MergeRules = { readonly type: "inherit" } | StandaloneMergeRules
/** The merge rules of a space or of a change request. */
export const MergeRules: Schema.Codec<MergeRules, unknown> = Schema.Union([
  Schema.Struct({
    /** The source of the rules: `inherit`, a space from its organization, a change request from its space. */
    type: Schema.Literal("inherit")
  }),
  Rules,
  NoRules
]).annotate({ identifier: "MergeRules" })
