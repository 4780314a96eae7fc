/** Damage that is done to collections and spaces, change requests and comments. */
import { emptyRoot } from "@lectern/core/content"
import { Effect } from "effect"
import { addLike, type Damage, drop, find, nothing, set } from "./tools.ts"

export const all: ReadonlyArray<Damage> = [
  { check: "readable", done: () => set("comments", { status: "open" }, { mentions: 5 }) },
  {
    check: "collection-cycle",
    done: ({ shelf, box }) => set("collections", { id: shelf }, { parent: box, position: "zz" })
  },
  {
    check: "collection-depth",
    done: ({ box, shelf }) =>
      Effect.gen(function* () {
        let [parent, path] = [box, `/${shelf}/${box}/`]
        for (let depth = 3; depth <= 9; depth++) {
          yield* addLike("collections", { id: box }, { id: `deep${depth}`, position: "zz", parent, path })
          parent = `deep${depth}`
          path += `${parent}/`
        }
      })
  },
  {
    check: "parent-organization",
    done: ({ box, elsewhere }) =>
      addLike("collections", { id: box }, { id: "x", organization: elsewhere, position: "zz" })
  },
  {
    check: "parent-organization",
    done: ({ other, elsewhere, flat }) =>
      Effect.andThen(
        Effect.andThen(drop("siteSpaces", { site: flat }), drop("siteSpaces", { space: other })),
        set("spaces", { id: other }, { organization: elsewhere })
      ),
    also: ["site-defaults", "space-published"]
  },
  { check: "placement", done: ({ shelf }) => set("collections", { id: shelf }, { path: "/x/" }) },
  { check: "placement", done: ({ box }) => set("collections", { id: box }, { level: "admin" }) },
  { check: "placement", done: ({ other }) => set("spaces", { id: other }, { path: "/" }) },
  {
    check: "order",
    done: ({ space, other }) =>
      Effect.flatMap(find("spaces", { id: space }), ([row]) =>
        set("spaces", { id: other }, { position: row!.position })
      )
  },
  {
    check: "order",
    done: ({ shelf, organization }) =>
      Effect.flatMap(find("spaces", { organization, parent: null }), ([row]) =>
        set("collections", { id: shelf }, { position: row!.position })
      )
  },
  {
    check: "space-revision",
    done: ({ space, other }) =>
      Effect.flatMap(find("spaces", { id: space }), ([row]) =>
        set("spaces", { id: other }, { revision: row!.revision })
      )
  },
  { check: "space-revision", done: ({ other }) => set("spaces", { id: other }, { revision: nothing }) },
  { check: "space-comments", done: ({ space }) => set("spaces", { id: space }, { comments: 7 }) },
  {
    check: "space-change-requests",
    done: ({ space }) => set("spaces", { id: space }, { changeRequestsOpen: 7 })
  },
  {
    check: "space-change-requests",
    done: ({ space }) => set("spaces", { id: space }, { changeRequestsDraft: 0 })
  },
  {
    check: "change-request-counter",
    done: ({ space }) => set("spaces", { id: space }, { changeRequests: 3 })
  },
  {
    check: "change-request-gaps",
    done: ({ space }) => set("spaces", { id: space }, { changeRequests: 9 })
  },
  { check: "space-published", done: ({ space }) => set("spaces", { id: space }, { published: null }) },
  {
    check: "space-published",
    done: ({ copy }) => set("spaces", { id: copy }, { published: { visibility: "public", url: "/sites/x/" } })
  },
  {
    check: "change-request-revisions",
    done: ({ other }) =>
      Effect.flatMap(find("spaces", { id: other }), ([row]) =>
        set("changeRequests", { number: 4 }, { revisionInitial: row!.revision })
      )
  },
  {
    check: "change-request-revisions",
    done: () => set("changeRequests", { number: 4 }, { revision: nothing })
  },
  {
    check: "change-request-merged",
    done: () => set("changeRequests", { number: 1 }, { status: "archived" })
  },
  {
    check: "change-request-merged",
    done: () => set("changeRequests", { number: 3 }, { status: "merged" })
  },
  { check: "change-request-comments", done: () => set("changeRequests", { number: 2 }, { comments: 0 }) },
  {
    check: "change-request-contributors",
    done: () =>
      Effect.flatMap(find("changeRequests", { number: 2 }), ([row]) =>
        drop("changeRequestContributors", { changeRequest: row!.id })
      )
  },
  { check: "revision-type", done: () => set("revisions", { type: "update" }, { type: "merge" }) },
  { check: "revision-parents", done: () => set("revisions", { type: "update" }, { parents: [nothing] }) },
  {
    check: "revision-origin",
    done: ({ other }) =>
      Effect.flatMap(find("changeRequests", { number: 4 }), ([row]) =>
        addLike("revisions", { space: other }, { id: "x", changeRequest: row!.id, author: null })
      )
  },
  {
    check: "revision-merged",
    done: ({ space }) =>
      Effect.flatMap(find("changeRequests", { number: 2 }), ([row]) =>
        addLike(
          "revisions",
          { space },
          { id: "x", mergedFrom: row!.id, type: "merge", parents: [], root: emptyRoot }
        )
      )
  },
  { check: "revision-author", done: ({ space }) => set("revisions", { space }, { author: nothing }) },
  {
    check: "comment-subject",
    done: ({ other }) => set("comments", { status: "resolved" }, { subject: other })
  },
  { check: "comment-revision", done: () => set("comments", { status: "open" }, { revision: nothing }) },
  { check: "comment-page", done: () => set("comments", { status: "open" }, { page: nothing }) },
  {
    check: "comment-page",
    done: () =>
      set("comments", { status: "open" }, (row) => ({
        page: nothing,
        target: { ...(row.target as object), page: nothing }
      }))
  },
  {
    check: "comment-resolution",
    done: () => set("comments", { status: "resolved" }, { resolvedBy: null })
  },
  {
    check: "comment-resolution",
    done: () => set("comments", { status: "resolved" }, { resolvedBy: nothing })
  },
  { check: "comment-replies", done: () => set("comments", { status: "open" }, { replies: 0 }) },
  { check: "comment-mentions", done: () => set("comments", { status: "open" }, { mentions: [nothing] }) },
  { check: "comment-mentions", done: () => set("commentReplies", {}, { mentions: [nothing] }) },
  { check: "reaction-target", done: () => addLike("commentReactions", {}, { target: nothing, id: "x" }) }
]
