/** Parameters of operations that return documents. */

import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { ComputedSource } from "./Page.ts"

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
