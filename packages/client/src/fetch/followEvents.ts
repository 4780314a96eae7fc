/** Follows the events or the changes of an organization, which the server sends as server-sent events. */
import { type ApiError, connectionFailed, errorOfResponse } from "./ApiError.ts"
import type { Event } from "./resources.gen.ts"
import type { Transport } from "./sendRequest.ts"

/** Options of `followEvents`. */
export interface FollowEventsOptions {
  /** The organization whose events are followed. */
  readonly organizationId: string
  /** The cursor of the last known event. Without it, the first event is the first one from now on. */
  readonly after?: string | undefined
  /** The types of the events to receive, separated by commas, as in `space.created,page.*`. All types by default. */
  readonly types?: string | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
  /** Called when the server has accepted the stream: at first, and after each interruption. */
  readonly onOpen?: (() => void) | undefined
}

/** Options of `followChanges`. */
export interface FollowChangesOptions extends Pick<FollowEventsOptions, "organizationId" | "signal"> {
  /**
   * The position that the displayed resources contain: the `cursor` of a change, or the header `Event-Position` of the response of
   * `GET /v1/user`. Without it, the first change is the first one from now on.
   */
  readonly after?: string | undefined
  /**
   * Called when the server has accepted the stream: at first, and after each interruption. `isContinuous` is whether it has all changes
   * after the position or the last change; otherwise, refresh the displayed resources.
   */
  readonly onOpen?: ((opened: { readonly isContinuous: boolean }) => void) | undefined
}

/** A change that the user may learn of, without its data: a window that displays the resource refreshes it. */
export interface AnnouncedChange {
  /** The type of the resource: always `change`. */
  readonly object: "change"
  /** The position of the change. */
  readonly cursor: string
  /** The type of the event, as in `space.created`; `access.updated` if the user can see other spaces than before. */
  readonly type: string
  /** The organization of the change. */
  readonly organization: string
  /** The id of the user who caused the change. Absent for changes by background jobs and by the operator. */
  readonly actor?: string
  /** The time of the change. */
  readonly createdAt: string
  /** The ids of the resource and of the resources that contain it, such as `id` and `space`. */
  readonly data: { readonly [field: string]: string | number }
}

const maximumDelayMs = 30_000

const wait = (milliseconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", finish)
      resolve()
    }
    const timer = setTimeout(finish, milliseconds)
    signal?.addEventListener("abort", finish, { once: true })
  })

/** Returns the event of a block of lines of the stream, or `undefined` for a comment. */
const parseBlock = <Message>(block: string): Message | undefined => {
  const data = block
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
  return data.length === 0 ? undefined : JSON.parse(data.join("\n"))
}

const readMessages = async function* <Message>(body: ReadableStream<Uint8Array>): AsyncGenerator<Message> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      text += decoder.decode(value, { stream: true })
      const blocks = text.split("\n\n")
      text = blocks.pop()!
      for (const block of blocks) {
        const message = parseBlock<Message>(block)
        if (message !== undefined) yield message
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** Whether a stream that failed with the error can succeed later. */
const isTemporary = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500

const openStream = async (
  transport: Transport,
  url: string,
  signal: AbortSignal | undefined
): Promise<ReadableStream<Uint8Array>> => {
  const response = await transport
    .fetch(url, {
      headers: { accept: "text/event-stream", ...transport.headers() },
      credentials: transport.credentials,
      ...(signal === undefined ? {} : { signal })
    })
    .catch((cause: unknown) => {
      throw connectionFailed(url, cause)
    })
  if (response.ok && response.body !== null) return response.body
  throw errorOfResponse(response.status, (name) => response.headers.get(name), await response.text())
}

/** How a stream is followed. */
interface Following {
  /** Returns the URL that continues after a cursor, or starts now. */
  readonly urlAfter: (after: string | undefined) => string
  /** The cursor to start after. */
  readonly after: string | undefined
  /** Whether the stream starts now if changes after the cursor are not available anymore. */
  readonly acceptsGaps: boolean
  readonly signal: AbortSignal | undefined
  readonly onOpen: ((opened: { readonly isContinuous: boolean }) => void) | undefined
}

/** Iterates over the messages of a stream. */
const followStream = async function* <Message extends { readonly cursor: string }>(
  transport: Transport,
  { urlAfter, after, acceptsGaps, signal, onOpen }: Following
): AsyncGenerator<Message, void, undefined> {
  let last = after
  let delayMs = 500
  const isAborted = (): boolean => signal?.aborted === true
  while (!isAborted()) {
    try {
      const body = await openStream(transport, urlAfter(last), signal)
      onOpen?.({ isContinuous: last !== undefined })
      delayMs = 500
      for await (const message of readMessages<Message>(body)) {
        last = message.cursor
        yield message
      }
    } catch (error) {
      if (isAborted()) return
      const { status } = error as ApiError
      if (acceptsGaps && status === 410 && last !== undefined) {
        last = undefined
        continue
      }
      if (typeof status === "number" && !isTemporary(error as ApiError)) throw error
    }
    await wait(delayMs, signal)
    delayMs = Math.min(delayMs * 2, maximumDelayMs)
  }
}

const streamUrl = ({ baseUrl }: Transport, organizationId: string, kind: "events" | "changes"): string =>
  `${baseUrl}/v1/orgs/${encodeURIComponent(organizationId)}/${kind}/stream`

/**
 * Iterates over the events of an organization as they are committed. After an interruption, it continues after the last event,
 * with increasing delays of at most 30 seconds. Rejects with `ApiError` if the server rejects the stream for another reason
 * than its load, such as `Gone` for a cursor whose events were deleted.
 */
export const followEvents = (
  transport: Transport,
  options: FollowEventsOptions
): AsyncGenerator<Event, void, undefined> =>
  followStream<Event>(transport, {
    urlAfter: (after) => {
      const query = new URLSearchParams({
        ...(after === undefined ? {} : { after }),
        ...(options.types === undefined ? {} : { types: options.types })
      })
      return `${streamUrl(transport, options.organizationId, "events")}?${query}`
    },
    after: options.after,
    acceptsGaps: false,
    signal: options.signal,
    onOpen: options.onOpen
  })

/**
 * Iterates over the changes of an organization that the user may learn of. After an interruption, it continues after the last change; if too
 * many followed, it starts from now on, and `onOpen` reports that it is not continuous. Rejects with `ApiError` once the user has no access.
 */
export const followChanges = (
  transport: Transport,
  options: FollowChangesOptions
): AsyncGenerator<AnnouncedChange, void, undefined> =>
  followStream<AnnouncedChange>(transport, {
    urlAfter: (after) => {
      const url = streamUrl(transport, options.organizationId, "changes")
      return after === undefined ? url : `${url}?${new URLSearchParams({ after })}`
    },
    after: options.after,
    acceptsGaps: true,
    signal: options.signal,
    onOpen: options.onOpen
  })
