/** The part of an OpenAPI document that a block displays. */

/** The part of an OpenAPI document that a block displays. */
export interface ApiPart {
  /** The kind. A webhook is an operation that the API calls. */
  readonly kind: "operation" | "webhook" | "schemas"
  /** The method of an operation or a webhook, such as `get`; empty for schemas. */
  readonly method: string
  /** The path of an operation, or the name of a webhook. */
  readonly name: string
  /** The names of schemas. */
  readonly schemas: ReadonlyArray<string>
}

/** The maximum length of the Markdown of one block, in characters. */
export const maximumMarkdown = 100_000

type Data = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** Returns the part that a block displays, by its type in documents, such as `openapi-operation`, and its data. */
export const apiPartOf = (type: string, data: Data): ApiPart => ({
  kind: type === "openapi-schemas" ? "schemas" : type === "openapi-webhook" ? "webhook" : "operation",
  method: textOf(data.method),
  name: textOf(type === "openapi-webhook" ? data.name : data.path),
  schemas: Array.isArray(data.schemas) ? data.schemas.map(String) : []
})

/** Returns the title of a part: its method and its path, or the names of its schemas. Empty if none is chosen. */
export const titleOfPart = ({ kind, method, name, schemas }: ApiPart): string =>
  kind === "schemas" ? schemas.join(", ") : `${method.toUpperCase()} ${name}`.trim()

/** Returns the source of the document of a block: the slug of a spec, a URL, or `/files/` and the id of a file; empty if none is chosen. */
export const sourceOfData = (data: Data): string => {
  const ref = (typeof data.ref === "object" && data.ref !== null ? data.ref : {}) as Data
  if (ref.kind === "file") return `/files/${String(ref.file)}`
  return textOf(ref.spec) || textOf(ref.url)
}
