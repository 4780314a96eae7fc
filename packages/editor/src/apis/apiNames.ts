/** The names that the settings of blocks of OpenAPI offer. */
import type { OpenApiDocument } from "@lectern/markdown/openapi"

/** An operation or a webhook: its path or its name, its method and its summary. */
interface OperationName {
  readonly name: string
  readonly method: string
  readonly title: string
}

/** The names that a document offers for the settings of its blocks. */
export interface ApiNames {
  /** The operations, in the order of the document. */
  readonly operations: ReadonlyArray<OperationName>
  /** The webhooks, in the order of the document. */
  readonly webhooks: ReadonlyArray<OperationName>
  /** The names of the schemas. */
  readonly schemas: ReadonlyArray<string>
}

const named = (operations: OpenApiDocument["operations"]): ApiNames["operations"] =>
  operations.map(({ path, method, operation }) => ({
    name: path,
    method: method.toLowerCase(),
    title: typeof operation.summary === "string" ? operation.summary : ""
  }))

/** Returns the names of the operations, webhooks and schemas of a document; none without a document. */
export const namesOf = (document: OpenApiDocument | undefined): ApiNames => {
  if (document === undefined) return { operations: [], webhooks: [], schemas: [] }
  return {
    operations: named(document.operations),
    webhooks: named(document.webhooks),
    schemas: document.schemas.map(([name]) => name)
  }
}
