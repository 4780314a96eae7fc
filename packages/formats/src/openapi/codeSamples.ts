/** Generates code that calls an operation: with curl, in JavaScript and in Python. */

import type { OpenApiDocument, Operation } from "./OpenApiDocument.ts"
import { isObject, type Json, listOf, textOf } from "./openApiReferences.ts"
import { declaredExamples, exampleOf, exampleText } from "./samples.ts"

/** A code sample with the name of its tab and its language. */
export interface CodeSample {
  /** The name of the tab. */
  readonly title: string
  /** The language, for highlighting. */
  readonly syntax: string
  /** The code. */
  readonly text: string
}

type Pair = readonly [name: string, value: string]

interface SampleRequest {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<Pair>
  readonly body: { readonly isJson: boolean; readonly text: string; readonly value: unknown } | undefined
}

/** The server of samples if the document has no servers. */
const defaultServer = "https://api.example.com"

/** The maximum number of samples that a document declares for an operation. */
const maximumSamples = 10

/** The headers and the query that the first requirement of an operation adds to a sample. */
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

const parameterValue = (document: OpenApiDocument, parameter: Json): string => {
  const example = exampleOf(document, parameter)
  return typeof example === "object" ? JSON.stringify(example) : String(example ?? "text")
}

/** The path with the declared examples of its parameters. Without one, a parameter stays a placeholder. */
const filledPath = (document: OpenApiDocument, { path, parameters, isWebhook }: Operation): string =>
  isWebhook
    ? ""
    : parameters
        .filter((parameter) => parameter.in === "path" && declaredExamples(document, parameter).length > 0)
        .reduce(
          (text, parameter) =>
            text.replaceAll(
              `{${textOf(parameter.name)}}`,
              encodeURIComponent(parameterValue(document, parameter))
            ),
          path
        )

const requestOf = (document: OpenApiDocument, operation: Operation): SampleRequest => {
  const credentials = credentialsOf(document, operation)
  const requiredIn = (place: string): ReadonlyArray<Pair> =>
    operation.parameters
      .filter((parameter) => parameter.in === place && parameter.required === true)
      .map((parameter) => [textOf(parameter.name), parameterValue(document, parameter)])
  const query = [...credentials.query, ...requiredIn("query")]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&")
  const media = document.requestBodyOf(operation)?.media ?? []
  const { type, definition } = media.find((one) => one.type.includes("json")) ?? media[0] ?? {}
  const value = definition === undefined ? undefined : exampleOf(document, definition)
  const isJson = type !== undefined && /[/+]json\b/.test(type)
  const servers = [...document.serversOf(operation), ...document.servers]
  const base = (servers[0]?.url ?? defaultServer).replace(/\/+$/, "")
  return {
    method: operation.method,
    url: `${base}${filledPath(document, operation)}${query === "" ? "" : `?${query}`}`,
    headers: [
      ...credentials.headers,
      ...requiredIn("header"),
      ...(type === undefined || value === undefined ? [] : [["Content-Type", type] as const])
    ],
    body:
      value === undefined
        ? undefined
        : { isJson, text: isJson ? JSON.stringify(value, undefined, 2) : exampleText(value), value }
  }
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const curlSample = ({ method, url, headers, body }: SampleRequest): string =>
  [
    `curl ${method === "GET" ? "" : `--request ${method} `}${shellQuote(url)}`,
    ...headers.map(([name, value]) => `  --header ${shellQuote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`  --data ${shellQuote(body.text)}`])
  ].join(" \\\n")

const indent = (text: string, spaces: number): string => text.replaceAll("\n", `\n${" ".repeat(spaces)}`)

const javaScriptSample = ({ method, url, headers, body }: SampleRequest): string => {
  const options = [
    ...(method === "GET" ? [] : [`method: ${JSON.stringify(method)}`]),
    ...(headers.length === 0
      ? []
      : [`headers: ${indent(JSON.stringify(Object.fromEntries(headers), undefined, 2), 2)}`]),
    ...(body === undefined
      ? []
      : [
          body.isJson
            ? `body: JSON.stringify(${indent(JSON.stringify(body.value, undefined, 2), 2)})`
            : `body: ${JSON.stringify(body.text)}`
        ])
  ]
  const second = options.length === 0 ? "" : `, {\n  ${options.join(",\n  ")}\n}`
  return `const response = await fetch(${JSON.stringify(url)}${second})\nconst data = await response.json()`
}

/** A value as a literal of Python, whose first line is not indented. */
const pythonLiteral = (value: unknown, indentation = ""): string => {
  if (value === null || value === undefined) return "None"
  if (typeof value === "boolean") return value ? "True" : "False"
  if (typeof value !== "object") return JSON.stringify(value)
  const inside = `${indentation}    `
  const items = Array.isArray(value)
    ? value.map((item) => pythonLiteral(item, inside))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${pythonLiteral(item, inside)}`)
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"]
  return items.length === 0
    ? open + close
    : `${open}\n${items.map((item) => inside + item).join(",\n")}\n${indentation}${close}`
}

const pythonSample = ({ method, url, headers, body }: SampleRequest): string => {
  const parts = [
    JSON.stringify(url),
    ...(headers.length === 0 ? [] : [`headers=${pythonLiteral(Object.fromEntries(headers), "    ")}`]),
    ...(body === undefined
      ? []
      : [body.isJson ? `json=${pythonLiteral(body.value, "    ")}` : `data=${JSON.stringify(body.text)}`])
  ]
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n    ${parts.join(",\n    ")},\n)\ndata = response.json()`
}

/** Returns the code samples of an operation: its own (`x-codeSamples`), or generated ones. A webhook has none of these. */
export const codeSamplesOf = (document: OpenApiDocument, operation: Operation): ReadonlyArray<CodeSample> => {
  const declared = listOf(operation.operation["x-codeSamples"] ?? operation.operation["x-code-samples"])
    .filter(isObject)
    .map((sample) => ({
      title: textOf(sample.label) || textOf(sample.lang),
      syntax: textOf(sample.lang).toLowerCase(),
      text: typeof sample.source === "string" ? sample.source : ""
    }))
    .filter(({ title, text }) => title !== "" && text.trim() !== "")
  if (declared.length > 0) return declared.slice(0, maximumSamples)
  if (operation.isWebhook) return []
  const request = requestOf(document, operation)
  return [
    { title: "cURL", syntax: "bash", text: curlSample(request) },
    { title: "JavaScript", syntax: "javascript", text: javaScriptSample(request) },
    { title: "Python", syntax: "python", text: pythonSample(request) }
  ]
}
