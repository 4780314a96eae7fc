/** Generates code that sends a request, in several programming languages. */
import { type CodeSample, codeSamplesOf, type SampleRequest } from "@lectern/markdown/openapi"
import { HTTPSnippet } from "@readme/httpsnippet"

type Target = Parameters<HTTPSnippet["convert"]>[0]

interface Language {
  readonly title: string
  readonly syntax: string
  readonly target: Target
  readonly client: string
}

/** The languages in addition to the samples of `codeSamplesOf`, with the most common ones first. */
const languages: ReadonlyArray<Language> = [
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

/** The number of these languages on pages with very many operations. */
const fewLanguages = 1

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

const convert = (request: SampleRequest, chosen: ReadonlyArray<Language>): ReadonlyArray<CodeSample> => {
  // The library rejects addresses and bodies that are not valid, such as hosts with spaces. These have no further samples.
  try {
    const snippet = snippetOf(request)
    return chosen.flatMap(({ title, syntax, target, client }) => {
      const [text] = [snippet.convert(target, client)].flat()
      return typeof text === "string" ? [{ title, syntax, text: text.trimEnd() }] : []
    })
  } catch {
    return []
  }
}

/** Returns code that sends a request. `hasAll` selects whether it is generated in all languages. */
export const codeInLanguages = (request: SampleRequest, hasAll: boolean): ReadonlyArray<CodeSample> =>
  [
    ...codeSamplesOf(request),
    ...convert(request, hasAll ? languages : languages.slice(0, fewLanguages))
  ].filter(({ text }) => text.length <= maximumLength)
