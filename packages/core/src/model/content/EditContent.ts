/**
 * A batch of changes to content: 1 to 50, all or none (decision D7). The operations on pages and `insert_files` are
 * those of the public contract; beyond it, pages of every type with all of their fields can be made, files can be
 * deleted, and reusable contents kept.
 */
import { Schema } from "effect"
import { text } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { JsonDocument } from "./document/Document.ts"
import { ContentType, FileId, FileName } from "./File.ts"
import {
  ComputedSource,
  ContentRef,
  GitBlob,
  PageCover,
  PageId,
  PageLayout,
  PageSlug,
  PageTitle,
  PageType
} from "./Page.ts"
import { ReusableContentId, ReusableContentTitle } from "./ReusableContent.ts"
import { GitCommit, RevisionId } from "./Revision.ts"

/** The most bytes of a file that comes within a batch: 1 MiB. */
export const maximumFileBytes = 1024 * 1024

/** The body of a page or a reusable content: markdown, or a document; without either it is empty. */
export const Body = Schema.Struct({
  markdown: Schema.optionalKey(text({ max: 5_000_000 })),
  document: Schema.optionalKey(JsonDocument)
}).check(
  Schema.makeFilter(({ markdown, document }) =>
    markdown !== undefined && document !== undefined
      ? "must have markdown or a document, not both"
      : undefined
  )
)
export type Body = typeof Body.Type

/** An index among siblings, from 0 on; one beyond the last is the end. */
const at = Schema.optionalKey(
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0, { message: "must be a whole number from 0 on" }))
)

/** A name that lives as long as the batch: links of its pages to `./{ref}.md` or `./{ref}` lead to what has it. */
const ref = Schema.optionalKey(
  Schema.String.check(
    Schema.isPattern(/^[\w.-]{1,100}$/u, {
      message: "must be at most 100 letters, digits and characters of _.-"
    })
  )
)

/** The fields of a page that can be set. An empty emoji, icon or description is none. */
const fields = {
  slug: Schema.optionalKey(PageSlug),
  emoji: Schema.optionalKey(text({ max: 50 })),
  icon: Schema.optionalKey(text({ max: 50 })),
  description: Schema.optionalKey(text({ max: 2000 })),
  hidden: Schema.optionalKey(Schema.Boolean),
  noIndex: Schema.optionalKey(Schema.Boolean),
  noRobotsIndex: Schema.optionalKey(Schema.Boolean),
  layout: Schema.optionalKey(
    Schema.Struct({
      width: Schema.optionalKey(PageLayout.fields.width),
      cover: Schema.optionalKey(Schema.Boolean),
      coverSize: Schema.optionalKey(PageLayout.fields.coverSize),
      title: Schema.optionalKey(Schema.Boolean),
      description: Schema.optionalKey(Schema.Boolean),
      tableOfContents: Schema.optionalKey(Schema.Boolean),
      outline: Schema.optionalKey(Schema.Boolean),
      pagination: Schema.optionalKey(Schema.Boolean),
      metadata: Schema.optionalKey(Schema.Boolean)
    })
  ),
  cover: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        ref: PageCover.fields.ref,
        refDark: PageCover.fields.refDark,
        yPos: Schema.optionalKey(Schema.Finite)
      })
    )
  ),
  target: Schema.optionalKey(ContentRef),
  computed: Schema.optionalKey(ComputedSource),
  git: Schema.optionalKey(GitBlob)
}

/** Adds a page. Its title is that of the front matter, else the heading that the markdown begins with, else `title`. */
export const InsertPage = Schema.Struct({
  operation: Schema.Literal("insert_page"),
  type: Schema.optionalKey(PageType),
  title: Schema.optionalKey(PageTitle),
  ...fields,
  into: Schema.optionalKey(Schema.NullOr(PageId)),
  at,
  ref,
  document: Schema.optionalKey(Body)
})
export type InsertPage = typeof InsertPage.Type

/** Changes fields or the body of a page, moves it, or all of these. What is left out stays. */
export const UpdatePage = Schema.Struct({
  operation: Schema.Literal("update_page"),
  page: PageId,
  title: Schema.optionalKey(PageTitle),
  ...fields,
  into: Schema.optionalKey(Schema.NullOr(PageId)),
  at,
  document: Schema.optionalKey(Body)
})
export type UpdatePage = typeof UpdatePage.Type

/** Deletes a page with the pages below it. */
const DeletePage = Schema.Struct({ operation: Schema.Literal("delete_page"), page: PageId })

/** Makes a page what it was in a revision: the base of the change request, or the revision before, by default. */
export const RevertPage = Schema.Struct({
  operation: Schema.Literal("revert_page"),
  page: PageId,
  revision: Schema.optionalKey(RevisionId),
  // Taken in so that it can be refused: to go on without it would revert more than was asked for.
  block: Schema.optionalKey(Schema.Array(Schema.String))
})
export type RevertPage = typeof RevertPage.Type

/** A file to add: its bytes, in base 64 or to be fetched from an address. */
const NewFile = Schema.Struct({
  ref,
  name: FileName,
  contentType: Schema.optionalKey(ContentType),
  base64: Schema.optionalKey(
    Schema.String.check(
      Schema.makeFilter((value: string) =>
        value.length > Math.ceil(maximumFileBytes / 3) * 4 ? "must be of at most 1 MiB" : undefined
      )
    )
  ),
  url: Schema.optionalKey(Url),
  git: Schema.optionalKey(GitBlob)
})
export type NewFile = typeof NewFile.Type

const InsertFiles = Schema.Struct({
  operation: Schema.Literal("insert_files"),
  files: Schema.Array(NewFile).check(
    Schema.isMinLength(1, { message: "must be 1 to 20 files" }),
    Schema.isMaxLength(20, { message: "must be 1 to 20 files" })
  )
})

const DeleteFiles = Schema.Struct({
  operation: Schema.Literal("delete_files"),
  files: Schema.Array(FileId).check(
    Schema.isMinLength(1, { message: "must be 1 to 100 files" }),
    Schema.isMaxLength(100, { message: "must be 1 to 100 files" })
  )
})

const InsertReusableContent = Schema.Struct({
  operation: Schema.Literal("insert_reusable_content"),
  title: ReusableContentTitle,
  ref,
  document: Schema.optionalKey(Body),
  git: Schema.optionalKey(GitBlob)
})

const UpdateReusableContent = Schema.Struct({
  operation: Schema.Literal("update_reusable_content"),
  reusableContent: ReusableContentId,
  title: Schema.optionalKey(ReusableContentTitle),
  document: Schema.optionalKey(Body)
})

const DeleteReusableContent = Schema.Struct({
  operation: Schema.Literal("delete_reusable_content"),
  reusableContent: ReusableContentId
})

/** One change of content. */
export const ContentChange = Schema.Union([
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  DeleteFiles,
  InsertReusableContent,
  UpdateReusableContent,
  DeleteReusableContent
]).annotate({
  identifier: "ContentChange",
  message:
    "must be a change with one of the operations insert_page, update_page, delete_page, revert_page, insert_files, " +
    "delete_files, insert_reusable_content, update_reusable_content and delete_reusable_content"
})
export type ContentChange = typeof ContentChange.Type

/** A batch of changes, with what the revision that it makes says of itself. */
export const EditContent = Schema.Struct({
  changes: Schema.Array(ContentChange).check(
    Schema.isMinLength(1, { message: "must be 1 to 50 changes" }),
    Schema.isMaxLength(50, { message: "must be 1 to 50 changes" })
  ),
  /** Why the changes are made, at most 1000 characters. */
  message: Schema.optionalKey(text({ max: 1000 })),
  /** The commit that the changes come from, where a host brings them in from a git repository. */
  git: Schema.optionalKey(GitCommit)
}).annotate({ identifier: "EditContent" })
export type EditContent = typeof EditContent.Type
