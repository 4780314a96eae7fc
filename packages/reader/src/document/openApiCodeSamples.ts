/** Generates code that calls an operation, in several programming languages. */

import {
  type CodeSample,
  declaredSamplesOf,
  type OpenApiDocument,
  type Operation
} from "@lectern/markdown/openapi"
import { HTTPSnippet } from "@readme/httpsnippet"
import { requestOf, type SampleRequest } from "./openApiRequests.ts"

type Target = Parameters<HTTPSnippet["convert"]>[0]

interface Language {
  readonly title: string
  readonly syntax: string
  readonly target: Target
  readonly client: string
}

/** The languages of generated samples, with the most common ones first. */
const languages: ReadonlyArray<Language> = [
  { title: "cURL", syntax: "bash", target: "shell", client: "curl" },
  { title: "JavaScript", syntax: "javascript", target: "javascript", client: "fetch" },
  { title: "Python", syntax: "python", target: "python", client: "requests" },
  { title: "Go", syntax: "go", target: "go", client: "native" },
  { title: "Java", syntax: "java", target: "java", client: "okhttp" },
  { title: "PHP", syntax: "php", target: "php", client: "curl" },
  { title: "Ruby", syntax: "ruby", target: "ruby", client: "native" },
  { title: "C#", syntax: "csharp", target: "csharp", client: "httpclient" },
  { title: "Rust", syntax: "rust", target: "rust", client: "reqwest" },
  { title: "Kotlin", syntax: "kotlin", target: "kotlin", client: "okhttp" },
  { title: "Swift", syntax: "swift", target: "swift", client: "urlsession" }
]

/** The number of languages of operations on pages with very many of them. */
const fewLanguages = 3

/** The maximum length of a sample in characters. Longer ones are omitted. */
const maximumLength = 20_000

const snippetOf = ({ method, url, headers, body }: SampleRequest): HTTPSnippet =>
  new HTTPSnippet({
    method,
    url,
    httpVersion: "HTTP/1.1",
    headers: headers.map(([name, value]) => ({ name, value })),
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: -1,
    postData:
      body?.fields === undefined
        ? { mimeType: body?.type ?? "", ...(body === undefined ? {} : { text: body.text }) }
        : { mimeType: body.type, params: body.fields.map(([name, value]) => ({ name, value })) }
  })

const generate = (request: SampleRequest, chosen: ReadonlyArray<Language>): ReadonlyArray<CodeSample> => {
  // The library rejects addresses and bodies that are not valid, such as hosts with spaces. These have no samples.
  try {
    const snippet = snippetOf(request)
    return chosen.flatMap(({ title, syntax, target, client }) => {
      const [text] = [snippet.convert(target, client)].flat()
      return typeof text === "string" && text.length <= maximumLength
        ? [{ title, syntax, text: text.trimEnd() }]
        : []
    })
  } catch {
    return []
  }
}

/**
 * Returns the code samples of an operation: its own (`x-codeSamples`), or generated ones. `hasAll` selects whether they are generated
 * in all languages.
 */
export const codeSamplesOf = (
  document: OpenApiDocument,
  operation: Operation,
  hasAll: boolean
): ReadonlyArray<CodeSample> => {
  const declared = declaredSamplesOf(operation)
  if (declared.length > 0) return declared
  if (operation.isWebhook) return []
  return generate(requestOf(document, operation), hasAll ? languages : languages.slice(0, fewLanguages))
}
