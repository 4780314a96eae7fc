/** The client without Effect and without runtime schemas. */
import type { ApiError } from "./ApiError.ts"
import type { CallOptions } from "./CallOptions.ts"
import type { FeatureMethods, FeatureRoutes } from "./featureRoutes.ts"
import {
  type AnnouncedChange,
  type FollowChangesOptions,
  type FollowEventsOptions,
  followChanges,
  followEvents
} from "./followEvents.ts"
import type { Operations } from "./operations.gen.ts"
import type { Event } from "./resources.gen.ts"
import { routes } from "./routes.gen.ts"
import { sendRequest, type Transport } from "./sendRequest.ts"

/** Options of {@link createClient}. */
export interface FetchClientOptions<
  Features extends ReadonlyArray<FeatureRoutes<string, unknown>> = readonly []
> {
  /** The URL of the server without `/v1`. In a browser also a path, or empty for the origin of the page, which is the default. */
  readonly baseUrl?: string
  /** The API token of the user, or a function that returns the current one. Without a token, the session cookie is sent. */
  readonly token?: string | (() => string | undefined)
  /** Which requests carry cookies; `same-origin` by default, and `omit` with a token. */
  readonly credentials?: RequestCredentials
  /** Returns headers that are added to each request, such as a CSRF token. */
  readonly headers?: () => Readonly<Record<string, string>>
  /** The function that sends requests; `globalThis.fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
  /** Called with each `ApiError` before its call rejects. */
  readonly onError?: (error: ApiError) => void
  /**
   * The routes of the features of the server, whose methods the client has too: see `featureRoutes`. Throws a `TypeError` if a group
   * has the name of another one.
   */
  readonly features?: Features
}

/** The operations of the API by group and id, as functions that return promises. */
export interface FetchClient extends Operations {
  /** Iterates over the events of an organization as they are committed, and reconnects after interruptions. */
  readonly followEvents: (options: FollowEventsOptions) => AsyncGenerator<Event, void, undefined>
  /** Iterates over the changes of an organization that the user may learn of, and reconnects after interruptions. */
  readonly followChanges: (options: FollowChangesOptions) => AsyncGenerator<AnnouncedChange, void, undefined>
  /** Sends a file to the signed URL of `generateStorageUploadURL`. Rejects with `ApiError`. */
  readonly uploadFile: (url: string, file: Blob, options?: CallOptions) => Promise<void>
}

type Values = Readonly<Record<string, unknown>>

/** The parts of a request. */
interface Request {
  readonly params?: Values
  readonly query?: Values
  readonly payload?: unknown
}

const queryOf = (values: Values = {}): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item))
    }
  }
  const text = search.toString()
  return text === "" ? "" : `?${text}`
}

const pathOf = (template: string, params: Values = {}): string =>
  template.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    // An empty segment would call another operation.
    if (value === undefined || value === "") throw new TypeError(`The path parameter ${name} is missing.`)
    return encodeURIComponent(String(value))
  })

const bodyOf = (payload: unknown): string | FormData =>
  payload instanceof FormData ? payload : JSON.stringify(payload)

const transportOf = ({
  baseUrl = "",
  token,
  credentials = token === undefined ? "same-origin" : "omit",
  headers,
  fetch = globalThis.fetch.bind(globalThis),
  onError
}: FetchClientOptions<ReadonlyArray<FeatureRoutes<string, unknown>>>): Transport => ({
  baseUrl: baseUrl.replace(/\/+$/, ""),
  credentials,
  fetch,
  onError,
  headers: () => {
    const current = typeof token === "function" ? token() : token
    return {
      ...(current === undefined ? {} : { authorization: `Bearer ${current}` }),
      ...headers?.()
    }
  }
})

const methodsOf = (transport: Transport, lines: string) =>
  Object.fromEntries(
    lines.split("\n").map((line) => {
      const [declared, id, template] = line.split(" ") as [string, string, string]
      const method = declared.replace("*", "")
      const call = async (request: Request = {}, options?: CallOptions): Promise<unknown> => {
        const path = `/v1${pathOf(template, request.params)}${queryOf(request.query)}`
        // An omitted body is empty: all of its fields are optional.
        const body = declared === method ? undefined : bodyOf(request.payload ?? {})
        return sendRequest(transport, { method, path, body }, options)
      }
      return [id, call]
    })
  )

const uploadFile = async (
  transport: Transport,
  url: string,
  file: Blob,
  options: CallOptions = {}
): Promise<void> => {
  const target = { ...transport, baseUrl: "", headers: () => ({}), credentials: "omit" as const }
  await sendRequest(target, { method: "PUT", path: url, body: file }, options)
}

/**
 * Creates a client whose operations return promises, with the operations and types of `createClient` of `@lectern/client`, but
 * without validation: the server validates requests.
 *
 * @example
 * const client = createClient({ baseUrl: "https://docs.example.com", token })
 * const space = await client.spaces.getSpaceById({ params: { spaceId } })
 */
export const createClient = <
  const Features extends ReadonlyArray<FeatureRoutes<string, unknown>> = readonly []
>(
  options: FetchClientOptions<Features> = {}
): FetchClient & FeatureMethods<Features> => {
  const transport = transportOf(options)
  const groups = new Map(Object.entries(routes))
  for (const { group, lines } of options.features ?? []) {
    if (groups.has(group)) throw new TypeError(`Another group has the name "${group}".`)
    groups.set(group, lines)
  }
  const client = {
    ...Object.fromEntries([...groups].map(([group, lines]) => [group, methodsOf(transport, lines)])),
    followEvents: (eventOptions: FollowEventsOptions) => followEvents(transport, eventOptions),
    followChanges: (changeOptions: FollowChangesOptions) => followChanges(transport, changeOptions),
    uploadFile: (url: string, file: Blob, callOptions?: CallOptions) =>
      uploadFile(transport, url, file, callOptions)
  }
  return client as unknown as FetchClient & FeatureMethods<Features>
}
