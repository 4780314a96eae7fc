/** The names that the settings of blocks of OpenAPI offer. Loaded with the first of them. */
import type { OpenApiDocument } from "@lectern/markdown/openapi"
import type { ApiDocument } from "./EditorBackend.ts"
import { openDocument } from "./openApi.ts"

/** An operation or a webhook: its path or its name, its method and its summary. */
interface OperationName {
  readonly name: string
  readonly method: string
  readonly title: string
}

/** The names that a document offers for the settings of its blocks. */
export interface ApiNames {
  readonly operations: ReadonlyArray<OperationName>
  readonly webhooks: ReadonlyArray<OperationName>
  readonly schemas: ReadonlyArray<string>
}

const named = (operations: OpenApiDocument["operations"]): ApiNames["operations"] =>
  operations.map(({ path, method, operation }) => ({
    name: path,
    method: method.toLowerCase(),
    title: typeof operation.summary === "string" ? operation.summary : ""
  }))

/** Returns the names of the operations, webhooks and schemas of a document. */
export const namesOf = (loaded: ApiDocument): ApiNames => {
  const document = openDocument(loaded)
  if (document === undefined) return { operations: [], webhooks: [], schemas: [] }
  return {
    operations: named(document.operations),
    webhooks: named(document.webhooks),
    schemas: document.schemas.map(([name]) => name)
  }
}
