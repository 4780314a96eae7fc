/** Comments and replies as callers see them: with who posted them, reactions, and their page as it is now. */
import { Effect } from "effect"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
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

/** What is shown beside the rows themselves. */
interface Around {
  readonly users: ReadonlyMap<UserId, UserRow>
  readonly reactions: ReadonlyMap<string, ReadonlyArray<CommentReactionRow>>
}

type Posted = CommentRow | CommentReplyRow

/** Two look-ups at once, for any number of rows: their reactions, and all users who are named. */
const around = (
  records: Records["Service"],
  rows: ReadonlyArray<Posted>
): Effect.Effect<Around, StorageUnavailable> => {
  const ids = rows.map(({ id }) => id)
  const named = rows.flatMap((row) =>
    "resolvedBy" in row && row.resolvedBy !== null ? [row.postedBy, row.resolvedBy] : [row.postedBy]
  )
  const ofRows = Where.isIn<CommentReactionRow, "target">("target", ids)
  return Effect.map(
    records.both(
      records.find(commentReactions, { where: ofRows, orderBy: ["id"] }),
      records.find(users, {
        where: Where.or<UserRow>(
          Where.isIn("id", [...new Set(named)]),
          Where.inSelect("id", commentReactions, "user", ofRows)
        )
      })
    ),
    ([reactions, found]) => ({
      users: new Map(found.map((user) => [user.id, user])),
      reactions: Map.groupBy(reactions, ({ target }) => target)
    })
  )
}

/** The reactions of a comment, in the order in which their emojis were first used. */
const reactionsOf = (base: string, id: string, { users, reactions }: Around): ReadonlyArray<Reaction> => {
  const byEmoji = Map.groupBy(reactions.get(id) ?? [], ({ emoji }) => emoji)
  return Array.from(byEmoji, ([emoji, all]) => ({
    emoji,
    count: all.length,
    users: all.map(({ user, reactedAt }) => ({ user: presentUser(base, users.get(user)!), reactedAt }))
  }))
}

const bodyOf = (body: string, { format = "markdown" }: CommentOptions) =>
  format === "markdown" ? { markdown: body } : { document: fromMarkdown(body) }

const common = (base: string, subject: Subject, row: Posted, options: CommentOptions, beside: Around) => ({
  postedBy: presentUser(base, beside.users.get(row.postedBy)!),
  postedAt: row.postedAt,
  ...(row.editedAt === null ? {} : { editedAt: row.editedAt }),
  reactions: reactionsOf(base, row.id, beside),
  body: bodyOf(row.body, options),
  permissions: permissionsOf(subject.role, row.postedBy === subject.caller.user, subject.isClosed)
})

/** The page of a comment as it is now; as it was then, where it is gone. */
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

/** Comments on a subject as resources. `content` is theirs as it is now: asked for where one is on a page. */
export const presentComments = Effect.fnUntraced(function* (
  records: Records["Service"],
  base: string,
  subject: Subject,
  content: Effect.Effect<Tree, StorageUnavailable>,
  rows: ReadonlyArray<CommentRow>,
  options: CommentOptions
): Effect.fn.Return<ReadonlyArray<Comment>, StorageUnavailable> {
  if (rows.length === 0) return []
  const isOnPage = rows.some(({ target }) => target !== null)
  const [beside, tree] = yield* records.both(
    around(records, rows),
    isOnPage ? content : Effect.succeed(undefined)
  )
  const all: Array<Comment> = []
  for (const row of rows) {
    const { target } = row
    all.push({
      object: "comment",
      id: row.id,
      ...common(base, subject, row, options, beside),
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
        : { resolvedAt: row.resolvedAt, resolvedBy: presentUser(base, beside.users.get(row.resolvedBy)!) }),
      urls: { location: `${subject.location}/comments/${row.id}` }
    })
  }
  return all
})

/** Replies to a comment as resources. */
export const presentReplies = Effect.fnUntraced(function* (
  records: Records["Service"],
  base: string,
  subject: Subject,
  rows: ReadonlyArray<CommentReplyRow>,
  options: CommentOptions
): Effect.fn.Return<ReadonlyArray<CommentReply>, StorageUnavailable> {
  if (rows.length === 0) return []
  const beside = yield* around(records, rows)
  return rows.map((row) => ({
    object: "comment-reply",
    id: row.id,
    ...common(base, subject, row, options, beside),
    urls: { location: `${subject.location}/comments/${row.comment}/replies/${row.id}` }
  }))
})
