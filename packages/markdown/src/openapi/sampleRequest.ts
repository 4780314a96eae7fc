/** Derives an example of a request from an operation: its URL, its headers and its body. */
import { type Body, isForm, type Media, type OpenApiDocument, type Operation } from "./OpenApiDocument.ts"
import { entriesOf, isObject, textOf } from "./openApiReferences.ts"
import type { OperationDetail } from "./PageDetail.ts"
import { exampleText, parameterText } from "./sampleValues.ts"

type Pair = readonly [name: string, value: string]

/** The body of a request. */
export interface SampleBody {
  /** The media type. */
  readonly type: string
  /** The value, before it is encoded. */
  readonly value: unknown
  /** The text of the value, which is the content unless the body is a form. */
  readonly text: string
  /** The fields of a form; undefined for other media types. */
  readonly fields: ReadonlyArray<Pair> | undefined
}

/** A request. */
export interface SampleRequest {
  /** The method in upper case. */
  readonly method: string
  /** The absolute URL. */
  readonly url: string
  /** The headers, with placeholders for credentials. */
  readonly headers: ReadonlyArray<Pair>
  /** The body, if the request has one. */
  readonly body: SampleBody | undefined
}

/** The server of documents without servers, and the base of relative URLs of servers. */
const exampleServer = "https://api.example.com"

/** Returns the media type that requests have: JSON, or else the first one. */
export const requestMediaOf = (body: Body | undefined): Media | undefined =>
  body?.media.find(({ type }) => type.includes("json")) ?? body?.media[0]

/** The headers and the query of the credentials that the first requirement of an operation names. */
const credentialsOf = (document: OpenApiDocument, operation: Operation) => {
  const headers: Array<Pair> = []
  const query: Array<Pair> = []
  for (const { scheme } of document.requirementsOf(operation)[0] ?? []) {
    if (scheme === undefined) continue
    if (scheme.type === "apiKey") {
      const key = [textOf(scheme.name), "YOUR_API_KEY"] as const
      if (scheme.in === "query") query.push(key)
      else headers.push(scheme.in === "cookie" ? ["Cookie", `${key[0]}=${key[1]}`] : key)
    } else if (scheme.type === "basic" || textOf(scheme.scheme).toLowerCase() === "basic") {
      headers.push(["Authorization", "Basic YOUR_CREDENTIALS"])
    } else headers.push(["Authorization", "Bearer YOUR_TOKEN"])
  }
  return { headers, query }
}

const bodyOf = (
  document: OpenApiDocument,
  { type, definition }: Media,
  detail: OperationDetail
): SampleBody | undefined => {
  const value = detail.exampleOf(document, definition)
  if (value === undefined) return undefined
  const fields =
    isForm(type) && isObject(value)
      ? entriesOf(value).map(([name, one]) => [name, exampleText(one)] as const)
      : undefined
  return { type, value, text: detail.textOf(value), fields }
}

/** The URL of the server, without a slash at its end. Variables without a value are placeholders. */
const serverOf = (document: OpenApiDocument, operation: Operation): string => {
  const [url = exampleServer] = document.serverUrlsOf(operation)
  return (/^https?:/.test(url) ? url : `${exampleServer}${url}`).replaceAll(/\{([^{}]*)\}/g, "your-$1")
}

/** Returns an example of a request of an operation: with its path parameters, and the required ones of the query and the header. */
export const sampleRequestOf = (
  document: OpenApiDocument,
  operation: Operation,
  detail: OperationDetail
): SampleRequest => {
  const { method, path } = operation
  const parameters = detail.firstOf(operation.parameters)
  const credentials = credentialsOf(document, operation)
  const valuesIn = (place: string): ReadonlyArray<Pair> =>
    parameters
      .filter((parameter) => parameter.in === place && (place === "path" || parameter.required === true))
      .map((parameter) => [textOf(parameter.name), parameterText(detail.exampleOf(document, parameter))])
  const filledPath = valuesIn("path").reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, () => encodeURIComponent(value)),
    path
  )
  const query = [...credentials.query, ...valuesIn("query")]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&")
  const media = requestMediaOf(document.requestBodyOf(operation))
  const body = media === undefined ? undefined : bodyOf(document, media, detail)
  return {
    method,
    url: `${serverOf(document, operation)}${filledPath}${query === "" ? "" : `?${query}`}`,
    headers: [
      ...credentials.headers,
      ...valuesIn("header"),
      ...(body === undefined ? [] : [["Content-Type", body.type] as const])
    ],
    body
  }
}
