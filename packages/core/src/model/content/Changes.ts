/** What differs between two revisions, in terms of pages and files: the semantic changes. */
import { Schema } from "effect"
import { ChangeRequest } from "../change-requests/ChangeRequest.ts"
import { Dimensions } from "./File.ts"
import { ContentRef, PageCover, PageLayout, PageType } from "./Page.ts"

const ChangedPage = Schema.Struct({
  id: Schema.String,
  type: PageType,
  title: Schema.String,
  path: Schema.optionalKey(Schema.String)
})
export type ChangedPage = typeof ChangedPage.Type

const ChangedFile = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  contentType: Schema.String,
  downloadURL: Schema.String
})

const ChangedReusableContent = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  document: Schema.optionalKey(Schema.String)
})

/** A field before and after; absent where it was not, or is not any more. */
const changed = <S extends Schema.Top>(value: S) =>
  Schema.optionalKey(Schema.Struct({ before: Schema.optionalKey(value), after: Schema.optionalKey(value) }))

const PageAttributes = Schema.Struct({
  title: changed(Schema.String),
  description: changed(Schema.String),
  slug: changed(Schema.String),
  document: changed(Schema.String),
  cover: changed(PageCover),
  emoji: changed(Schema.String),
  icon: changed(Schema.String),
  layout: changed(PageLayout),
  target: changed(ContentRef),
  hidden: changed(Schema.Boolean),
  noIndex: changed(Schema.Boolean),
  noRobotsIndex: changed(Schema.Boolean)
})

const FileAttributes = Schema.Struct({
  name: changed(Schema.String),
  downloadURL: changed(Schema.String),
  size: changed(Schema.Int),
  contentType: changed(Schema.String),
  dimensions: changed(Dimensions)
})

const ReusableContentAttributes = Schema.Struct({
  title: changed(Schema.String),
  document: changed(Schema.String)
})

const changeOf = <T extends string, F extends Schema.Struct.Fields>(type: T, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), ...fields })

/** One change, as a person would say it. A page that only moved among its siblings has the same parent before and after. */
export const SemanticChange = Schema.Union([
  changeOf("page_created", { page: ChangedPage }),
  changeOf("page_edited", { page: ChangedPage, attributes: PageAttributes }),
  changeOf("page_deleted", { page: ChangedPage }),
  changeOf("page_moved", {
    page: ChangedPage,
    parent: Schema.Struct({
      before: Schema.optionalKey(ChangedPage),
      after: Schema.optionalKey(ChangedPage)
    })
  }),
  changeOf("file_created", { file: ChangedFile }),
  changeOf("file_edited", { file: ChangedFile, attributes: FileAttributes }),
  changeOf("file_deleted", { file: ChangedFile }),
  changeOf("reusable_content_created", { reusableContent: ChangedReusableContent }),
  changeOf("reusable_content_edited", {
    reusableContent: ChangedReusableContent,
    attributes: ReusableContentAttributes
  }),
  changeOf("reusable_content_deleted", { reusableContent: ChangedReusableContent })
]).annotate({ identifier: "SemanticChange" })
export type SemanticChange = typeof SemanticChange.Type

/** The first changes; `more` is how many were left out. */
export const SemanticChanges = Schema.Struct({
  mergedFrom: Schema.optionalKey(ChangeRequest),
  changes: Schema.Array(SemanticChange),
  more: Schema.optionalKey(Schema.Int)
}).annotate({ identifier: "SemanticChanges" })
export type SemanticChanges = typeof SemanticChanges.Type

/** How many changes to say. */
export const ChangesQuery = Schema.Struct({
  limit: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: 0, maximum: 1000 }, { message: "must be a whole number from 0 to 1000" })
    )
  )
})
export type ChangesQuery = typeof ChangesQuery.Type

/** How many changes are said by default. */
export const defaultChanges = 10
