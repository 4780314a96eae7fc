/** A comment on a space or on a change request, and the replies to it: a thread. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { JsonDocument } from "../content/document/Document.ts"
import { PageId } from "../content/Page.ts"
import { RevisionId } from "../content/Revision.ts"
import { idSchema } from "../schema/Id.ts"
import { ListOrder, PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { User, UserId } from "../users/User.ts"

/** The id of a comment. */
export const CommentId = idSchema("The id of a comment.").pipe(Schema.brand("CommentId"))

/** The id of a comment. */
export type CommentId = string & Brand.Brand<"CommentId">

/** The id of a reply to a comment. */
export const CommentReplyId = idSchema("The id of a reply to a comment.").pipe(Schema.brand("CommentReplyId"))

/** The id of a reply to a comment. */
export type CommentReplyId = string & Brand.Brand<"CommentReplyId">

/** Whether a comment is resolved. */
export const CommentStatus = Schema.Literals(["open", "resolved"])

/** Whether a comment is open or resolved. */
export type CommentStatus = typeof CommentStatus.Type

/** A reaction with an emoji. */
export class Reaction extends resource<Reaction>()(
  Schema.Struct({
    /** The emoji. */
    emoji: Schema.String,
    /** The number of users who reacted with the emoji. */
    count: Schema.Int,
    /** The users who reacted with the emoji, in the order of their reactions. */
    users: Schema.Array(
      Schema.Struct({
        /** The user. */
        user: User,
        /** When the user reacted. */
        reactedAt: Timestamp
      })
    )
  })
) {}

/** The permissions of the caller on a comment or a reply. */
class CommentPermissions extends resource<CommentPermissions>()(
  Schema.Struct({
    /** Whether the caller can see the comment or the reply. */
    view: Schema.Boolean,
    /** Whether the caller can change the body, as its author. */
    edit: Schema.Boolean,
    /** Whether the caller can reply and react. */
    reply: Schema.Boolean,
    /** Whether the caller can delete the comment or the reply. */
    delete: Schema.Boolean
  })
) {}

const posted = {
  /** The author of the comment or the reply. */
  postedBy: User,
  /** When the comment or the reply was posted. */
  postedAt: Timestamp,
  /** When the body was last changed. Absent if it never was. */
  editedAt: Schema.optionalKey(Timestamp),
  /** The reactions, in the order of the first use of their emojis. */
  reactions: Schema.Array(Reaction),
  /** The text, in the requested format. */
  body: Schema.Struct({
    /** The text as markdown. Absent if the format `document` was requested. */
    markdown: Schema.optionalKey(Schema.String),
    /** The text as a document. Absent if the format `markdown` was requested. */
    document: Schema.optionalKey(JsonDocument)
  }),
  /** URLs of the comment or the reply. */
  urls: Schema.Struct({
    /** The URL of the comment or the reply in the API. */
    location: Schema.String
  }),
  /** The permissions of the caller on the comment or the reply. */
  permissions: CommentPermissions
}

/** The page that a comment is on. If the page no longer exists, its last known id, title and path. */
export class TargetPage extends resource<TargetPage>()(
  Schema.Struct({
    /** The id of the page. */
    id: PageId,
    /** The title of the page. */
    title: Schema.String,
    /** The emoji of the page. Absent if it is not set. */
    emoji: Schema.optionalKey(Schema.String),
    /** The icon of the page. Absent if it is not set. */
    icon: Schema.optionalKey(Schema.String),
    /** When the page was created. Absent if it no longer exists. */
    createdAt: Schema.optionalKey(Timestamp),
    /** When the page was last changed. Absent if it no longer exists. */
    updatedAt: Schema.optionalKey(Timestamp),
    /** The path of the page in the content: slugs joined by slashes. */
    path: Schema.String,
    /** Whether the page has changed since the comment was posted, or no longer exists. */
    outdated: Schema.Boolean
  })
) {}

/**
 * The text of a page that a comment is on, with the text around it. It is found again in the current text of the page after the
 * text has moved, or after other parts of the page have changed.
 */
export class CommentQuote extends resource<CommentQuote>()(
  Schema.Struct({
    /** The quoted text without marks, 1 to 1,000 characters. */
    text: text({ min: 1, max: 1_000 }),
    /** The text directly before it in its block, at most 100 characters. Absent at the edge of the block. */
    before: Schema.optionalKey(text({ max: 100 })),
    /** The text directly after it in its block, at most 100 characters. Absent at the edge of the block. */
    after: Schema.optionalKey(text({ max: 100 }))
  })
) {}

/** A user who has replied to a comment. */
export class CommentReplier extends resource<CommentReplier>()(
  Schema.Struct({
    /** The user. */
    user: User,
    /** The number of replies of the user. */
    count: Schema.Int,
    /** When the user last replied. */
    updatedAt: Timestamp
  }).annotate({ identifier: "CommentReplier" })
) {}

/** A comment on a space or on a change request. */
export class Comment extends resource<Comment>()(
  Schema.Struct({
    /** The type of the resource: always `comment`. */
    object: Schema.Literal("comment"),
    /** The id of the comment. */
    id: CommentId,
    ...posted,
    /** The number of replies to the comment. */
    replies: Schema.Int,
    /** The users who have replied, by their last reply, newest first: of the newest 1,000 replies to the comments of the response. */
    repliers: Schema.Array(CommentReplier),
    /** The target of the comment. */
    target: Schema.Struct({
      /** The node of the page's document that the comment is on. Absent if it is not on a node. */
      node: Schema.optionalKey(
        Schema.Struct({
          /** The key of the node. */
          id: Schema.String,
          /**
           * The text of the node when the comment was posted, at most 200 characters. Absent for a node without text.
           */
          preview: Schema.optionalKey(Schema.String)
        })
      ),
      /** The text that the comment is on. Absent if it is not on a part of the text. An extension of Lectern. */
      quote: Schema.optionalKey(CommentQuote),
      /** The page that the comment is on. Absent if it is on the content as a whole. */
      page: Schema.optionalKey(TargetPage),
      /** The id of the change request that the comment is on. Absent if it is on the space. */
      changeRequest: Schema.optionalKey(Schema.String),
      /** The id of the review that the comment was submitted with. Absent if it was not. */
      review: Schema.optionalKey(Schema.String),
      /** The space that the comment belongs to. */
      space: SpaceId,
      /** The revision of the content when the comment was posted. */
      revision: RevisionId
    }),
    /** Whether the comment is resolved. */
    status: CommentStatus,
    /** When the comment was resolved. Absent if it is open. */
    resolvedAt: Schema.optionalKey(Timestamp),
    /** The user who resolved the comment. Absent if it is open. */
    resolvedBy: Schema.optionalKey(User)
  }).annotate({ identifier: "Comment" })
) {}

/** A reply to a comment. */
export class CommentReply extends resource<CommentReply>()(
  Schema.Struct({
    /** The type of the resource: always `comment-reply`. */
    object: Schema.Literal("comment-reply"),
    /** The id of the reply. */
    id: CommentReplyId,
    ...posted
  }).annotate({ identifier: "CommentReply" })
) {}

/** The text of a comment or a reply: either markdown or a document, of at most 10,000 characters of markdown. */
export class CommentBody extends resource<CommentBody>()(
  Schema.Struct({
    /** The text as markdown, 1 to 10,000 characters. Exactly one of `markdown` and `document` is required. */
    markdown: Schema.optionalKey(text({ min: 1, max: 10_000 })),
    /** The text as a document that converts to 1 to 10,000 characters of markdown. */
    document: Schema.optionalKey(JsonDocument)
  }).check(
    Schema.makeFilter(({ markdown, document }) =>
      (markdown === undefined) === (document === undefined)
        ? "must have exactly one of `markdown` and `document`"
        : undefined
    )
  )
) {}

/** A comment to post: on the content as a whole, on a page, on a node of a page's document, or on a part of its text. */
export class PostComment extends resource<PostComment>()(
  Schema.Struct({
    /** The text of the comment. */
    body: CommentBody,
    /** The id of the page to comment on; the content as a whole by default. */
    page: Schema.optionalKey(PageId),
    /** The key of the node of the page's document to comment on, 1 to 200 characters. Requires `page`. */
    node: Schema.optionalKey(text({ min: 1, max: 200 })),
    /** The text of the page to comment on. Requires `page`. An extension of Lectern. */
    quote: Schema.optionalKey(CommentQuote)
  }).annotate({ identifier: "PostComment" })
) {}

/** A reply to post. */
export class PostReply extends resource<PostReply>()(
  Schema.Struct({
    /** The text of the reply. */
    body: CommentBody
  }).annotate({ identifier: "PostReply" })
) {}

const Emojis = Schema.Array(text({ min: 1, max: 50 })).check(
  Schema.isMaxLength(20, { message: "must be at most 20 emojis" })
)

/** The fields of a reply to update. Absent fields do not change. */
export class UpdateReply extends resource<UpdateReply>()(
  Schema.Struct({
    /** The new text. Only the author can change it. */
    body: Schema.optionalKey(CommentBody),
    /** Emojis to add to the caller's reactions: at most 20, of 1 to 50 characters. */
    addedReactions: Schema.optionalKey(Emojis),
    /** Emojis to remove from the caller's reactions: at most 20, of 1 to 50 characters. */
    removedReactions: Schema.optionalKey(Emojis)
  }).annotate({ identifier: "UpdateReply" })
) {}

/** The fields of a comment to update. Absent fields do not change. */
export class UpdateComment extends resource<UpdateComment>()(
  Schema.Struct({
    ...UpdateReply.fields,
    /** Whether the comment is resolved. Requires the role `edit` on the space. */
    resolved: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "UpdateComment" })
) {}

/** Options for reading comments and replies. */
export class CommentOptions extends resource<CommentOptions>()(
  Schema.Struct({
    /** The format of bodies; `markdown` by default. */
    format: Schema.optionalKey(Schema.Literals(["document", "markdown"]))
  })
) {}

/** A reply to post, and the format to return it in. */
export class CreateReply extends resource<CreateReply>()(
  Schema.Struct({ ...PostReply.fields, ...CommentOptions.fields })
) {}

/** The filter, the order and the page of a list of comments, which match all given filters. */
export class ListComments extends resource<ListComments>()(
  Schema.Struct({
    ...PageQuery.fields,
    ...CommentOptions.fields,
    /** The order by time of posting: `asc`, or `desc` (the default), which lists the newest first. */
    order: Schema.optionalKey(ListOrder),
    /** Lists only open or only resolved comments; `all` by default. */
    status: Schema.optionalKey(Schema.Literals(["all", "open", "resolved"])),
    /** Lists only comments on this page. */
    targetPage: Schema.optionalKey(PageId),
    /** Lists only comments of these users; an empty list does not filter. */
    authors: Schema.optionalKey(Schema.Array(UserId))
  })
) {}

/** The page and the format of a list of replies. */
export class ListReplies extends resource<ListReplies>()(
  Schema.Struct({ ...PageQuery.fields, ...CommentOptions.fields })
) {}

/** The page of a comment when it was posted. `state` is a digest that detects later changes of the page. */
export interface CommentedPage {
  /** The id of the page. */
  readonly page: PageId
  /** The title of the page. */
  readonly title: string
  /** The path of the page. */
  readonly path: string
  /** A digest that detects later changes of the page. */
  readonly state: string
  /** The key of the block. */
  readonly node?: string
  /** A part of the text of the block. */
  readonly preview?: string
  /** The text that the comment is on. */
  readonly quote?: CommentQuote
}
