/** Semantic changes: the differences between two revisions as changes of pages, files and reusable contents. */

import * as Schema from "effect/Schema"
import { ChangeRequest } from "../change-requests/ChangeRequest.ts"
import { resource } from "../schema/resource.ts"
import { Dimensions } from "./File.ts"
import { ContentRef, PageCover, PageLayout, PageMetaLinks, PageType } from "./Page.ts"

/** A page that a change refers to. */
export class ChangedPage extends resource<ChangedPage>()(
  Schema.Struct({
    /** The id of the page. */
    id: Schema.String,
    /** The type of the page. */
    type: PageType,
    /** The title of the page. */
    title: Schema.String,
    /** The path of the page: slugs separated by slashes. Absent for links and computed pages. */
    path: Schema.optionalKey(Schema.String)
  })
) {}

class ChangedFile extends resource<ChangedFile>()(
  Schema.Struct({
    /** The id of the file. */
    id: Schema.String,
    /** The name of the file with its extension. */
    name: Schema.String,
    /** The media type of the file. */
    contentType: Schema.String,
    /** A URL that serves the bytes of the file without a token while the file exists. */
    downloadURL: Schema.String
  })
) {}

class ChangedReusableContent extends resource<ChangedReusableContent>()(
  Schema.Struct({
    /** The id of the reusable content. */
    id: Schema.String,
    /** The title of the reusable content. */
    title: Schema.String,
    /** An identifier of the body, which changes with its text. Absent for an empty body. */
    document: Schema.optionalKey(Schema.String)
  })
) {}

const values = <S extends Schema.Top>(value: S) =>
  Schema.Struct({
    /** The value before the change. Absent if the field was not set. */
    before: Schema.optionalKey(value),
    /** The value after the change. Absent if the field is not set. */
    after: Schema.optionalKey(value)
  })
interface Values<S extends Schema.Top> extends ReturnType<typeof values<S>> {}

/** A field that differs. */
const changed = <S extends Schema.Top>(value: S): Schema.optionalKey<Values<S>> =>
  Schema.optionalKey(values(value))

class PageAttributes extends resource<PageAttributes>()(
  Schema.Struct({
    /** The change of the title. Absent if it is unchanged. */
    title: changed(Schema.String),
    /** The change of the description. Absent if it is unchanged. */
    description: changed(Schema.String),
    /** The change of the slug. Absent if it is unchanged. */
    slug: changed(Schema.String),
    /** The change of the identifier of the body. Absent if the body is unchanged. */
    document: changed(Schema.String),
    /** The change of the cover image. Absent if it is unchanged. */
    cover: changed(PageCover),
    /** The change of the emoji. Absent if it is unchanged. */
    emoji: changed(Schema.String),
    /** The change of the icon. Absent if it is unchanged. */
    icon: changed(Schema.String),
    /** The change of the layout. Absent if it is unchanged. */
    layout: changed(PageLayout),
    /** The change of the target of a link. Absent if it is unchanged. */
    target: changed(ContentRef),
    /** The change of the links for search engines. Absent if they are unchanged. */
    metaLinks: changed(PageMetaLinks),
    /** The change of `hidden`. Absent if it is unchanged. */
    hidden: changed(Schema.Boolean),
    /** The change of the condition under which visitors see the page. Absent if it is unchanged. */
    condition: changed(Schema.String),
    /** The change of `noIndex`. Absent if it is unchanged. */
    noIndex: changed(Schema.Boolean),
    /** The change of `noRobotsIndex`. Absent if it is unchanged. */
    noRobotsIndex: changed(Schema.Boolean)
  })
) {}

class FileAttributes extends resource<FileAttributes>()(
  Schema.Struct({
    /** The change of the name. Absent if it is unchanged. */
    name: changed(Schema.String),
    /** The change of the download URL. Absent if it is unchanged. */
    downloadURL: changed(Schema.String),
    /** The change of the size in bytes. Absent if it is unchanged. */
    size: changed(Schema.Int),
    /** The change of the media type. Absent if it is unchanged. */
    contentType: changed(Schema.String),
    /** The change of the dimensions of an image. Absent if they are unchanged. */
    dimensions: changed(Dimensions)
  })
) {}

class ReusableContentAttributes extends resource<ReusableContentAttributes>()(
  Schema.Struct({
    /** The change of the title. Absent if it is unchanged. */
    title: changed(Schema.String),
    /** The change of the identifier of the body. Absent if the body is unchanged. */
    document: changed(Schema.String)
  })
) {}

const changeOf = <T extends string, F extends Schema.Struct.Fields>(type: T, fields: F) =>
  Schema.Struct({
    /** The type of the change. */
    type: Schema.Literal(type),
    ...fields
  })

const changedPage = {
  /** The page after the change, or before its deletion. */
  page: ChangedPage
}

const changedFile = {
  /** The file after the change, or before its deletion. */
  file: ChangedFile
}

const changedReusableContent = {
  /** The reusable content after the change, or before its deletion. */
  reusableContent: ChangedReusableContent
}

class PageCreated extends resource<PageCreated>()(changeOf("page_created", changedPage)) {}
class PageEdited extends resource<PageEdited>()(
  changeOf("page_edited", {
    ...changedPage,
    /** The fields that differ. */
    attributes: PageAttributes
  })
) {}
class PageDeleted extends resource<PageDeleted>()(changeOf("page_deleted", changedPage)) {}
class PageMoved extends resource<PageMoved>()(
  changeOf("page_moved", {
    ...changedPage,
    /** The parents of the page. */
    parent: Schema.Struct({
      /** The parent before the move. Absent for the root. */
      before: Schema.optionalKey(ChangedPage),
      /** The parent after the move. Absent for the root. */
      after: Schema.optionalKey(ChangedPage)
    })
  })
) {}
class FileCreated extends resource<FileCreated>()(changeOf("file_created", changedFile)) {}
class FileEdited extends resource<FileEdited>()(
  changeOf("file_edited", {
    ...changedFile,
    /** The fields that differ. */
    attributes: FileAttributes
  })
) {}
class FileDeleted extends resource<FileDeleted>()(changeOf("file_deleted", changedFile)) {}
class ReusableContentCreated extends resource<ReusableContentCreated>()(
  changeOf("reusable_content_created", changedReusableContent)
) {}
class ReusableContentEdited extends resource<ReusableContentEdited>()(
  changeOf("reusable_content_edited", {
    ...changedReusableContent,
    /** The fields that differ. */
    attributes: ReusableContentAttributes
  })
) {}
class ReusableContentDeleted extends resource<ReusableContentDeleted>()(
  changeOf("reusable_content_deleted", changedReusableContent)
) {}

/** The type of a semantic change, the most significant one first. */
export const SemanticChangeType = Schema.Literals([
  "page_created",
  "page_deleted",
  "page_moved",
  "page_edited",
  "reusable_content_created",
  "reusable_content_deleted",
  "reusable_content_edited",
  "file_created",
  "file_deleted",
  "file_edited"
])

/** The type of a semantic change, the most significant one first. */
export type SemanticChangeType = typeof SemanticChangeType.Type

/** One semantic change. A page that moved among its siblings has the same parent before and after. */
export const SemanticChange: Schema.Codec<SemanticChange> = Schema.Union([
  PageCreated,
  PageEdited,
  PageDeleted,
  PageMoved,
  FileCreated,
  FileEdited,
  FileDeleted,
  ReusableContentCreated,
  ReusableContentEdited,
  ReusableContentDeleted
]).annotate({ identifier: "SemanticChange" })
/** One semantic change. */
export type SemanticChange =
  | PageCreated
  | PageEdited
  | PageDeleted
  | PageMoved
  | FileCreated
  | FileEdited
  | FileDeleted
  | ReusableContentCreated
  | ReusableContentEdited
  | ReusableContentDeleted

/** The first semantic changes of content. */
export class SemanticChanges extends resource<SemanticChanges>()(
  Schema.Struct({
    /** The change request whose merge created the revision. Absent for other revisions. */
    mergedFrom: Schema.optionalKey(ChangeRequest),
    /** The first changes, at most `limit`. */
    changes: Schema.Array(SemanticChange),
    /** The number of changes beyond `limit`. Absent if all changes are returned. */
    more: Schema.optionalKey(Schema.Int)
  }).annotate({ identifier: "SemanticChanges" })
) {}

/** The options of a list of semantic changes. */
export class ChangesQuery extends resource<ChangesQuery>()(
  Schema.Struct({
    /** The maximum number of changes to return, 0 to 1000. 10 by default. */
    limit: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween({ minimum: 0, maximum: 1000 }, { message: "must be a whole number from 0 to 1000" })
      )
    )
  })
) {}

/** The default limit of changes. */
export const defaultChanges = 10
