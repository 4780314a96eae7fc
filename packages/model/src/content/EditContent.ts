/**
 * Batches of changes to content, which are applied atomically. The public contract defines the operations on pages and
 * `insert_files`. Lectern adds pages of every type with all of their fields, other changes of files, and reusable
 * contents.
 */

import * as Schema from "effect/Schema"
import { Condition } from "../conditions/Condition.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { batchRef as ref } from "./batchRef.ts"
import { JsonDocument } from "./document/Document.ts"
import { DeleteFiles, InsertFiles, RevertFile, UpdateFile } from "./FileEdits.ts"
import {
  ComputedSource,
  ContentRef,
  GitBlob,
  PageCover,
  PageId,
  PageLayout,
  PageMetaLinks,
  PageSlug,
  PageTitle,
  PageType
} from "./Page.ts"
import { ReusableContentId, ReusableContentTitle } from "./ReusableContent.ts"
import { GitCommit, RevisionId } from "./Revision.ts"

/**
 * The body of a page or a reusable content: Markdown or a document. A body with neither is empty for a new item, and
 * invalid for an existing one.
 */
export class Body extends resource<Body>()(
  Schema.Struct({
    /** The body as Markdown, at most 5,000,000 characters. Front matter sets fields of the page. */
    markdown: Schema.optionalKey(text({ max: 5_000_000 })),
    /** The body as a document. */
    document: Schema.optionalKey(JsonDocument)
  }).check(
    Schema.makeFilter(({ markdown, document }) =>
      markdown !== undefined && document !== undefined
        ? "must have either `markdown` or `document`, not both"
        : undefined
    )
  )
) {}

/** An index among siblings, starting at 0. An index beyond the last sibling is the end. */
const at = Schema.optionalKey(
  Schema.Int.check(Schema.isGreaterThanOrEqualTo(0, { message: "must be a whole number of at least 0" }))
)

/** The settings of a layout to change. */
class LayoutChanges extends resource<LayoutChanges>()(
  Schema.Struct({
    /** The width of the content. */
    width: Schema.optionalKey(PageLayout.fields.width),
    /** Whether the cover image is visible. */
    cover: Schema.optionalKey(Schema.Boolean),
    /** The size of the cover image. */
    coverSize: Schema.optionalKey(PageLayout.fields.coverSize),
    /** Whether the title is visible. */
    title: Schema.optionalKey(Schema.Boolean),
    /** Whether the description is visible. */
    description: Schema.optionalKey(Schema.Boolean),
    /** Whether the table of contents of the space is visible. */
    tableOfContents: Schema.optionalKey(Schema.Boolean),
    /** Whether the outline of the page is visible. */
    outline: Schema.optionalKey(Schema.Boolean),
    /** Whether links to the previous and the next page are visible. */
    pagination: Schema.optionalKey(Schema.Boolean),
    /** Whether the metadata of the page, such as its last update, are visible. */
    metadata: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** A cover image. */
class NewCover extends resource<NewCover>()(
  Schema.Struct({
    /** The image: a file or a URL. */
    ref: PageCover.fields.ref,
    /** The image for the dark theme. Absent to use `ref`. */
    refDark: PageCover.fields.refDark,
    /** The vertical position of the visible part of the image. 0 by default. */
    yPos: Schema.optionalKey(Schema.Finite)
  })
) {}

/** The fields of a page that can be set. An empty emoji, icon or description removes the value. */
const fields = {
  /**
   * The segment of the page in paths, at most 100 characters. An empty slug is derived from the title; a slug that a
   * sibling has gets a numeric suffix. For documents and groups.
   */
  slug: Schema.optionalKey(PageSlug),
  /** The emoji of the page, at most 50 characters: a character, or its code points in hexadecimal. Empty for none. */
  emoji: Schema.optionalKey(text({ max: 50 })),
  /** The name of the icon of the page, at most 50 characters. Empty for none. */
  icon: Schema.optionalKey(text({ max: 50 })),
  /** The description of the page, at most 2000 characters. Empty for none. For documents. */
  description: Schema.optionalKey(text({ max: 2000 })),
  /** Whether the page is hidden from the table of contents, search and PDF exports. */
  hidden: Schema.optionalKey(Schema.Boolean),
  /**
   * The condition under which visitors of a site can see the page and the pages below it: 1 to 1,024 characters; null
   * removes it.
   */
  condition: Schema.optionalKey(Schema.NullOr(Condition)),
  /**
   * Whether the page is marked as excluded from search. Lectern stores the mark; its own search ignores it. For
   * documents and groups.
   */
  noIndex: Schema.optionalKey(Schema.Boolean),
  /**
   * Whether the page is marked as excluded from external search engines. Lectern stores the mark for renderers. For
   * documents and groups.
   */
  noRobotsIndex: Schema.optionalKey(Schema.Boolean),
  /** The settings of the layout to change. Absent settings do not change. For documents. */
  layout: Schema.optionalKey(LayoutChanges),
  /** The cover image of the page. Null to remove it. For documents. */
  cover: Schema.optionalKey(Schema.NullOr(NewCover)),
  /** The links of the page for search engines. Null to remove them. For documents. */
  metaLinks: Schema.optionalKey(Schema.NullOr(PageMetaLinks)),
  /** The target of a link, which requires it. For links. */
  target: Schema.optionalKey(ContentRef),
  /** The source of a computed page, which requires it. For computed pages. */
  computed: Schema.optionalKey(ComputedSource),
  /** The location of the page in a git repository. */
  git: Schema.optionalKey(GitBlob)
}

/** Adds a page. Its title is `title`, else that of the front matter, else the heading that the Markdown begins with. */
export class InsertPage extends resource<InsertPage>()(
  Schema.Struct({
    /** The operation: adds a page. */
    operation: Schema.Literal("insert_page"),
    /** The type of the page. `document` by default. */
    type: Schema.optionalKey(PageType),
    /** The title of the page, 1 to 256 characters. Absent for the title of the Markdown, or else `Untitled`. */
    title: Schema.optionalKey(PageTitle),
    ...fields,
    /**
     * The id of the page to insert the page below, or the ref of a page that an earlier change of the batch adds. Null or absent
     * for the root.
     */
    into: Schema.optionalKey(Schema.NullOr(PageId)),
    /** The index among the siblings, starting at 0. Absent for the end. */
    at,
    /**
     * A name within the batch, 1 to 100 letters, digits and characters of `_.-`. Links of the batch to `./{ref}` or
     * `./{ref}.md` resolve to the page, and `into` of later changes accepts it.
     */
    ref,
    /** The body of the page. Absent for an empty body. For documents. */
    document: Schema.optionalKey(Body)
  })
) {}

/** Updates fields or the body of a page, moves it, or both. Absent fields do not change. */
export class UpdatePage extends resource<UpdatePage>()(
  Schema.Struct({
    /** The operation: updates a page. */
    operation: Schema.Literal("update_page"),
    /** The id of the page. */
    page: PageId,
    /** The new title of the page, 1 to 256 characters. */
    title: Schema.optionalKey(PageTitle),
    ...fields,
    /**
     * The id of the page to move the page below, or the ref of a page that an earlier change of the batch adds. Null for the
     * root, absent to keep the parent.
     */
    into: Schema.optionalKey(Schema.NullOr(PageId)),
    /**
     * The index among the siblings without the page, starting at 0. Absent for the end if the page moves to another
     * parent.
     */
    at,
    /**
     * The new body of the page: Markdown or a document. The Markdown of unchanged blocks of a document is preserved
     * byte for byte. Absent to keep the body. For documents.
     */
    document: Schema.optionalKey(Body)
  })
) {}

/** Deletes a page with the pages below it. */
class DeletePage extends resource<DeletePage>()(
  Schema.Struct({
    /** The operation: deletes a page with the pages below it. */
    operation: Schema.Literal("delete_page"),
    /** The id of the page. */
    page: PageId
  })
) {}

/** Reverts a page to its state in a revision. A page that the revision does not have is deleted. */
export class RevertPage extends resource<RevertPage>()(
  Schema.Struct({
    /** The operation: reverts a page. */
    operation: Schema.Literal("revert_page"),
    /** The id of the page. */
    page: PageId,
    /** The id of a revision of the space. By default the base of the change request, or the previous revision. */
    revision: Schema.optionalKey(RevisionId),
    /**
     * The keys of the blocks to revert, as in the document of the page: added blocks are removed, changed blocks are
     * replaced and moved blocks are moved back. A key that names no changed block of the page names a deleted block in
     * the document of the revision, which is restored. Other blocks and the fields of the page do not change. Absent to
     * revert the page as a whole.
     */
    block: Schema.optionalKey(Schema.Array(Schema.String))
  })
) {}

class InsertReusableContent extends resource<InsertReusableContent>()(
  Schema.Struct({
    /** The operation: adds a reusable content. */
    operation: Schema.Literal("insert_reusable_content"),
    /** The title, 1 to 256 characters. */
    title: ReusableContentTitle,
    /**
     * A name within the batch, 1 to 100 letters, digits and characters of `_.-`. Links of the batch to `./{ref}`
     * resolve to the reusable content.
     */
    ref,
    /** The body. Absent for an empty body. */
    document: Schema.optionalKey(Body),
    /** The location of the reusable content in a git repository. */
    git: Schema.optionalKey(GitBlob)
  })
) {}

class UpdateReusableContent extends resource<UpdateReusableContent>()(
  Schema.Struct({
    /** The operation: updates a reusable content. */
    operation: Schema.Literal("update_reusable_content"),
    /** The id of the reusable content. */
    reusableContent: ReusableContentId,
    /** The new title, 1 to 256 characters. Absent to keep the title. */
    title: Schema.optionalKey(ReusableContentTitle),
    /**
     * The new body: Markdown or a document. The Markdown of unchanged blocks of a document is preserved byte for
     * byte. Absent to keep the body.
     */
    document: Schema.optionalKey(Body)
  })
) {}

class DeleteReusableContent extends resource<DeleteReusableContent>()(
  Schema.Struct({
    /** The operation: deletes a reusable content. */
    operation: Schema.Literal("delete_reusable_content"),
    /** The id of the reusable content. */
    reusableContent: ReusableContentId
  })
) {}

/** Reverts a reusable content to its state in a revision. One that the revision does not have is deleted. */
export class RevertReusableContent extends resource<RevertReusableContent>()(
  Schema.Struct({
    /** The operation: reverts a reusable content. */
    operation: Schema.Literal("revert_reusable_content"),
    /** The id of the reusable content. */
    reusableContent: ReusableContentId,
    /** The id of a revision of the space. By default the base of the change request, or the previous revision. */
    revision: Schema.optionalKey(RevisionId)
  })
) {}

/** One change of a batch. */
export const ContentChange: Schema.Codec<ContentChange, unknown> = Schema.Union([
  InsertPage,
  UpdatePage,
  DeletePage,
  RevertPage,
  InsertFiles,
  UpdateFile,
  DeleteFiles,
  RevertFile,
  InsertReusableContent,
  UpdateReusableContent,
  DeleteReusableContent,
  RevertReusableContent
]).annotate({
  identifier: "ContentChange",
  message:
    "must be a change with one of the operations insert_page, update_page, delete_page, revert_page, insert_files, " +
    "update_file, delete_files, revert_file, insert_reusable_content, update_reusable_content, " +
    "delete_reusable_content and revert_reusable_content"
})
/** One change of a batch. */
export type ContentChange =
  | InsertPage
  | UpdatePage
  | DeletePage
  | RevertPage
  | InsertFiles
  | UpdateFile
  | DeleteFiles
  | RevertFile
  | InsertReusableContent
  | UpdateReusableContent
  | DeleteReusableContent
  | RevertReusableContent

/** A batch of changes, which are applied in order as one revision. */
export class EditContent extends resource<EditContent>()(
  Schema.Struct({
    /** The changes, 1 to 50. */
    changes: Schema.Array(ContentChange).check(
      Schema.isMinLength(1, { message: "must be 1 to 50 changes" }),
      Schema.isMaxLength(50, { message: "must be 1 to 50 changes" })
    ),
    /** The message of the revision, at most 1000 characters. */
    message: Schema.optionalKey(text({ max: 1000 })),
    /** The git commit that the changes are imported from. Absent for changes that are not from git. */
    git: Schema.optionalKey(GitCommit),
    /**
     * Whether an editor saves the changes while its user writes. Consecutive automatic saves of one user to one change request within
     * 15 minutes are one revision in the history: each has the parents of the one that it replaces. No effect on the content of a
     * space. An extension of Lectern.
     */
    automatic: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "EditContent" })
) {}
