/** Events over HTTP: the list with a cursor, and server-sent events. */
import { describe, expect, it, onTestFinished } from "vitest"
import { memory } from "./stores.ts"
import { startServer } from "./support.ts"

const open = async () => {
  const server = await startServer(await memory.make())
  onTestFinished(() => server.close())
  const user = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const path = `/v1/orgs/${organization}`
  const create = async (title: string) => {
    const body = JSON.stringify({ title })
    const response = await server.fetch(`${path}/spaces`, { method: "POST", token, body })
    return ((await response.json()) as { readonly id: string }).id
  }
  return { server, token, path, create }
}

interface ServerSent {
  readonly id: string
  readonly event: string
  readonly data: { readonly data: { readonly id: string } }
}

/** Reads server-sent events of a response until `count` have arrived. */
const readEvents = async (response: Response, count: number): Promise<ReadonlyArray<ServerSent>> => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const found: Array<ServerSent> = []
  let text = ""
  while (found.length < count) {
    const { value, done } = await reader.read()
    if (done) throw new Error(`The stream ended after ${found.length} events.`)
    text += value
    const messages = text.split("\n\n")
    text = messages.pop()!
    for (const message of messages) {
      const fields = new Map(
        message
          .split("\n")
          .map((line): [string, string] => [
            line.slice(0, line.indexOf(":")),
            line.slice(line.indexOf(":") + 2)
          ])
      )
      if (!fields.has("data")) continue
      const [id, event] = [fields.get("id") ?? "", fields.get("event") ?? ""]
      found.push({ id, event, data: JSON.parse(fields.get("data")!) as ServerSent["data"] })
    }
  }
  await reader.cancel()
  return found
}

describe("the stream of events", () => {
  it("sends events as they are committed, and continues after the last one that a client has received", async () => {
    const { server, token, path, create } = await open()
    const first = await create("One")
    const url = `${path}/events/stream?types=space.created`
    const response = await server.fetch(`${url}&after=0`, { token })
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"])
    const second = create("Two")
    const received = await readEvents(response, 2)
    expect(received.map(({ event, data }) => [event, data.data.id])).toEqual([
      ["space.created", first],
      ["space.created", await second]
    ])
    const third = await create("Three")
    const resumed = await server.fetch(url, { token, headers: { "last-event-id": received[1]!.id } })
    expect((await readEvents(resumed, 1)).map(({ data }) => data.data.id)).toEqual([third])
  })

  it("rejects callers without a token, strangers, and malformed cursors", async () => {
    const { server, token, path } = await open()
    const stranger = await server.tokenOf(await server.core.createUser("eve@example.com"))
    const statusOf = async (query: string, token?: string) => {
      const init = token === undefined ? {} : { token }
      return (await server.fetch(`${path}/events/stream${query}`, init)).status
    }
    expect(await statusOf("")).toBe(401)
    expect(await statusOf("", stranger)).toBe(404)
    expect(await statusOf("?after=x", token)).toBe(400)
  })
})

describe("the list of events", () => {
  it("returns each event once to a client that continues with the cursor", async () => {
    const { server, token, path, create } = await open()
    for (const title of ["One", "Two", "Three", "Four"]) await create(title)
    const titles: Array<string> = []
    let after = "0"
    for (let hasMore = true; hasMore; ) {
      const response = await server.fetch(`${path}/events?limit=1&types=space.created&after=${after}`, {
        token
      })
      const page = (await response.json()) as {
        readonly items: ReadonlyArray<{ readonly data: { readonly title: string } }>
        readonly cursor: string
        readonly hasMore: boolean
      }
      titles.push(...page.items.map(({ data }) => data.title))
      after = page.cursor
      hasMore = page.hasMore
    }
    expect(titles).toEqual(["One", "Two", "Three", "Four"])
  })
})
