/** Deliveries to real HTTP servers: signatures, retries, failures, slow and restarted receivers. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace, verifyWebhook, WebhookTimes } from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Layer } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { until } from "./support/until.ts"

interface Received {
  readonly id: string
  readonly event: { readonly id: string; readonly type: string; readonly data: { readonly id: string } }
  readonly body: string
  readonly signature: string
}

/** Starts a server that receives webhooks. `respond` returns the status. */
const startReceiver = async (
  respond: (received: Received, response: ServerResponse) => number | undefined,
  port = 0
): Promise<{ readonly url: string; readonly port: number; readonly stop: () => Promise<void> }> => {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ""
    for await (const chunk of request) body += chunk
    const status = respond(
      {
        id: String(request.headers["x-lectern-delivery"]),
        event: JSON.parse(body),
        body,
        signature: String(request.headers["x-gitbook-signature"])
      },
      response
    )
    if (status !== undefined) response.writeHead(status).end("ignored")
  }
  const server: Server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
  const stop = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  onTestFinished(stop)
  const actual = (server.address() as AddressInfo).port
  return { url: `http://127.0.0.1:${actual}/hook`, port: actual, stop }
}

const defaultTimes = { timeoutMs: 5_000, leaseMs: 10_000, firstRetryMs: 50, retryForMs: 24 * 60 * 60 * 1_000 }

const open = async (times: Partial<typeof defaultTimes> = {}) => {
  const storage = MemoryStorage.layer().pipe(
    Layer.provideMerge(Layer.succeed(WebhookTimes, { ...defaultTimes, ...times }))
  )
  const workspace = createWorkspace({ storage, fetcher: nodeFetcher({ allow: ["127.0.0.1"] }) })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const ada = workspace.as(user)
  const stateOf = async (webhook: string) =>
    (await ada.webhooks.listDeliveries({ organization, webhook, input: { limit: 1000 } })).items
  /** The only delivery to a webhook. */
  const deliveryOf = async (webhook: string) => {
    const [delivery, ...others] = await stateOf(webhook)
    expect(others).toEqual([])
    if (delivery === undefined) throw new Error("The webhook has no delivery.")
    return delivery
  }
  return { workspace, user, organization, ada, stateOf, deliveryOf }
}

describe("a delivery", () => {
  it("contains the event, and is signed so that receivers can verify it", async () => {
    const received: Array<Received> = []
    const { url } = await startReceiver((delivery) => {
      received.push(delivery)
      return 200
    })
    const { ada, organization, workspace, stateOf } = await open()
    const { id, secret } = await ada.webhooks.create({
      organization,
      input: { url, events: ["space.created"] }
    })
    const space = await ada.spaces.create({ organization })
    await ada.collections.create({ organization })
    await workspace.work.drain()
    expect(received).toHaveLength(1)
    const [{ event, body, signature, id: delivery }] = received as [Received]
    expect([event.type, event.data.id]).toEqual(["space.created", space.id])
    const nowMs = Date.now()
    expect(signature).toMatch(/^t=\d{10},v1=[0-9a-f]{64}$/)
    expect(verifyWebhook({ secret, header: signature, body, nowMs })).toBe(true)
    expect(verifyWebhook({ secret, header: signature, body: `${body} `, nowMs })).toBe(false)
    expect(verifyWebhook({ secret: `${secret}x`, header: signature, body, nowMs })).toBe(false)
    expect(verifyWebhook({ secret, header: signature, body, nowMs: nowMs + 301_000 })).toBe(false)
    expect(await stateOf(id)).toMatchObject([{ id: delivery, state: "delivered", attempts: 1 }])
  })

  it("is signed with the former secret as well, until it expires", async () => {
    const received: Array<Received> = []
    const { url } = await startReceiver((delivery) => {
      received.push(delivery)
      return 204
    })
    const { ada, organization, workspace } = await open()
    const input = { url, events: ["space.created"] }
    const { id: webhook, secret: former } = await ada.webhooks.create({ organization, input })
    const { secret } = await ada.webhooks.rotateSecret({ organization, webhook })
    await ada.spaces.create({ organization })
    await workspace.work.drain()
    const { secret: last } = await ada.webhooks.rotateSecret({
      organization,
      webhook,
      input: { formerSecretHours: 0 }
    })
    await ada.spaces.create({ organization })
    await workspace.work.drain()
    const verified = received.map(({ signature: header, body }) =>
      [former, secret, last].map((secret) => verifyWebhook({ secret, header, body }))
    )
    expect(verified).toEqual([
      [true, true, false],
      [false, false, true]
    ])
  })

  it("that the receiver rejects is retried with the same id, and logged", async () => {
    const received: Array<Received> = []
    const { url } = await startReceiver((delivery) => (received.push(delivery) < 3 ? 500 : 200))
    const { ada, organization, workspace, stateOf, deliveryOf } = await open()
    const input = { url, events: ["space.created"] }
    const { id: webhook } = await ada.webhooks.create({ organization, input })
    await ada.spaces.create({ organization })
    await until("the delivery succeeds", async () => {
      await workspace.work.drain()
      return (await stateOf(webhook))[0]?.state === "delivered"
    })
    expect(new Set(received.map(({ id }) => id)).size).toBe(1)
    expect(new Set(received.map(({ event }) => event.id)).size).toBe(1)
    const { log } = await deliveryOf(webhook)
    expect(log.map(({ status }) => status)).toEqual([500, 500, 200])
  })

  it("fails after the time of its retries, and is delivered again by hand", async () => {
    let status = 503
    const received: Array<Received> = []
    const { url } = await startReceiver((delivery) => {
      received.push(delivery)
      return status
    })
    const { ada, organization, workspace, stateOf, deliveryOf } = await open({
      firstRetryMs: 1,
      retryForMs: 30
    })
    const input = { url, events: ["space.created"] }
    const { id: webhook } = await ada.webhooks.create({ organization, input })
    await ada.spaces.create({ organization })
    await until("the delivery fails", async () => {
      await workspace.work.drain()
      return (await stateOf(webhook))[0]?.state === "failed"
    })
    const { id: delivery } = await deliveryOf(webhook)
    status = 200
    const again = await ada.webhooks.redeliver({ organization, webhook, delivery })
    expect(again).toMatchObject({ id: delivery, state: "pending" })
    await workspace.work.drain()
    expect(await stateOf(webhook)).toMatchObject([{ id: delivery, state: "delivered" }])
    expect(new Set(received.map(({ id }) => id))).toEqual(new Set([delivery]))
  })

  it("to an address that is not allowed is not sent, and its log has the reason", async () => {
    const { ada, organization, workspace, deliveryOf } = await open()
    const input = { url: "http://10.0.0.1/hook", events: ["space.created"] }
    const { id: webhook } = await ada.webhooks.create({ organization, input })
    await ada.spaces.create({ organization })
    await workspace.work.drain()
    const { log } = await deliveryOf(webhook)
    expect(log[0]?.error).toBe(
      "The address is not publicly routable. The operator can allow it with LECTERN_FETCH_ALLOW."
    )
  })

  it("follows no redirect", async () => {
    const target = await startReceiver(() => 200)
    const { url } = await startReceiver((_, response) => {
      response.writeHead(307, { location: target.url }).end()
      return undefined
    })
    const { ada, organization, workspace, deliveryOf } = await open()
    const { id: webhook } = await ada.webhooks.create({
      organization,
      input: { url, events: ["space.created"] }
    })
    await ada.spaces.create({ organization })
    await workspace.work.drain()
    const { log, state } = await deliveryOf(webhook)
    expect([state, log]).toMatchObject(["pending", [{ status: 307 }]])
  })
})

describe("a webhook", () => {
  it("receives no events of another organization, and none while it is inactive", async () => {
    const { ada, organization, workspace, user, stateOf } = await open()
    const elsewhere = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Elsewhere" }
    })
    const url = "http://127.0.0.1:9/"
    const { id: webhook } = await ada.webhooks.create({ organization, input: { url, active: false } })
    await ada.spaces.create({ organization: elsewhere })
    await ada.spaces.create({ organization })
    await ada.webhooks.update({ organization, webhook, input: { active: true, events: ["space.created"] } })
    const { id } = await ada.spaces.create({ organization })
    await ada.spaces.create({ organization: elsewhere })
    await ada.events.list({ organization })
    const deliveries = await stateOf(webhook)
    expect(deliveries).toHaveLength(1)
    const { event } = await ada.webhooks.getDelivery({ organization, webhook, delivery: deliveries[0]!.id })
    expect(event.data).toMatchObject({ id })
  })

  it("that does not respond delays no other", async () => {
    const slow = await startReceiver(() => undefined)
    let count = 0
    const fast = await startReceiver(() => {
      count++
      return 200
    })
    const { ada, organization, workspace } = await open({ timeoutMs: 100_000, leaseMs: 200_000 })
    for (const { url } of [slow, fast]) {
      await ada.webhooks.create({ organization, input: { url, events: ["space.created"] } })
    }
    const running = workspace.work.run()
    for (let i = 0; i < 20; i++) await ada.spaces.create({ organization })
    await until("the fast webhook has received everything", () => count === 20)
    await workspace.dispose()
    await running
  })
})
