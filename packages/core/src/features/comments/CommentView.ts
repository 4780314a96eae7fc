/** Converts rows of comments and replies to resources, with their authors, reactions and current page. */
import { Effect } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import {
  type Comment,
  type CommentOptions,
  type CommentReactionRow,
  type CommentReply,
  type CommentReplyRow,
  type CommentRow,
  commentReactions,
  type Reaction,
  type TargetPage
} from "../../model/comments/Comment.ts"
import { permissionsOf, stateOf } from "../../model/comments/CommentRules.ts"
import type { UserId } from "../../model/users/User.ts"
import { presentUser, type UserRow, users } from "../../model/users/User.ts"
import { fromMarkdown } from "../content/document/fromMarkdown.ts"
import type { Tree } from "../content/Tree.ts"
import type { Subject } from "./CommentTarget.ts"

/** The records that resources include beside their rows. */
interface Related {
  readonly users: ReadonlyMap<UserId, UserRow>
  readonly reactions: ReadonlyMap<string, ReadonlyArray<CommentReactionRow>>
}

/** A row with an author and a body. */
type Posted = CommentRow | CommentReplyRow

/** Loads the reactions to any number of rows, and all users involved, with two parallel queries. */
const findRelated = (
  records: GrantedReader,
  rows: ReadonlyArray<Posted>
): Effect.Effect<Related, StorageUnavailable> => {
  const ids = rows.map(({ id }) => id)
  const involved = rows.flatMap((row) =>
    "resolvedBy" in row && row.resolvedBy !== null ? [row.postedBy, row.resolvedBy] : [row.postedBy]
  )
  const ofRows = Where.isIn<CommentReactionRow, "target">("target", ids)
  return Effect.map(
    records.zipConcurrent(
      records.find(commentReactions, { where: ofRows, orderBy: ["id"] }),
      records.find(users, {
        where: Where.or<UserRow>(
          Where.isIn("id", [...new Set(involved)]),
          records.inSelect("id", commentReactions, "user", ofRows)
        )
      })
    ),
    ([reactions, found]) => ({
      users: new Map(found.map((user) => [user.id, user])),
      reactions: Map.groupBy(reactions, ({ target }) => target)
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
  subject: Subject,
  row: Posted,
  options: CommentOptions,
  related: Related
) => ({
  postedBy: presentUser(base, related.users.get(row.postedBy)!),
  postedAt: row.postedAt,
  ...(row.editedAt === null ? {} : { editedAt: row.editedAt }),
  reactions: reactionsOf(base, row.id, related),
  body: bodyOf(row.body, options),
  permissions: permissionsOf(subject.role, row.postedBy === subject.caller.user, subject.isClosed)
})

/** The current state of the page of a comment; its last known state if the page does not exist any more. */
const targetPage = Effect.fnUntraced(function* (
  tree: Tree,
  target: NonNullable<CommentRow["target"]>
): Effect.fn.Return<TargetPage, StorageUnavailable> {
  const page = yield* tree.page(target.page)
  if (page === undefined) return { id: target.page, title: target.title, path: target.path, outdated: true }
  const above = yield* tree.above(page)
  return {
    id: target.page,
    title: page.title,
    ...(page.emoji === undefined ? {} : { emoji: page.emoji }),
    ...(page.icon === undefined ? {} : { icon: page.icon }),
    createdAt: page.createdAt,
    updatedAt: page.updatedAt,
    path: [...above.map(({ page }) => page.slug).reverse(), page.slug].join("/"),
    outdated: stateOf(page) !== target.state
  }
})

/** Converts comments on a subject to resources. `content` is the current content; it runs only if one is on a page. */
export const presentComments = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  subject: Subject,
  content: Effect.Effect<Tree, StorageUnavailable>,
  rows: ReadonlyArray<CommentRow>,
  options: CommentOptions
): Effect.fn.Return<ReadonlyArray<Comment>, StorageUnavailable> {
  if (rows.length === 0) return []
  const isOnPage = rows.some(({ target }) => target !== null)
  const [related, tree] = yield* records.zipConcurrent(
    findRelated(records, rows),
    isOnPage ? content : Effect.succeed(undefined)
  )
  const presented: Array<Comment> = []
  for (const row of rows) {
    const { target } = row
    presented.push({
      object: "comment",
      id: row.id,
      ...commonFields(base, subject, row, options, related),
      replies: row.replies,
      target: {
        ...(target?.node === undefined
          ? {}
          : {
              node: {
                id: target.node,
                ...(target.preview === undefined ? {} : { preview: target.preview })
              }
            }),
        ...(target === null || tree === undefined ? {} : { page: yield* targetPage(tree, target) }),
        ...(row.changeRequest === null ? {} : { changeRequest: row.changeRequest }),
        space: row.space,
        revision: row.revision
      },
      status: row.status,
      ...(row.resolvedAt === null || row.resolvedBy === null
        ? {}
        : { resolvedAt: row.resolvedAt, resolvedBy: presentUser(base, related.users.get(row.resolvedBy)!) }),
      urls: { location: `${subject.location}/comments/${row.id}` }
    })
  }
  return presented
})

/** Converts replies to a comment to resources. */
export const presentReplies = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  subject: Subject,
  rows: ReadonlyArray<CommentReplyRow>,
  options: CommentOptions
): Effect.fn.Return<ReadonlyArray<CommentReply>, StorageUnavailable> {
  if (rows.length === 0) return []
  const related = yield* findRelated(records, rows)
  return rows.map((row) => ({
    object: "comment-reply",
    id: row.id,
    ...commonFields(base, subject, row, options, related),
    urls: { location: `${subject.location}/comments/${row.comment}/replies/${row.id}` }
  }))
})
