import { ApiError, createClient, type Event } from "@lectern/client/fetch"
import { Redacted } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startServer, type TestServer } from "../server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const clientOf = (fetch?: typeof globalThis.fetch) =>
  createClient({
    baseUrl: server.baseUrl,
    token: Redacted.value(server.token),
    ...(fetch === undefined ? {} : { fetch })
  })

const createSpace = (title: string) =>
  clientOf().spaces.createSpace({ params: { organizationId: server.organizationId }, payload: { title } })

it("receives events as they are committed, until the signal is aborted", async () => {
  const controller = new AbortController()
  const events: Array<Event> = []
  const stream = clientOf().followEvents({
    organizationId: server.organizationId,
    types: "space.created",
    signal: controller.signal,
    onOpen: () => void createSpace("One").then(() => createSpace("Two"))
  })
  for await (const event of stream) {
    events.push(event)
    if (events.length === 2) controller.abort()
  }
  expect(events.map(({ type }) => type)).toEqual(["space.created", "space.created"])
})

it("continues after the last event when the connection was interrupted", async () => {
  const controller = new AbortController()
  const urls: Array<string> = []
  const block = (cursor: string) => `id: ${cursor}\nevent: a\ndata: ${JSON.stringify({ cursor })}\n\n`
  const client = clientOf(async (url) => {
    urls.push(new URL(String(url)).search)
    const cursor = `c${urls.length}`
    // The block arrives in two chunks, the second of which is never finished by the first connection.
    const text = `: keep-alive\n\n${block(cursor)}data: {"half`
    const middle = text.length / 2
    const encoder = new TextEncoder()
    return new Response(
      new ReadableStream({
        start: (stream) => {
          stream.enqueue(encoder.encode(text.slice(0, middle)))
          stream.enqueue(encoder.encode(text.slice(middle)))
          stream.close()
        }
      })
    )
  })
  const cursors: Array<string> = []
  const stream = client.followEvents({ organizationId: "o", after: "c0", signal: controller.signal })
  for await (const { cursor } of stream) {
    cursors.push(cursor)
    if (cursors.length === 3) controller.abort()
  }
  expect(cursors).toEqual(["c1", "c2", "c3"])
  expect(urls).toEqual(["?after=c0", "?after=c1", "?after=c2"])
})

it("rejects if the server rejects the stream", async () => {
  const stream = createClient({ baseUrl: server.baseUrl, token: "wrong" }).followEvents({
    organizationId: server.organizationId
  })
  const error = await stream.next().then(
    () => undefined,
    (reason: unknown) => reason
  )
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 401 })
})
