/** The model of reviews and merge rules. */
import type { ChangeRequest, SpaceState } from "./SpaceState.ts"
import { mergeBaseOf } from "./SpaceState.ts"
import type { WorkspaceModel } from "./WorkspaceModel.ts"

/** A review of a change request. */
export interface Review {
  readonly id: string
  /** The id of the reviewer. */
  readonly by: string
  readonly status: "approved" | "changes-requested"
  /** The revision that was reviewed. */
  readonly revision: string
  /** Whether a later review or request supersedes it. */
  isOutdated: boolean
}

/** A merge rule, as the operations accept it. */
export interface Rule {
  readonly rule: string
  readonly users?: ReadonlyArray<string>
  readonly expression?: string
}

/** The merge rules of an organization, a space or a change request. */
export type Rules = "inherit" | "none" | ReadonlyArray<Rule>

/** The expressions of custom rules, with their meaning. */
export const expressions: Readonly<
  Record<string, (request: ChangeRequest, reviews: ReadonlyArray<Review>) => boolean>
> = {
  "reviews.filter(review => review.status == 'approved').length >= 2": (_, reviews) =>
    reviews.filter(({ status }) => status === "approved").length >= 2,
  "reviews.every(review => review.revision == changeRequest.revision)": (request, reviews) =>
    reviews.every(({ revision }) => revision === request.revision),
  "changeRequest.subject.startsWith('Re') && !reviews.some(review => review.outdated)": (request, reviews) =>
    request.subject.startsWith("Re") && !reviews.some(({ isOutdated }) => isOutdated),
  "changeRequest.missing.name == 1": () => false
}

/** Returns the rules in the shape of the API. */
export const toMergeRules = (rules: Rules): unknown =>
  typeof rules === "string" ? { type: rules } : { type: "rules", rules }

/** Whether a user can merge a change request by its rules. */
export const canMergeByRules = (
  model: WorkspaceModel,
  organization: string,
  state: SpaceState,
  request: ChangeRequest,
  actor: string
): boolean => {
  const [rules] = [request.mergeRules, state.mergeRules, model.mergeRules.get(organization) ?? "none"].filter(
    (one) => one !== "inherit"
  )
  if (rules === undefined || typeof rules === "string") return true
  const foreign = request.reviews.filter(({ by }) => by !== request.by)
  const current = foreign.filter(({ isOutdated }) => !isOutdated)
  const hasApproved = (user: string) => current.some(({ by, status }) => by === user && status === "approved")
  const passes = ({ rule, users = [], expression = "" }: Rule): boolean => {
    switch (rule) {
      case "require_specific_reviewers":
        return users.every(hasApproved)
      case "require_one_of_specific_reviewers":
        return users.some(hasApproved)
      case "require_at_least_one_review":
        return current.length > 0
      case "require_all_reviews_approved":
        return current.every(({ status }) => status === "approved") && request.requested.length === 0
      case "require_up_to_date_change_request":
        return mergeBaseOf(request) === state.revision
      case "require_change_request_subject":
        return request.subject !== ""
      case "require_change_request_description":
        return request.hasDescription
      case "custom":
        return expressions[expression]!(request, foreign)
      case "allow_bypass":
        return true
      default:
        return false
    }
  }
  const canBypass = rules.some(
    ({ rule, users }) => rule === "allow_bypass" && users?.includes(actor) === true
  )
  return canBypass || rules.every(passes)
}
