/** The code samples of an operation that every page has: with curl, and in JavaScript. */

import type { Operation } from "./OpenApiDocument.ts"
import { isObject, listOf, textOf } from "./openApiReferences.ts"
import type { SampleBody, SampleRequest } from "./sampleRequest.ts"

/** A code sample with the name of its tab and its language. */
export interface CodeSample {
  /** The name of the tab. */
  readonly title: string
  /** The language, for highlighting. */
  readonly syntax: string
  /** The code. */
  readonly text: string
}

/** The maximum number of samples that a document declares for an operation. */
const maximumSamples = 10

/** Returns the samples that the document declares for an operation (`x-codeSamples`), which replace generated ones. */
export const declaredSamplesOf = ({ operation }: Pick<Operation, "operation">): ReadonlyArray<CodeSample> =>
  listOf(operation["x-codeSamples"] ?? operation["x-code-samples"])
    .filter(isObject)
    .map((sample) => ({
      title: textOf(sample.label) || textOf(sample.lang),
      syntax: textOf(sample.lang).toLowerCase(),
      text: typeof sample.source === "string" ? sample.source : ""
    }))
    .filter(({ title, text }) => title !== "" && text.trim() !== "")
    .slice(0, maximumSamples)

const isMultipart = (body: SampleBody | undefined): boolean => body?.type.startsWith("multipart/") === true

/** The headers without the type of a multipart body, which has a boundary that the client chooses. */
const writtenHeaders = ({ headers, body }: SampleRequest) =>
  isMultipart(body) ? headers.filter(([name]) => name !== "Content-Type") : headers

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curlSample = (request: SampleRequest): string => {
  const { method, url, body } = request
  const field = isMultipart(body) ? "--form" : "--data-urlencode"
  return [
    `curl ${method === "GET" ? "" : `--request ${method} `}${shellQuote(url)}`,
    ...writtenHeaders(request).map(([name, value]) => `  --header ${shellQuote(`${name}: ${value}`)}`),
    ...(body?.fields?.map(([name, value]) => `  ${field} ${shellQuote(`${name}=${value}`)}`) ?? []),
    ...(body !== undefined && body.fields === undefined ? [`  --data ${shellQuote(body.text)}`] : [])
  ].join(" \\\n")
}

const indent = (value: unknown): string => JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ")

const javaScriptBody = (body: SampleBody): string => {
  if (isMultipart(body)) return "body: form"
  if (body.fields !== undefined)
    return `body: new URLSearchParams(${indent(Object.fromEntries(body.fields))})`
  const isJson = /[/+]json\b/.test(body.type)
  return isJson ? `body: JSON.stringify(${indent(body.value)})` : `body: ${JSON.stringify(body.text)}`
}

const javaScriptSample = (request: SampleRequest): string => {
  const { method, url, body } = request
  const headers = writtenHeaders(request)
  const options = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(headers.length === 0 ? [] : [`headers: ${indent(Object.fromEntries(headers))}`]),
    ...(body === undefined ? [] : [javaScriptBody(body)])
  ]
  const fields = isMultipart(body) ? (body?.fields ?? []) : []
  return [
    ...(isMultipart(body) ? ["const form = new FormData()"] : []),
    ...fields.map(([name, value]) => `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)})`),
    `const response = await fetch(${JSON.stringify(url)}${options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`})`,
    "const data = await response.json()"
  ].join("\n")
}

/** Returns the code that sends a request, with curl and in JavaScript. */
export const codeSamplesOf = (request: SampleRequest): ReadonlyArray<CodeSample> => [
  { title: "cURL", syntax: "bash", text: curlSample(request) },
  { title: "JavaScript", syntax: "javascript", text: javaScriptSample(request) }
]
