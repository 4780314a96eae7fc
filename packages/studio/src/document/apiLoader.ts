/** Requests displays of APIs from a worker, which runs while a page displays one. */
import type { ApiRequest } from "@lectern/editor/api"
import { config } from "../config.ts"
import { pageSize } from "../data/organization.ts"
import { client, credentials } from "../session.ts"
import type { ApiResponse, ApiTask, LoadedApi } from "./apiTasks.ts"

/** Where the documents of a page are. */
export interface ApiPlace {
  readonly organizationId: string
  /** Returns the URL of a file of the place. */
  readonly urlOfFile: (fileId: string) => string | undefined
}

/** How long the worker keeps its documents after the last display was removed, in milliseconds. */
const idleMs = 10_000

let worker: Worker | undefined
let lastId = 0
let displays = 0
let stopping: ReturnType<typeof setTimeout> | undefined
const open = new Map<number, (loaded: LoadedApi) => void>()

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

/** Notes that a display is on the page. Returns the function that notes its removal: the worker ends some time after the last one. */
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
    const url = place.urlOfFile(file)
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

/** Loads the display of a part of an API. */
export const loadApi = async ({ source, ...request }: ApiRequest, place: ApiPlace): Promise<LoadedApi> => {
  const location = await locate(source, place).catch(() => "failed" as const)
  if (location === "failed") return { _tag: "Failed" }
  if (location === undefined) return { _tag: "Missing" }
  const id = ++lastId
  const { promise, resolve } = Promise.withResolvers<LoadedApi>()
  open.set(id, resolve)
  const url = new URL(location.url, document.baseURI).href
  getWorker().postMessage({
    ...request,
    id,
    url,
    isSpec: location.isSpec,
    headers: headersOf(location.isSpec)
  })
  return promise
}
