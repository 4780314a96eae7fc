/** Converts rows of comments and replies to resources, with their authors, reactions and current page. */

import type { GrantedReader } from "@lectern/access"
import type { Tree } from "@lectern/content"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type CommentReactionRow,
  type CommentReplyRow,
  type CommentRow,
  commentReactions,
  commentReplies,
  permissionsOf,
  presentUser,
  repliersOf,
  stateOf,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { fromMarkdown } from "@lectern/markdown/document"
import type {
  Comment,
  CommentedPage,
  CommentOptions,
  CommentReply,
  Reaction,
  TargetPage
} from "@lectern/model/comments"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import type { CommentTarget } from "./CommentTargets.ts"

/** The related rows that resources include. */
interface Related {
  readonly users: ReadonlyMap<UserId, UserRow>
  readonly reactions: ReadonlyMap<string, ReadonlyArray<CommentReactionRow>>
  readonly replies: ReadonlyMap<string, ReadonlyArray<Pick<CommentReplyRow, "postedBy" | "postedAt">>>
}

/** The maximum number of replies that the repliers of a response are derived from: the newest. */
const maximumReplies = 1_000

/** A row with an author and a body. */
type Posted = CommentRow | CommentReplyRow

/** Loads the reactions to any number of rows, the replies to comments, and all users involved, with parallel queries. */
const loadRelated = (
  records: GrantedReader,
  rows: ReadonlyArray<Posted>
): Effect.Effect<Related, StorageUnavailable> => {
  const ids = rows.map(({ id }) => id)
  const involved = rows.flatMap((row) =>
    "resolvedBy" in row && row.resolvedBy !== null ? [row.postedBy, row.resolvedBy] : [row.postedBy]
  )
  const ofRows = Where.isIn<CommentReactionRow, "target">("target", ids)
  const replied = rows.flatMap((row) => ("replies" in row && row.replies > 0 ? [row.id] : []))
  const toRows = Where.isIn<CommentReplyRow, "comment">("comment", replied)
  const isInvolved = Where.or<UserRow>(
    Where.isIn("id", [...new Set(involved)]),
    records.inSelect("id", commentReactions, "user", ofRows)
  )
  return Effect.map(
    records.zipConcurrent(
      records.zipConcurrent(
        records.find(commentReactions, { where: ofRows, orderBy: ["id"] }),
        replied.length === 0
          ? Effect.succeed([])
          : records.find(commentReplies, {
              select: ["id", "comment", "postedBy", "postedAt"],
              where: toRows,
              orderBy: ["id"],
              direction: "desc",
              limit: maximumReplies
            })
      ),
      records.find(users, {
        where:
          replied.length === 0
            ? isInvolved
            : Where.or<UserRow>(isInvolved, records.inSelect("id", commentReplies, "postedBy", toRows))
      })
    ),
    ([[reactions, replies], found]) => ({
      users: new Map(found.map((user) => [user.id, user])),
      reactions: Map.groupBy(reactions, ({ target }) => target),
      replies: Map.groupBy(replies, ({ comment }) => comment)
    })
  )
}

/** The reactions to a comment, in the order of the first use of their emojis. */
const reactionsOf = (base: string, id: string, { users, reactions }: Related): ReadonlyArray<Reaction> => {
  const byEmoji = Map.groupBy(reactions.get(id) ?? [], ({ emoji }) => emoji)
  return Array.from(byEmoji, ([emoji, given]) => ({
    emoji,
    count: given.length,
    users: given.map(({ user, reactedAt }) => ({ user: presentUser(base, users.get(user)!), reactedAt }))
  }))
}

const bodyOf = (body: string, { format = "markdown" }: CommentOptions) =>
  format === "markdown" ? { markdown: body } : { document: fromMarkdown(body) }

const commonFields = (
  base: string,
  target: CommentTarget,
  row: Posted,
  options: CommentOptions,
  related: Related
) => ({
  postedBy: presentUser(base, related.users.get(row.postedBy)!),
  postedAt: row.postedAt,
  ...(row.editedAt === null ? {} : { editedAt: row.editedAt }),
  reactions: reactionsOf(base, row.id, related),
  body: bodyOf(row.body, options),
  permissions: permissionsOf(target.role, row.postedBy === target.caller.user, target.isClosed)
})

/** The current state of the page of a comment; its state at the time of the comment if the page was deleted. */
const toTargetPage = Effect.fnUntraced(function* (
  tree: Tree,
  commented: CommentedPage
): Effect.fn.Return<TargetPage, StorageUnavailable> {
  const page = yield* tree.page(commented.page)
  if (page === undefined) {
    return { id: commented.page, title: commented.title, path: commented.path, outdated: true }
  }
  const above = yield* tree.above(page)
  return {
    id: commented.page,
    title: page.title,
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    path: [...above.map(({ page }) => page.slug).reverse(), page.slug].join("/"),
    outdated: stateOf(page) !== commented.state
  }
})

/** Converts comments on a target to resources. `content` loads its current tree, and runs only if one is on a page. */
export const presentComments = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  target: CommentTarget,
  content: Effect.Effect<Tree, StorageUnavailable>,
  rows: ReadonlyArray<CommentRow>,
  options: CommentOptions
): Effect.fn.Return<ReadonlyArray<Comment>, StorageUnavailable> {
  if (rows.length === 0) return []
  const isOnPage = rows.some(({ target }) => target !== null)
  const [related, tree] = yield* records.zipConcurrent(
    loadRelated(records, rows),
    isOnPage ? content : Effect.succeed(undefined)
  )
  const presented: Array<Comment> = []
  for (const row of rows) {
    const { target: commented } = row
    presented.push({
      object: "comment",
      id: row.id,
      ...commonFields(base, target, row, options, related),
      replies: row.replies,
      repliers: repliersOf(related.replies.get(row.id) ?? []).flatMap(({ user: id, ...replier }) => {
        const user = related.users.get(id)
        return user === undefined ? [] : [{ user: presentUser(base, user), ...replier }]
      }),
      target: {
        ...(commented?.node === undefined
          ? {}
          : {
              node: {
                id: commented.node,
                ...(commented.preview === undefined ? {} : { preview: commented.preview })
              }
            }),
        ...(commented?.quote === undefined ? {} : { quote: commented.quote }),
        ...(commented === null || tree === undefined ? {} : { page: yield* toTargetPage(tree, commented) }),
        ...(row.changeRequest === null ? {} : { changeRequest: row.changeRequest }),
        ...(row.review === null ? {} : { review: row.review }),
        space: row.space,
        revision: row.revision
      },
      status: row.status,
      ...(row.resolvedAt === null || row.resolvedBy === null
        ? {}
        : { resolvedAt: row.resolvedAt, resolvedBy: presentUser(base, related.users.get(row.resolvedBy)!) }),
      urls: { location: `${target.location}/comments/${row.id}` }
    })
  }
  return presented
})

/** Converts replies to a comment to resources. */
export const presentReplies = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  target: CommentTarget,
  rows: ReadonlyArray<CommentReplyRow>,
  options: CommentOptions
): Effect.fn.Return<ReadonlyArray<CommentReply>, StorageUnavailable> {
  if (rows.length === 0) return []
  const related = yield* loadRelated(records, rows)
  return rows.map((row) => ({
    object: "comment-reply",
    id: row.id,
    ...commonFields(base, target, row, options, related),
    urls: { location: `${target.location}/comments/${row.comment}/replies/${row.id}` }
  }))
})
