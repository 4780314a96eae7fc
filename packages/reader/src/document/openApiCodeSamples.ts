/** Generates code that calls an operation: with curl, in JavaScript and in Python. */

import {
  entriesOf,
  isObject,
  listOf,
  type OpenApiDocument,
  type Operation,
  textOf
} from "./OpenApiDocument.ts"
import { exampleOf, exampleText } from "./openApiExamples.ts"

/** A code sample with the name of its tab and its language. */
export interface CodeSample {
  readonly title: string
  readonly syntax: string
  readonly text: string
}

interface SampleRequest {
  readonly method: string
  readonly url: string
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: { readonly isJson: boolean; readonly text: string; readonly value: unknown } | undefined
}

const exampleValue = (document: OpenApiDocument, parameter: Operation["parameters"][number]): string => {
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

const requestOf = (document: OpenApiDocument, operation: Operation): SampleRequest => {
  const { method, path, parameters } = operation
  const query = new URLSearchParams()
  const headers = new Map<string, string>(authorizationHeaders(document, operation))
  let resolvedPath = path
  for (const parameter of parameters) {
    const name = textOf(parameter.name)
    if (parameter.in === "path") {
      resolvedPath = resolvedPath.replaceAll(
        `{${name}}`,
        encodeURIComponent(exampleValue(document, parameter))
      )
    }
    if (parameter.required !== true) continue
    if (parameter.in === "query") query.append(name, exampleValue(document, parameter))
    if (parameter.in === "header") headers.set(name, exampleValue(document, parameter))
  }
  const [type, media] = entriesOf(document.requestBodyOf(operation)?.content)[0] ?? []
  if (type !== undefined) headers.set("Content-Type", type)
  const isJson = type !== undefined && /[/+]json\b/.test(type)
  const value = isObject(media) ? exampleOf(document, media) : undefined
  const search = query.size === 0 ? "" : `?${query}`
  return {
    method,
    url: `${document.serverUrl || "https://api.example.com"}${operation.isWebhook ? "" : resolvedPath}${search}`,
    headers: [...headers],
    body: value === undefined ? undefined : { isJson, text: exampleText(value), value }
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

const pythonLiteral = (value: unknown): string =>
  (JSON.stringify(value, undefined, 4) ?? "None")
    .replace(/(:\s|^\s*|\[\s*)true\b/gm, "$1True")
    .replace(/(:\s|^\s*|\[\s*)false\b/gm, "$1False")
    .replace(/(:\s|^\s*|\[\s*)null\b/gm, "$1None")

const pythonSample = ({ method, url, headers, body }: SampleRequest): string => {
  const parts = [
    JSON.stringify(url),
    ...(headers.length === 0 ? [] : [`headers=${indent(pythonLiteral(Object.fromEntries(headers)), 4)}`]),
    ...(body === undefined
      ? []
      : [body.isJson ? `json=${indent(pythonLiteral(body.value), 4)}` : `data=${JSON.stringify(body.text)}`])
  ]
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n    ${parts.join(",\n    ")},\n)\ndata = response.json()`
}

/** Returns the code samples of an operation: its own (`x-codeSamples`), or generated ones. */
export const codeSamplesOf = (document: OpenApiDocument, operation: Operation): ReadonlyArray<CodeSample> => {
  const declared = listOf(operation.operation["x-codeSamples"] ?? operation.operation["x-code-samples"])
    .filter(isObject)
    .map((sample) => ({
      title: textOf(sample.label) || textOf(sample.lang),
      syntax: textOf(sample.lang).toLowerCase(),
      text: typeof sample.source === "string" ? sample.source : ""
    }))
    .filter(({ title, text }) => title !== "" && text !== "")
  if (declared.length > 0) return declared.slice(0, 10)
  if (operation.isWebhook) return []
  const request = requestOf(document, operation)
  return [
    { title: "cURL", syntax: "bash", text: curlSample(request) },
    { title: "JavaScript", syntax: "javascript", text: javaScriptSample(request) },
    { title: "Python", syntax: "python", text: pythonSample(request) }
  ]
}
