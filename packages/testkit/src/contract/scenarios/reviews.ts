/** Change requests are reviewed, and merge rules decide whether they can be merged. */
import type {
  ChangeRequest,
  ChangeRequestReview,
  MergeResult,
  Organization,
  Page,
  RequestedReviewer,
  RequestedReviewers,
  Space,
  UserContributor
} from "@lectern/core"
import { expect } from "vitest"
import type { Person } from "../Person.ts"
import type { ContractScenario } from "../Scenario.ts"
import { documentOf, idsOf } from "./helpers.ts"

/** Returns a description without the fields that documents may omit. */
const descriptionOf = (text: string) => ({
  object: "document",
  data: {},
  nodes: [
    {
      object: "block",
      type: "paragraph",
      nodes: [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }]
    }
  ]
})

/** Merge rules of all kinds. Bob can bypass them. */
const rulesFor = (ada: Person, bob: Person) => ({
  mergeRules: {
    type: "rules",
    rules: [
      { rule: "require_specific_reviewers", users: [ada.id] },
      { rule: "require_one_of_specific_reviewers", users: [ada.id, bob.id] },
      { rule: "require_at_least_one_review" },
      { rule: "require_all_reviews_approved" },
      { rule: "require_up_to_date_change_request" },
      { rule: "require_change_request_subject" },
      { rule: "require_change_request_description" },
      {
        rule: "custom",
        expression:
          "reviews.some(review => review.status == 'approved' && review.reviewer.id != changeRequest.createdBy.id) && space.title == 'Reviewed' && actor.email.includes('@')"
      },
      { rule: "allow_bypass", users: [bob.id] }
    ]
  }
})

/** The rules of organizations, spaces and change requests, which inherit them. */
export const mergeRules: ContractScenario = {
  title: "merge rules are inherited from the space and the organization",
  run: async ({ ada, bob, other }) => {
    const organization = { organizationId: other.id }
    const space = await ada.call<Space>("createSpace", organization, { body: { title: "Ruled" } })
    expect([space.mergeRules, other.mergeRules]).toEqual([{ type: "inherit" }, { type: "none" }])
    const at = { spaceId: space.id }
    const created = await ada.call<ChangeRequest>("createChangeRequest", at)
    expect(created.mergeRules).toEqual({ type: "inherit" })
    const proposed = { ...at, changeRequestId: created.id }

    const all = rulesFor(ada, bob)
    expect(await ada.call<Organization>("updateOrganizationById", organization, { body: all })).toMatchObject(
      all
    )
    await ada.expectError(409, "mergeChangeRequest", proposed)
    const none = { mergeRules: { type: "none" } }
    expect(await ada.call<Space>("updateSpaceById", at, { body: all })).toMatchObject(all)
    await ada.call("updateOrganizationById", organization, { body: none })
    await ada.expectError(409, "mergeChangeRequest", proposed)
    const inherit = { mergeRules: { type: "inherit" } }
    expect(await ada.call<ChangeRequest>("updateChangeRequestById", proposed, { body: all })).toMatchObject(
      all
    )
    await ada.call("updateSpaceById", at, { body: inherit })
    await ada.expectError(409, "mergeChangeRequest", proposed)
    const description = descriptionOf("Adds a page.")
    const open = { ...inherit, status: "open", subject: "Add a page", description }
    expect(
      (await ada.call<ChangeRequest>("updateChangeRequestById", proposed, { body: open })).description
    ).toBeDefined()
    expect((await ada.call<MergeResult>("mergeChangeRequest", proposed)).result).toBe("merge")
  }
}

export const reviews: ContractScenario = {
  title: "a change request is reviewed, and merged when its merge rules pass",
  requires: ["reviews"],
  run: async ({ ada, bob, acme, tag }) => {
    const space = await ada.call<Space>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Reviewed" } }
    )
    const at = { spaceId: space.id }
    const created = await bob.call<ChangeRequest>("createChangeRequest", at)
    const proposed = { ...at, changeRequestId: created.id }
    await bob.call("updateChangeRequestContent", proposed, {
      body: { changes: [{ operation: "insert_page", title: "New", document: { markdown: "New." } }] }
    })
    await bob.call("postCommentInChangeRequest", proposed, { body: { body: { markdown: "Please review." } } })

    await ada.call("updateSpaceById", at, { body: rulesFor(ada, bob) })
    const failingRules = async () => {
      const { reason, failingRules } = await ada.expectFailure(409, "mergeChangeRequest", proposed)
      expect(reason).toBe("MergeRulesFailing")
      return (failingRules as ReadonlyArray<{ readonly rule: string }>).map(({ rule }) => rule)
    }
    expect(await failingRules()).toEqual([
      "require_specific_reviewers",
      "require_one_of_specific_reviewers",
      "require_at_least_one_review",
      "require_change_request_subject",
      "require_change_request_description",
      "custom"
    ])

    // Bob requests a review, which Ada submits.
    const description = descriptionOf("Adds a page.")
    const { users } = await ada.call<{ users: ReadonlyArray<string> }>(
      "inviteUsersToOrganization",
      { organizationId: acme.id },
      { body: { emails: [`reviewer@${tag}.example.com`], role: "review" } }
    )
    const reviewer = users[0]!
    const requested = await bob.call<RequestedReviewers>("requestReviewersForChangeRequest", proposed, {
      body: { users: [ada.id, reviewer], subject: "Add a page", description }
    })
    expect(requested.users.map(({ user, requestedBy }) => [user.id, requestedBy.id])).toEqual([
      [ada.id, bob.id],
      [reviewer, bob.id]
    ])
    expect((await bob.call<ChangeRequest>("getChangeRequestById", proposed)).description).toBeDefined()
    const listRequested = async () =>
      (await bob.call<Page<RequestedReviewer>>("getRequestedReviewersByChangeRequestId", proposed)).items.map(
        ({ user }) => user.id
      )
    expect((await listRequested()).toSorted()).toEqual([ada.id, reviewer].toSorted())
    await bob.call("removeRequestedReviewerFromChangeRequest", { ...proposed, userId: ada.id })
    await bob.expectError(404, "removeRequestedReviewerFromChangeRequest", { ...proposed, userId: ada.id })
    await bob.call("removeRequestedReviewerFromChangeRequest", { ...proposed, userId: reviewer })
    await bob.call("requestReviewersForChangeRequest", proposed, { body: { users: [ada.id] } })
    await bob.expectError(403, "submitChangeRequestReview", proposed, { body: { status: "approved" } })
    const first = await ada.call<ChangeRequestReview>("submitChangeRequestReview", proposed, {
      body: { status: "changes-requested", comment: { markdown: "Which page?" } }
    })
    expect(first).toMatchObject({
      reviewer: { id: ada.id },
      requestedBy: { id: bob.id },
      outdated: false,
      comment: { body: { markdown: "Which page?" }, target: { review: first.id } }
    })
    expect(await listRequested()).toEqual([])
    expect(await failingRules()).toEqual([
      "require_specific_reviewers",
      "require_one_of_specific_reviewers",
      "require_all_reviews_approved",
      "custom"
    ])
    const second = await ada.call<ChangeRequestReview>("submitChangeRequestReview", proposed, {
      body: { status: "approved", comment: { document: documentOf("Fine.") } }
    })
    const one = { ...proposed, reviewId: first.id }
    const read = await bob.call<ChangeRequestReview>("getChangeRequestReviewById", one, {
      query: { format: "markdown" }
    })
    expect(read).toMatchObject({ id: first.id, comment: { body: { markdown: "Which page?" } } })
    await bob.expectError(404, "getChangeRequestReviewById", { ...one, reviewId: "missing" })
    const list = async (query: { readonly [name: string]: string | boolean }) =>
      idsOf(await bob.call<Page<ChangeRequestReview>>("getReviewsByChangeRequestId", proposed, { query }))
    expect(await list({ format: "document" })).toEqual([second.id, first.id])
    expect([await list({ outdated: true }), await list({ outdated: false })]).toEqual([
      [first.id],
      [second.id]
    ])
    const { items } = await ada.call<Page<UserContributor>>("getContributorsByChangeRequestId", proposed)
    expect(items.map(({ user, actionType, count }) => [user.id, actionType, count]).toSorted()).toEqual(
      [
        [ada.id, "comment", 2],
        [bob.id, "comment", 1],
        [bob.id, "edit", 1]
      ].toSorted()
    )

    await ada.call("updateChangeRequestById", proposed, { body: { status: "open" } })
    const another = await bob.call<ChangeRequest>("createChangeRequest", at)
    await bob.call(
      "updateChangeRequestById",
      { ...at, changeRequestId: another.id },
      { body: { status: "open" } }
    )
    const inOrganization = async (query: { readonly [name: string]: string | boolean }) =>
      idsOf(
        await bob.call<Page<ChangeRequest>>(
          "listChangeRequestsForOrganization",
          { organizationId: acme.id },
          { query }
        )
      )
    expect(await inOrganization({ creator: bob.id, contributor: bob.id })).toContain(created.id)
    expect(await inOrganization({ status: "archived" })).not.toContain(created.id)
    expect((await ada.call<MergeResult>("mergeChangeRequest", proposed)).result).toBe("merge")
    await ada.expectError(409, "submitChangeRequestReview", proposed, { body: { status: "approved" } })
    await bob.expectError(409, "requestReviewersForChangeRequest", proposed, { body: { users: [ada.id] } })
  }
}
