/** Corruption of collections, spaces, change requests and comments. */
import { emptyRoot } from "@lectern/core/content"
import { Effect } from "effect"
import { type CorruptionCase, deleteFirst, findRows, insertLike, missingId, updateFirst } from "./rows.ts"

export const spacesCases: ReadonlyArray<CorruptionCase> = [
  { check: "readable", corrupt: () => updateFirst("comments", { status: "open" }, { mentions: 5 }) },
  {
    check: "collection-cycle",
    corrupt: ({ collection, innerCollection }) =>
      updateFirst("collections", { id: collection }, { parent: innerCollection, position: "zz" })
  },
  {
    check: "collection-depth",
    corrupt: ({ innerCollection, collection }) =>
      Effect.gen(function* () {
        let [parent, path] = [innerCollection, `/${collection}/${innerCollection}/`]
        for (let depth = 3; depth <= 9; depth++) {
          yield* insertLike(
            "collections",
            { id: innerCollection },
            { id: `deep${depth}`, position: "zz", parent, path }
          )
          parent = `deep${depth}`
          path += `${parent}/`
        }
      })
  },
  {
    check: "parent-organization",
    corrupt: ({ innerCollection, otherOrganization }) =>
      insertLike(
        "collections",
        { id: innerCollection },
        { id: "x", organization: otherOrganization, position: "zz" }
      )
  },
  {
    check: "parent-organization",
    corrupt: ({ otherSpace, otherOrganization, flatSite }) =>
      Effect.andThen(
        Effect.andThen(
          deleteFirst("siteSpaces", { site: flatSite }),
          deleteFirst("siteSpaces", { space: otherSpace })
        ),
        updateFirst("spaces", { id: otherSpace }, { organization: otherOrganization })
      ),
    alsoReportedBy: ["organization-of-rows", "site-defaults", "space-published"]
  },
  {
    check: "placement",
    corrupt: ({ collection }) => updateFirst("collections", { id: collection }, { path: "/x/" })
  },
  {
    check: "placement",
    corrupt: ({ innerCollection }) => updateFirst("collections", { id: innerCollection }, { level: "admin" })
  },
  {
    check: "placement",
    corrupt: ({ otherSpace }) => updateFirst("spaces", { id: otherSpace }, { path: "/" })
  },
  {
    check: "order",
    corrupt: ({ space, otherSpace }) =>
      Effect.flatMap(findRows("spaces", { id: space }), ([row]) =>
        updateFirst("spaces", { id: otherSpace }, { position: row!.position })
      )
  },
  {
    check: "order",
    corrupt: ({ collection, organization }) =>
      Effect.flatMap(findRows("spaces", { organization, parent: null }), ([row]) =>
        updateFirst("collections", { id: collection }, { position: row!.position })
      )
  },
  {
    check: "space-revision",
    corrupt: ({ space, otherSpace }) =>
      Effect.flatMap(findRows("spaces", { id: space }), ([row]) =>
        updateFirst("spaces", { id: otherSpace }, { revision: row!.revision })
      )
  },
  {
    check: "space-revision",
    corrupt: ({ otherSpace }) => updateFirst("spaces", { id: otherSpace }, { revision: missingId })
  },
  { check: "space-comments", corrupt: ({ space }) => updateFirst("spaces", { id: space }, { comments: 7 }) },
  {
    check: "space-change-requests",
    corrupt: ({ space }) => updateFirst("spaces", { id: space }, { changeRequestsOpen: 7 })
  },
  {
    check: "space-change-requests",
    corrupt: ({ space }) => updateFirst("spaces", { id: space }, { changeRequestsDraft: 0 })
  },
  {
    check: "change-request-counter",
    corrupt: ({ space }) => updateFirst("spaces", { id: space }, { changeRequests: 3 })
  },
  {
    check: "change-request-gaps",
    corrupt: ({ space }) => updateFirst("spaces", { id: space }, { changeRequests: 9 })
  },
  {
    check: "space-published",
    corrupt: ({ space }) => updateFirst("spaces", { id: space }, { published: null })
  },
  {
    check: "space-published",
    corrupt: ({ copiedSpace }) =>
      updateFirst("spaces", { id: copiedSpace }, { published: { visibility: "public", url: "/sites/x/" } })
  },
  {
    check: "change-request-revisions",
    corrupt: ({ otherSpace }) =>
      Effect.flatMap(findRows("spaces", { id: otherSpace }), ([row]) =>
        updateFirst("changeRequests", { number: 4 }, { revisionInitial: row!.revision })
      )
  },
  {
    check: "change-request-revisions",
    corrupt: () => updateFirst("changeRequests", { number: 4 }, { revision: missingId })
  },
  {
    check: "change-request-merged",
    corrupt: () => updateFirst("changeRequests", { number: 1 }, { status: "archived" })
  },
  {
    check: "change-request-merged",
    corrupt: () => updateFirst("changeRequests", { number: 3 }, { status: "merged" })
  },
  {
    check: "change-request-comments",
    corrupt: () => updateFirst("changeRequests", { number: 2 }, { comments: 0 })
  },
  {
    check: "change-request-contributors",
    corrupt: () =>
      Effect.flatMap(findRows("changeRequests", { number: 2 }), ([row]) =>
        deleteFirst("changeRequestContributors", { changeRequest: row!.id })
      )
  },
  {
    check: "organization-of-rows",
    corrupt: ({ otherOrganization }) => updateFirst("commentReplies", {}, { organization: otherOrganization })
  },
  {
    check: "review-current",
    corrupt: () => insertLike("changeRequestReviews", {}, { id: "0" })
  },
  {
    check: "review-comment",
    corrupt: () =>
      Effect.flatMap(findRows("changeRequestReviews"), ([review]) =>
        updateFirst("comments", { changeRequest: null }, { review: review!.id })
      )
  },
  { check: "revision-type", corrupt: () => updateFirst("revisions", { type: "update" }, { type: "merge" }) },
  {
    check: "revision-parents",
    corrupt: () => updateFirst("revisions", { type: "update" }, { parents: [missingId] })
  },
  {
    check: "revision-origin",
    corrupt: ({ otherSpace }) =>
      Effect.flatMap(findRows("changeRequests", { number: 4 }), ([row]) =>
        insertLike("revisions", { space: otherSpace }, { id: "x", changeRequest: row!.id, author: null })
      )
  },
  {
    check: "revision-merged",
    corrupt: ({ space }) =>
      Effect.flatMap(findRows("changeRequests", { number: 2 }), ([row]) =>
        insertLike(
          "revisions",
          { space },
          { id: "x", mergedFrom: row!.id, type: "merge", parents: [], root: emptyRoot }
        )
      )
  },
  {
    check: "revision-author",
    corrupt: ({ space }) => updateFirst("revisions", { space }, { author: missingId })
  },
  {
    check: "comment-subject",
    corrupt: ({ otherSpace }) => updateFirst("comments", { status: "resolved" }, { subject: otherSpace })
  },
  {
    check: "comment-revision",
    corrupt: () => updateFirst("comments", { status: "open" }, { revision: missingId })
  },
  { check: "comment-page", corrupt: () => updateFirst("comments", { status: "open" }, { page: missingId }) },
  {
    check: "comment-page",
    corrupt: () =>
      updateFirst("comments", { status: "open" }, (row) => ({
        page: missingId,
        target: { ...(row.target as object), page: missingId }
      }))
  },
  {
    check: "comment-resolution",
    corrupt: () => updateFirst("comments", { status: "resolved" }, { resolvedBy: null })
  },
  {
    check: "comment-resolution",
    corrupt: () => updateFirst("comments", { status: "resolved" }, { resolvedBy: missingId })
  },
  { check: "comment-replies", corrupt: () => updateFirst("comments", { status: "open" }, { replies: 0 }) },
  {
    check: "comment-mentions",
    corrupt: () => updateFirst("comments", { status: "open" }, { mentions: [missingId] })
  },
  { check: "comment-mentions", corrupt: () => updateFirst("commentReplies", {}, { mentions: [missingId] }) },
  {
    check: "reaction-target",
    corrupt: () => insertLike("commentReactions", {}, { target: missingId, id: "x" })
  }
]
