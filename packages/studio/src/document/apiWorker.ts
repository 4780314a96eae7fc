/**
 * Loads OpenAPI documents, and creates the displays of their parts and the lists of their names. Documents have up to 20 MiB, whose parsing
 * would hold the page, so that it runs in a worker.
 */
import { namesOf, openApiOf, parseDocument, renderApiTree } from "@lectern/editor/api-tree"
import { bundleDocuments, type OpenApiDocument } from "@lectern/markdown/openapi"
import type { ApiQuery, ApiResponse, ApiResults, ApiTask } from "./apiTasks.ts"

/** The functions of the scope of a worker that it uses. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ApiTask>) => void) | null
  readonly postMessage: (response: ApiResponse) => void
}

/** How long a document is reused, in milliseconds. Blocks of one page share it; another page displays a later version. */
const maximumAgeMs = 30_000

/** The maximum number of documents in memory. */
const maximumDocuments = 4

/** The maximum size of a document, in bytes: that of a specification on the server. */
const maximumBytes = 20 * 1024 * 1024

/** The statuses with which the server states that a person cannot see a document, or that its name is invalid. */
const missingStatuses = new Set([400, 403, 404, 410, 422])

type Opened = { readonly document: OpenApiDocument | undefined } | "missing"

interface Entry {
  readonly opened: Promise<Opened>
  readonly at: number
}

const entries = new Map<string, Entry>()

const readDocument = async ({ url, headers, isSpec }: ApiTask): Promise<Opened> => {
  const response = await fetch(url, { headers, credentials: "same-origin" })
  if (missingStatuses.has(response.status)) return "missing"
  if (!response.ok) throw new Error(`The server responded with ${response.status}.`)
  const text = await response.text()
  if (text.length > maximumBytes) throw new Error(`The document is larger than ${maximumBytes} bytes.`)
  const parsed = await parseDocument(text)
  if (!isSpec) return { document: openApiOf(parsed) }
  const { filesystem } = parsed as { readonly filesystem: Readonly<Record<string, unknown>> }
  return { document: openApiOf(bundleDocuments(new Map(Object.entries(filesystem)))) }
}

const openDocument = (task: ApiTask): Promise<Opened> => {
  const known = entries.get(task.url)
  const isRetry = task.query.kind === "display" && task.query.isRetry
  if (known !== undefined && !isRetry && performance.now() - known.at < maximumAgeMs) return known.opened
  const opened = readDocument(task)
  entries.delete(task.url)
  entries.set(task.url, { opened, at: performance.now() })
  // The next block with this document tries again.
  opened.catch(() => entries.delete(task.url))
  for (const url of [...entries.keys()].slice(0, -maximumDocuments)) entries.delete(url)
  return opened
}

const resultOf = (
  id: number,
  query: ApiQuery,
  document: OpenApiDocument | undefined
): ApiResults[ApiQuery["kind"]] => {
  if (query.kind === "names") return namesOf(document)
  const { part, messages } = query
  return document && renderApiTree(document, part, { messages, prefix: `api-${id}` })
}

const respond = async (task: ApiTask): Promise<ApiResponse> => {
  const { id, query } = task
  try {
    const opened = await openDocument(task)
    if (opened === "missing") return { id, loaded: { _tag: "Missing" } }
    return { id, loaded: { _tag: "Loaded", value: resultOf(id, query, opened.document) } }
  } catch {
    return { id, loaded: { _tag: "Failed" } }
  }
}

const scope = globalThis as unknown as WorkerScope
scope.onmessage = ({ data }) => {
  void respond(data).then((done) => scope.postMessage(done))
}
