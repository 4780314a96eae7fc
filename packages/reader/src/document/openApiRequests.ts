/** Derives an example of a request from an operation: its URL, its headers and its body. */
import {
  entriesOf,
  exampleOf,
  exampleText,
  isObject,
  type Json,
  type OpenApiDocument,
  type Operation,
  textOf
} from "@lectern/markdown/openapi"

/** The body of a request: its content, or the fields of a form. */
export interface SampleBody {
  readonly type: string
  readonly text: string
  readonly fields: ReadonlyArray<readonly [name: string, value: string]> | undefined
}

/** A request. */
export interface SampleRequest {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: SampleBody | undefined
}

/** The server of documents without servers. */
const exampleServer = "https://api.example.com"

/** Whether a media type is that of a form. */
export const isForm = (type: string): boolean =>
  /^(?:application\/x-www-form-urlencoded|multipart\/form-data)\b/.test(type)

/** Returns an example of the value of a parameter, as text. */
export const parameterExample = (document: OpenApiDocument, parameter: Json): string => {
  const example = exampleOf(document, parameter)
  return typeof example === "object" ? JSON.stringify(example) : String(example ?? "text")
}

const authorizationHeaders = (
  document: OpenApiDocument,
  operation: Operation
): ReadonlyArray<readonly [string, string]> =>
  document.securityOf(operation.operation).flatMap(([, scheme]): ReadonlyArray<readonly [string, string]> => {
    const type = textOf(scheme.type)
    if (type === "apiKey") return scheme.in === "header" ? [[textOf(scheme.name), "YOUR_API_KEY"]] : []
    if (type === "basic" || textOf(scheme.scheme).toLowerCase() === "basic")
      return [["Authorization", "Basic YOUR_CREDENTIALS"]]
    return [["Authorization", "Bearer YOUR_TOKEN"]]
  })

const apiKeyQuery = (
  document: OpenApiDocument,
  operation: Operation
): ReadonlyArray<readonly [string, string]> =>
  document
    .securityOf(operation.operation)
    .flatMap(([, scheme]) =>
      scheme.type === "apiKey" && scheme.in === "query"
        ? [[textOf(scheme.name), "YOUR_API_KEY"] as const]
        : []
    )

/** Returns an example of the body of an operation with a media type. */
const bodyOf = (document: OpenApiDocument, type: string, media: unknown): SampleBody | undefined => {
  const value = isObject(media) ? exampleOf(document, media) : undefined
  if (value === undefined) return undefined
  const fields =
    isForm(type) && isObject(value)
      ? entriesOf(value).map(([name, one]) => [name, exampleText(one)] as const)
      : undefined
  return { type, text: exampleText(value), fields }
}

/** Returns an example of a request of an operation. */
export const requestOf = (document: OpenApiDocument, operation: Operation): SampleRequest => {
  const { method, path, parameters } = operation
  const query = new URLSearchParams(apiKeyQuery(document, operation).map(([name, value]) => [name, value]))
  const headers = new Map<string, string>(authorizationHeaders(document, operation))
  let resolvedPath = path
  for (const parameter of parameters) {
    const name = textOf(parameter.name)
    if (parameter.in === "path") {
      const value = encodeURIComponent(parameterExample(document, parameter))
      resolvedPath = resolvedPath.replaceAll(`{${name}}`, () => value)
    }
    if (parameter.required !== true) continue
    if (parameter.in === "query") query.append(name, parameterExample(document, parameter))
    if (parameter.in === "header") headers.set(name, parameterExample(document, parameter))
  }
  const [type, media] = entriesOf(document.requestBodyOf(operation)?.content)[0] ?? []
  if (type !== undefined) headers.set("Content-Type", type)
  const search = query.size === 0 ? "" : `?${query}`
  const server = document.serverUrlsOf(operation)[0] || exampleServer
  // Variables without a default.
  const host = (/^https?:/.test(server) ? server : `${exampleServer}${server}`).replaceAll(
    /\{([^{}]*)\}/g,
    "your-$1"
  )
  return {
    method,
    url: `${host}${resolvedPath}${search}`,
    headers: [...headers],
    body: type === undefined ? undefined : bodyOf(document, type, media)
  }
}
