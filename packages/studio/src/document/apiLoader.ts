/** Requests displays of APIs from a worker, which runs while a page displays one. */
import type { ApiLoader, Loaded } from "@lectern/editor/api"
import { config } from "../config.ts"
import { pageSize } from "../data/organization.ts"
import { client, credentials } from "../session.ts"
import type { ApiQuery, ApiResponse, ApiResults, ApiTask } from "./apiTasks.ts"

/** Where the documents of a page are. */
export interface ApiPlace {
  readonly organizationId: string
  /** Returns the URL of a file of the place. */
  readonly urlOfFile: (fileId: string) => Promise<string | undefined>
}

/** How long the worker keeps its documents after the last display was removed, in milliseconds. */
const idleMs = 10_000

let worker: Worker | undefined
let lastId = 0
let displays = 0
let stopping: ReturnType<typeof setTimeout> | undefined
const open = new Map<number, (loaded: ApiResponse["loaded"]) => void>()

const stop = (): void => {
  worker?.terminate()
  worker = undefined
  for (const resolve of open.values()) resolve({ _tag: "Failed" })
  open.clear()
}

const getWorker = (): Worker => {
  if (worker !== undefined) return worker
  const created = new Worker(new URL("./apiWorker.ts", import.meta.url), { type: "module" })
  created.onmessage = ({ data: { id, loaded } }: MessageEvent<ApiResponse>) => {
    open.get(id)?.(loaded)
    open.delete(id)
  }
  created.onerror = stop
  worker = created
  return created
}

/** Notes that a display or an editor is on the page. Returns the function that notes its removal: the worker ends some time after the last one. */
export const holdWorker = (): (() => void) => {
  displays++
  clearTimeout(stopping)
  return () => {
    displays--
    if (displays === 0) stopping = setTimeout(stop, idleMs)
  }
}

const contentPath = (organization: string, slug: string): string =>
  `${config.api}/v1/orgs/${encodeURIComponent(organization)}/openapi/${encodeURIComponent(slug)}/versions/latest/content`

/** Returns the slug of the specification that is read from a URL. */
const slugOfUrl = async (organizationId: string, url: string): Promise<string | undefined> => {
  const { items } = await client.openApiSpecs.listOpenAPISpecs({
    params: { organizationId },
    query: { limit: pageSize }
  })
  return items.find(({ sourceURL }) => sourceURL === url)?.slug
}

type Location = Pick<ApiTask, "url" | "isSpec">

const locate = async (source: string, place: ApiPlace): Promise<Location | undefined> => {
  const file = /^\/files\/(.+)$/.exec(source)?.[1]
  if (file !== undefined) {
    const url = await place.urlOfFile(file)
    return url === undefined ? undefined : { url, isSpec: false }
  }
  const { organizationId } = place
  const slug = /^https?:\/\//.test(source) ? await slugOfUrl(organizationId, source) : source
  return slug === undefined ? undefined : { url: contentPath(organizationId, slug), isSpec: true }
}

const headersOf = (isSpec: boolean): ApiTask["headers"] => {
  const token = credentials.token()
  return isSpec && token !== undefined ? { authorization: `Bearer ${token}` } : {}
}

const ask = async <Kind extends ApiQuery["kind"]>(
  source: string,
  query: Extract<ApiQuery, { readonly kind: Kind }>,
  place: ApiPlace
): Promise<Loaded<ApiResults[Kind]>> => {
  const location = await locate(source, place).catch(() => "failed" as const)
  if (location === "failed") return { _tag: "Failed" }
  if (location === undefined) return { _tag: "Missing" }
  const { isSpec } = location
  const id = ++lastId
  const { promise, resolve } = Promise.withResolvers<ApiResponse["loaded"]>()
  open.set(id, resolve)
  const url = new URL(location.url, document.baseURI).href
  const task: ApiTask = { id, query, url, isSpec, headers: headersOf(isSpec) }
  getWorker().postMessage(task)
  // The worker responds with a result of the kind of the query.
  return promise as Promise<Loaded<ApiResults[Kind]>>
}

/** Creates the loader of the documents of a place. */
export const makeApiLoader = (place: ApiPlace): ApiLoader => ({
  display: ({ source, ...request }) => ask(source, { kind: "display", ...request }, place),
  names: (source) => ask(source, { kind: "names" }, place)
})
