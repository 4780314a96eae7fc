/** The names that the settings of blocks of OpenAPI offer. Loaded with the first of them. */
import type { ApiDocument } from "./EditorBackend.ts"
import { isObject, OpenApiDocument } from "./openApi.ts"

/** The names that a document offers for the settings of its blocks. */
export interface ApiNames {
  readonly operations: ReadonlyArray<{
    readonly name: string
    readonly method: string
    readonly title: string
  }>
  readonly webhooks: ReadonlyArray<{ readonly name: string; readonly method: string; readonly title: string }>
  readonly schemas: ReadonlyArray<string>
}

/** Returns the names of the operations, webhooks and schemas of a document. */
export const namesOf = ({ document: json }: ApiDocument): ApiNames => {
  if (!isObject(json)) return { operations: [], webhooks: [], schemas: [] }
  const document = new OpenApiDocument(json)
  const named = (operations: typeof document.operations): ApiNames["operations"] =>
    operations.map(({ path, method, operation }) => ({
      name: path,
      method: method.toLowerCase(),
      title: typeof operation.summary === "string" ? operation.summary : ""
    }))
  return {
    operations: named(document.operations),
    webhooks: named(document.webhooks),
    schemas: document.schemas.map(([name]) => name)
  }
}
