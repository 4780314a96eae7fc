/** Changes as server-sent events: each member receives the changes of visible resources only, until they lose access. */
import { isFastRun } from "@lectern/harness"
import { expect, it, onTestFinished } from "vitest"
import { memory } from "./stores.ts"
import { startServer } from "./support.ts"

const start = async () => {
  const server = await startServer(await memory.make())
  onTestFinished(() => server.close())
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const path = `/v1/orgs/${organization}`
  const send = async (method: string, url: string, body?: unknown, as = token) => {
    const init = { method, token: as, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await server.fetch(url, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`)
    return (text === "" ? {} : JSON.parse(text)) as { readonly id: string }
  }
  const addMember = async (email: string, role: "read" | "create" | null) => {
    const user = await server.core.createUser(email)
    await send("POST", `${path}/invites`, { emails: [email], role })
    return { user, token: await server.tokenOf(user) }
  }
  const createSpace = async (title: string, settings: { readonly defaultLevel: null } | undefined) => {
    const { id } = await send("POST", `${path}/spaces`, { title })
    if (settings !== undefined) await send("PATCH", `/v1/spaces/${id}`, settings)
    return id
  }
  return { server, organization, ada, token, path, send, addMember, createSpace }
}

interface Change {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Reads the changes of a stream in the background. */
const follow = async (opened: Response) => {
  const reader = opened.body!.pipeThrough(new TextDecoderStream()).getReader()
  const changes: Array<Change> = []
  let hasEnded = false
  const reading = (async () => {
    let text = ""
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      text += value
      const messages = text.split("\n\n")
      text = messages.pop()!
      for (const message of messages) {
        const data = message.split("\n").find((line) => line.startsWith("data: "))
        if (data !== undefined) changes.push(JSON.parse(data.slice(6)) as Change)
      }
    }
  })()
    .catch(() => undefined)
    .then(() => {
      hasEnded = true
    })
  onTestFinished(async () => {
    await reader.cancel().catch(() => undefined)
    await reading
  })
  return { changes, hasEnded: () => hasEnded, cancel: () => reader.cancel() }
}

const typesOf = (changes: ReadonlyArray<Change>) => changes.map(({ type }) => type)

it("sends a member the changes of visible resources, with ids only", async () => {
  const { server, path, send, addMember, createSpace } = await start()
  const grace = await addMember("grace@example.com", "read")
  const hidden = await createSpace("Hidden", { defaultLevel: null })
  const visible = await createSpace("Visible", undefined)
  const { changes } = await follow(await server.fetch(`${path}/changes/stream`, { token: grace.token }))
  await send("PATCH", `/v1/spaces/${hidden}`, { title: "Hidden still" })
  await send("POST", `/v1/spaces/${hidden}/comments`, { body: { markdown: "Secret" } })
  await send("POST", `${path}/webhooks`, { url: "https://example.com/", types: ["space.created"] })
  await send("PATCH", `/v1/spaces/${visible}`, { title: "Visible still" })
  await send("POST", `/v1/spaces/${visible}/comments`, { body: { markdown: "Open" } })
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("comment.created")
  expect(typesOf(changes).filter((type) => type !== "access.updated")).toEqual([
    "space.updated",
    "comment.created"
  ])
  expect(changes.find(({ type }) => type === "space.updated")!.data).toEqual({ id: visible })
  expect(JSON.stringify(changes)).not.toContain(hidden)
  expect(JSON.stringify(changes)).not.toContain("still")
})

it("announces that a member can see other spaces than before, and nothing of them afterwards", async () => {
  const { server, path, send, addMember, createSpace } = await start()
  const grace = await addMember("grace@example.com", "read")
  const space = await createSpace("Shared", { defaultLevel: null })
  const { changes } = await follow(await server.fetch(`${path}/changes/stream`, { token: grace.token }))
  await send("POST", `/v1/spaces/${space}/permissions`, { role: "read", users: [grace.user] })
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("access.updated")
  await send("PATCH", `/v1/spaces/${space}`, { title: "Seen" })
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("space.updated")
  changes.length = 0
  await send("DELETE", `/v1/spaces/${space}/permissions/users/${grace.user}`)
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("access.updated")
  changes.length = 0
  await send("PATCH", `/v1/spaces/${space}`, { title: "Unseen" })
  const open = await createSpace("Open", undefined)
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("space.created")
  expect(JSON.stringify(changes)).not.toContain(space)
  expect(JSON.stringify(changes)).toContain(open)
})

it("sends a guest the changes of the sites that are shared with them, and of no other", async () => {
  const { server, path, send, addMember } = await start()
  const grace = await addMember("grace@example.com", null)
  const site = (await send("POST", `${path}/sites`, { title: "Shared" })).id
  const other = (await send("POST", `${path}/sites`, { title: "Other" })).id
  const { changes } = await follow(await server.fetch(`${path}/changes/stream`, { token: grace.token }))
  await send("POST", `${path}/sites/${site}/permissions`, { role: "create", users: [grace.user] })
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("access.updated")
  await send("PATCH", `${path}/sites/${other}`, { title: "Hidden" })
  await send("PATCH", `${path}/sites/${site}`, { title: "Seen" }, grace.token)
  const sitesIn = () => changes.flatMap(({ type, data }) => (type.startsWith("site.") ? [data.id] : []))
  await expect.poll(sitesIn, { timeout: 10_000 }).toEqual([site])
  changes.length = 0
  await send("DELETE", `${path}/sites/${site}/permissions/users/${grace.user}`)
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("access.updated")
  changes.length = 0
  await send("PATCH", `${path}/sites/${site}`, { title: "Unseen" })
  await send("POST", `${path}/sites/${other}/permissions`, { role: "read", users: [grace.user] })
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("access.updated")
  expect(JSON.stringify(changes)).not.toContain(site)
})

it("ends when the member is removed", { timeout: 30_000 }, async () => {
  const { server, path, send, addMember, createSpace } = await start()
  const grace = await addMember("grace@example.com", "read")
  const stream = await follow(await server.fetch(`${path}/changes/stream`, { token: grace.token }))
  await send("DELETE", `${path}/members/${grace.user}`)
  await createSpace("Later", undefined)
  await expect.poll(stream.hasEnded, { timeout: 10_000 }).toBe(true)
  expect(typesOf(stream.changes)).not.toContain("space.created")
  expect((await server.fetch(`${path}/changes/stream`, { token: grace.token })).status).toBe(404)
})

it("ends within seconds when its token is revoked, for events as well", { timeout: 30_000 }, async () => {
  const { server, path, ada } = await start()
  const session = await server.fetch("/v1/user/tokens", {
    method: "POST",
    token: await server.tokenOf(ada),
    body: JSON.stringify({ label: "Window" })
  })
  const { id, secret } = (await session.json()) as { readonly id: string; readonly secret: string }
  const streams = [
    await follow(await server.fetch(`${path}/changes/stream`, { token: secret })),
    await follow(await server.fetch(`${path}/events/stream`, { token: secret }))
  ]
  await server.fetch(`/v1/user/tokens/${id}`, { method: "DELETE", token: await server.tokenOf(ada) })
  for (const { hasEnded } of streams) await expect.poll(hasEnded, { timeout: 10_000 }).toBe(true)
})

it("limits the open streams of a user, and counts them until they are closed", async () => {
  const { server, path, token, addMember } = await start()
  const grace = await addMember("grace@example.com", "read")
  const opened = []
  for (let count = 0; count < 16; count++) {
    opened.push(await follow(await server.fetch(`${path}/changes/stream`, { token })))
  }
  const statusOf = async (as: string) => {
    const response = await server.fetch(`${path}/changes/stream`, { token: as })
    await response.body?.cancel()
    return response.status
  }
  expect(await statusOf(token)).toBe(429)
  expect(await statusOf(grace.token)).toBe(200)
  await opened[0]!.cancel()
  await expect.poll(() => statusOf(token), { timeout: 10_000 }).toBe(200)
})

it("continues after a position, which the first response has, and rejects one that is too far back", async () => {
  const { server, path, token, send, createSpace } = await start()
  const session = await server.fetch("/v1/user", { token })
  const position = session.headers.get("event-position")!
  const space = await createSpace("Before", undefined)
  const { changes } = await follow(await server.fetch(`${path}/changes/stream?after=${position}`, { token }))
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("space.created")
  await send("PATCH", `/v1/spaces/${space}`, { title: "After" })
  await expect.poll(() => typesOf(changes), { timeout: 10_000 }).toContain("space.updated")
  const last = (await server.fetch("/v1/user", { token })).headers.get("event-position")!
  expect(Number(last)).toBeGreaterThan(Number(position))
  // A position of another database is the current one.
  const later = await server.fetch(`${path}/changes/stream?after=${Number(last) + 1_000_000}`, { token })
  expect(later.status).toBe(200)
  await later.body?.cancel()
  const malformed = await server.fetch(`${path}/changes/stream?after=first`, { token })
  expect(malformed.status).toBe(400)
})

it.skipIf(isFastRun)(
  "rejects a position that more than 1,000 events follow",
  { timeout: 60_000 },
  async () => {
    const { server, path, token, send } = await start()
    const space = (await send("POST", `${path}/spaces`, { title: "Space" })).id
    for (let count = 0; count <= 1_000; count++)
      await send("PATCH", `/v1/spaces/${space}`, { title: `${count}` })
    const response = await server.fetch(`${path}/changes/stream?after=0`, { token })
    expect(response.status).toBe(410)
    expect((await server.fetch(`${path}/changes/stream`, { token })).status).toBe(200)
  }
)
