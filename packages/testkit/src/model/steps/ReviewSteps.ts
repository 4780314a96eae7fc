/** Steps on reviews: submit one, request them, and set merge rules. */
import assert from "node:assert/strict"
import { type ActorChoice, choose, nth, nthOf } from "../definition/choices.ts"
import {
  asUserWho,
  asUserWithRole,
  defineStep,
  errorTagOf,
  type Feature,
  type Observer,
  type StepContext,
  selectFocused
} from "../definition/Step.ts"
import { expressions, type Rule, type Rules, toMergeRules } from "../state/ReviewModel.ts"
import { hasRole, spacesOf } from "../state/WorkspaceModel.ts"
import { isClosed, type RequestChoice, requestChoice, requestError, resolveRequest } from "./ContentSteps.ts"
import { readAllPages } from "./TreeCompare.ts"

interface Submitting {
  readonly request: RequestChoice
  readonly status: "approved" | "changes-requested"
  readonly comment: "none" | "short" | "blank"
}

const bodies = { none: undefined, short: "Words.", blank: "  " }

const submitReview = async (from: StepContext, given: Submitting & ActorChoice): Promise<void> => {
  const chosen = resolveRequest(from.model, given.request)
  if (chosen === undefined) return
  const { space, request, ref } = chosen
  const context = asUserWithRole(from, given, "review", space)
  const markdown = bodies[given.comment]
  const input = { status: given.status, ...(markdown === undefined ? {} : { comment: { markdown } }) }
  const expectedError =
    requestError(context, space, request, "review", "review") ??
    (given.comment === "blank" ? "InvalidInput" : undefined) ??
    (isClosed(request!) ? "Conflict" : undefined)
  const value = (await context.expect(["reviews", "submit", [space.id, ref, input]], expectedError)) as {
    readonly id: string
    readonly requestedBy?: { readonly id: string }
    readonly comment?: { readonly id: string }
  }
  if (expectedError !== undefined || request === undefined) return
  const { user } = context
  assert.equal(value.requestedBy?.id, request.requested.find((one) => one.user === user)?.by)
  request.requested = request.requested.filter((one) => one.user !== user)
  for (const review of request.reviews) review.isOutdated ||= review.by === user
  request.reviews.push({
    id: value.id,
    by: user,
    status: given.status,
    revision: request.revision,
    isOutdated: false
  })
  assert.equal(value.comment === undefined, markdown === undefined)
  if (markdown === undefined) return
  request.threads.push({
    id: value.comment!.id,
    by: user,
    text: markdown,
    isEdited: false,
    reactions: [],
    resolvedBy: undefined,
    page: undefined,
    revision: request.revision,
    replies: []
  })
}

interface Requesting {
  readonly request: RequestChoice
  readonly reviewers: "none" | "one" | "all who can"
  readonly reviewer: number
  readonly subject: "same" | "other"
}

const requestReviews = async (from: StepContext, given: Requesting & ActorChoice): Promise<void> => {
  const chosen = resolveRequest(from.model, given.request)
  if (chosen === undefined) return
  const { space, request, ref } = chosen
  const context = asUserWithRole(from, given, "review", space)
  const { model, actors } = context
  const canReview = (user: string) => hasRole(model.roleOn(user, space), "review") && user !== request?.by
  const users =
    given.reviewers === "none"
      ? []
      : given.reviewers === "one"
        ? [nthOf(actors.users, given.reviewer)!]
        : actors.users.filter(canReview)
  const input = { users, ...(given.subject === "same" ? {} : { subject: "Reviewed" }) }
  const expectedError =
    requestError(context, space, request, "edit", "review") ??
    (users.every(canReview) ? undefined : "InvalidInput") ??
    (isClosed(request!) ? "Conflict" : undefined)
  await context.expect(["reviews", "request", [space.id, ref, input]], expectedError)
  if (expectedError !== undefined || request === undefined) return
  if (given.subject === "other") request.subject = "Reviewed"
  for (const review of request.reviews) review.isOutdated ||= users.includes(review.by)
  request.requested = [
    ...request.requested.filter(({ user }) => !users.includes(user)),
    ...users.map((user) => ({ user, by: context.user }))
  ]
}

interface Withdrawing {
  readonly request: RequestChoice
  readonly reviewer: number
}

const withdrawRequest = async (from: StepContext, given: Withdrawing & ActorChoice): Promise<void> => {
  const chosen = resolveRequest(from.model, given.request)
  if (chosen === undefined) return
  const { space, request, ref } = chosen
  const context = asUserWithRole(from, given, "review", space)
  const user = nthOf(
    request === undefined || request.requested.length === 0
      ? context.actors.users
      : request.requested.map((one) => one.user),
    given.reviewer
  )!
  const expectedError =
    requestError(context, space, request, "edit", "review") ??
    (request!.requested.some((one) => one.user === user) ? undefined : "NotFound")
  await context.expect(["reviews", "removeRequested", [space.id, ref, user]], expectedError)
  if (expectedError !== undefined || request === undefined) return
  request.requested = request.requested.filter((one) => one.user !== user)
}

const kinds = {
  none: 2,
  inherit: 2,
  require_specific_reviewers: 1,
  require_one_of_specific_reviewers: 2,
  require_at_least_one_review: 2,
  require_all_reviews_approved: 2,
  require_agent_review: 1,
  require_up_to_date_change_request: 1,
  require_change_request_subject: 1,
  require_change_request_description: 1,
  custom: 4
}
interface RuleSetting {
  readonly target: "organization" | "space" | "changeRequest"
  readonly request: RequestChoice
  readonly kind: keyof typeof kinds
  readonly also: "nothing" | "bypass" | "approved"
  readonly of: number
}

const rulesOf = ({ kind, also, of }: RuleSetting, users: ReadonlyArray<string>): Rules => {
  if (kind === "none" || kind === "inherit") return kind
  const some = [nthOf(users, of)!, nthOf(users, of + 1)!]
  const rule: Rule =
    kind === "custom"
      ? { rule: kind, expression: nthOf(Object.keys(expressions), of)! }
      : kind.endsWith("specific_reviewers")
        ? { rule: kind, users: some }
        : { rule: kind }
  const others: Record<RuleSetting["also"], ReadonlyArray<Rule>> = {
    nothing: [],
    bypass: [{ rule: "allow_bypass", users: [nthOf(users, of + 2)!] }],
    approved: [{ rule: "require_all_reviews_approved" }]
  }
  return [rule, ...others[also]]
}

const setMergeRules = async (from: StepContext, given: RuleSetting & ActorChoice): Promise<void> => {
  const { actors, model } = from
  const rules = rulesOf(given, actors.users)
  const input = { mergeRules: toMergeRules(rules) }
  if (given.target === "organization") {
    const organization = nthOf(actors.organizations, given.of)!
    const context = asUserWho(from, given, (user) => model.roleIn(user, organization) === "admin")
    const expectedError =
      model.membershipError(context.user, organization, "admin") ??
      (rules === "inherit" ? "InvalidInput" : undefined)
    await context.expect(["organizations", "update", [organization, input]], expectedError)
    if (expectedError === undefined) model.mergeRules.set(organization, rules)
    return
  }
  const chosen = resolveRequest(model, given.request)
  if (chosen === undefined) return
  const { space, state, request, ref } = chosen
  const context = asUserWithRole(from, given, "admin", space)
  if (given.target === "space") {
    const expectedError = model.accessError(context.user, space, "admin", "change")
    await context.expect(["spaces", "update", [space.id, input]], expectedError)
    if (expectedError === undefined) state.mergeRules = rules
    return
  }
  const expectedError =
    requestError(context, space, request, "edit", "review") ??
    (hasRole(model.roleOn(context.user, space), "admin") ? undefined : "Forbidden")
  await context.expect(["changeRequests", "update", [space.id, ref, input]], expectedError)
  if (expectedError === undefined) request!.mergeRules = rules
}

/** Compares the reviews and the requested reviewers of change requests with the model. */
const compareReviews = async ({ api, model, user, focus }: Observer): Promise<void> => {
  for (const space of selectFocused(spacesOf(model), focus)) {
    const expectedError = model.accessError(user, space, "read", "read")
    for (const request of selectFocused(model.spaceStates.get(space.id)!.changeRequests, focus)) {
      if (expectedError !== undefined) {
        assert.equal(
          errorTagOf(await api.call(user, ["reviews", "list", [space.id, request.id, {}]])),
          expectedError
        )
        continue
      }
      const listed = await readAllPages(api, user, (page) => [
        "reviews",
        "list",
        [space.id, request.id, page]
      ])
      assert.ok(typeof listed !== "string", `Listing reviews failed with ${String(listed)}.`)
      assert.deepEqual(
        listed.map((review) => {
          const { id, reviewer, status, revision, outdated } = review as unknown as {
            readonly id: string
            readonly reviewer: { readonly id: string }
            readonly status: string
            readonly revision: string
            readonly outdated: boolean
          }
          return { id, by: reviewer.id, status, revision, isOutdated: outdated }
        }),
        request.reviews.toReversed()
      )
      const outcome = await api.call(user, ["reviews", "listRequested", [space.id, request.id, {}]])
      assert.ok(outcome.ok)
      const { items } = outcome.value as {
        readonly items: ReadonlyArray<{ readonly user: { readonly id: string } }>
      }
      assert.deepEqual(
        items.map((item) => item.user.id).toSorted(),
        request.requested.map((one) => one.user).toSorted()
      )
    }
  }
}

/** The feature of reviews. */
export const reviews: Feature = {
  steps: {
    submitReview: defineStep<Submitting>({
      weight: 5,
      choices: {
        request: requestChoice,
        status: choose({ approved: 3, "changes-requested": 1 }),
        comment: choose({ none: 3, short: 2, blank: 1 })
      },
      run: submitReview
    }),
    requestReviews: defineStep<Requesting>({
      weight: 3,
      choices: {
        request: requestChoice,
        reviewers: choose({ none: 1, one: 2, "all who can": 3 }),
        reviewer: nth,
        subject: choose({ same: 3, other: 1 })
      },
      run: requestReviews
    }),
    withdrawRequest: defineStep<Withdrawing>({
      weight: 1,
      choices: { request: requestChoice, reviewer: nth },
      run: withdrawRequest
    }),
    setMergeRules: defineStep<RuleSetting>({
      weight: 3,
      choices: {
        target: choose({ organization: 2, space: 3, changeRequest: 2 }),
        request: requestChoice,
        kind: choose(kinds),
        also: choose({ nothing: 3, bypass: 1, approved: 1 }),
        of: nth
      },
      run: setMergeRules
    })
  },
  compare: compareReviews
}
