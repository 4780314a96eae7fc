/** Parameters of operations that return documents. */

import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { File } from "./File.ts"
import { ComputedSource, Page } from "./Page.ts"
import { ReusableContent } from "./ReusableContent.ts"

/** The id of a document. */
export const DocumentId = idSchema("The id of a document: the `documentId` of a page.").pipe(
  Schema.brand("DocumentId")
)
/** The id of a document. */
export type DocumentId = string & Brand.Brand<"DocumentId">

/** The version of the schema of documents. */
export class DocumentSchemaQuery extends resource<DocumentSchemaQuery>()(
  Schema.Struct({
    /** The version of the schema of the document. Both versions have the same documents. */
    schema: Schema.optionalKey(Schema.Literals(["current", "next"]))
  })
) {}

/** The input that computes a document. */
export class ComputeDocument extends resource<ComputeDocument>()(
  Schema.Struct({
    /** The source to compute the document from: the `computed` of a page of the space. */
    source: ComputedSource,
    /** The seed of the ids of the document, which do not depend on it: at most 1,000 characters. */
    seed: text({ max: 1000 })
  }).annotate({ identifier: "ComputeDocument" })
) {}

/** The input that computes the pages of a source. */
export class ComputeRevision extends resource<ComputeRevision>()(
  Schema.Struct({
    /** The source to compute pages from: the `computed` of a page of the space that is not expanded. */
    source: ComputedSource,
    /** The seed of the ids of the pages, which do not depend on it: at most 1,000 characters. */
    seed: text({ max: 1000 })
  }).annotate({ identifier: "ComputeRevision" })
) {}

/** The pages that are computed from a source. */
export class ComputedRevision extends resource<ComputedRevision>()(
  Schema.Struct({
    /** The pages, in their order. */
    pages: Schema.Array(Page),
    /** The files of the pages: none, because OpenAPI specs have no files. */
    files: Schema.Array(File),
    /** The reusable contents of the pages: none, because OpenAPI specs have no reusable contents. */
    reusableContents: Schema.Array(ReusableContent)
  }).annotate({ identifier: "ComputedRevision" })
) {}
