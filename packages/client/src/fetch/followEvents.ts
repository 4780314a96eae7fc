/** Follows the events of an organization, which the server sends as server-sent events. */
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
const parseBlock = (block: string): Event | undefined => {
  const data = block
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trimStart())
  return data.length === 0 ? undefined : JSON.parse(data.join("\n"))
}

const readEvents = async function* (body: ReadableStream<Uint8Array>): AsyncGenerator<Event> {
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
        const event = parseBlock(block)
        if (event !== undefined) yield event
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
  { organizationId, types, signal }: FollowEventsOptions,
  after: string | undefined
): Promise<ReadableStream<Uint8Array>> => {
  const query = new URLSearchParams({
    ...(after === undefined ? {} : { after }),
    ...(types === undefined ? {} : { types })
  })
  const url = `${transport.baseUrl}/v1/orgs/${encodeURIComponent(organizationId)}/events/stream?${query}`
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

/**
 * Iterates over the events of an organization as they are committed. After an interruption, it continues after the last event,
 * with increasing delays of at most 30 seconds. Rejects with `ApiError` if the server rejects the stream for another reason
 * than its load, such as `Gone` for a cursor whose events were deleted.
 */
export const followEvents = async function* (
  transport: Transport,
  options: FollowEventsOptions
): AsyncGenerator<Event, void, undefined> {
  const { signal } = options
  let { after } = options
  let delayMs = 500
  const isAborted = (): boolean => signal?.aborted === true
  while (!isAborted()) {
    try {
      const body = await openStream(transport, options, after)
      options.onOpen?.()
      delayMs = 500
      for await (const event of readEvents(body)) {
        after = event.cursor
        yield event
      }
    } catch (error) {
      if (isAborted()) return
      const { status } = error as ApiError
      if (typeof status === "number" && !isTemporary(error as ApiError)) throw error
    }
    await wait(delayMs, signal)
    delayMs = Math.min(delayMs * 2, maximumDelayMs)
  }
}
