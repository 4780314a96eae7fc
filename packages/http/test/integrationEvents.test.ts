/** The configuration of installations, and the events of integrations: their webhooks, tasks and development mode. */

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createWorkspace, verifyWebhook, WebhookTimes } from "@lectern/core"
import { runs } from "@lectern/harness"
import { nodeFetcher } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Layer } from "effect"
import * as fc from "fast-check"
import { describe, expect, it, onTestFinished } from "vitest"

interface Payload {
  readonly eventId: string
  readonly type: string
  readonly [name: string]: unknown
}

/** Starts a server that accepts webhooks, and returns their bodies in the order of arrival. */
const startReceiver = async () => {
  const received: Array<{ readonly payload: Payload; readonly body: string; readonly signature: string }> = []
  const server = createServer((request, response) => {
    let body = ""
    request.on("data", (chunk) => {
      body += chunk
    })
    request.on("end", () => {
      const signature = String(request.headers["x-gitbook-signature"])
      received.push({ payload: JSON.parse(body), body, signature })
      response.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`
  return { url, received, types: () => received.map(({ payload }) => payload.type) }
}

/** Opens a workspace with an integration of the first organization, which the second one can install. */
const open = async (manifest: Readonly<Record<string, unknown>> = {}) => {
  const storage = MemoryStorage.layer().pipe(
    Layer.provideMerge(
      Layer.succeed(WebhookTimes, {
        timeoutMs: 5_000,
        leaseMs: 10_000,
        firstRetryMs: 50,
        retryForMs: 24 * 60 * 60 * 1_000
      })
    )
  )
  const workspace = createWorkspace({ storage, fetcher: nodeFetcher({ allow: ["127.0.0.1"] }) })
  onTestFinished(() => workspace.dispose())
  const createAdmin = async (name: string) => {
    const user = await workspace.administration.createUser({ input: { email: `${name}@example.com` } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: name }
    })
    return { organization, api: workspace.as(user) }
  }
  const [owner, other] = [await createAdmin("ada"), await createAdmin("bob")]
  const integration = "tool"
  await owner.api.integrations.publish({
    integration,
    input: {
      organization: owner.organization,
      title: "Tool",
      description: "A tool.",
      script: "void 0",
      scopes: ["space:content:read"],
      visibility: "public",
      ...manifest
    }
  })
  const install = ({ api, organization }: typeof owner) =>
    api.installations.create({ integration, input: { organization } })
  const eventsOf = async () =>
    (await owner.api.integrationEvents.list({ integration, input: { limit: 1000 } })).items
  return { workspace, owner, other, integration, install, eventsOf }
}

const page = { operation: "insert_page" as const, document: { markdown: "# Page" } }

describe("the configuration of an installation", () => {
  const types = ["string", "number", "boolean"] as const
  const properties = fc.dictionary(
    fc.constantFrom("a", "b", "c", "d"),
    fc.oneof(
      fc.record({ type: fc.constantFrom(...types) }),
      fc.record({
        type: fc.constant("string" as const),
        enum: fc.uniqueArray(fc.constantFrom("x", "y", "z"), { minLength: 1 })
      })
    )
  )
  const values = fc.dictionary(
    fc.constantFrom("a", "b", "c", "d", "e"),
    fc.oneof(fc.constantFrom("x", "y", "other"), fc.integer(), fc.boolean(), fc.constant(null))
  )

  it("accepts exactly the values of the types and the lists that the integration declares", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ properties, required: fc.subarray(["a", "b"]), values }),
        fc.constantFrom("account" as const, "space" as const, "site" as const),
        async ({ properties, required, values }, kind) => {
          const { owner, integration, install, workspace } = await open({
            configurations: { [kind]: { properties, required } }
          })
          const { organization, api } = owner
          const { id: installation } = await install(owner)
          const configure = async () => {
            if (kind === "account") {
              return api.installations.update({
                integration,
                installation,
                input: { configuration: values }
              })
            }
            const one = { integration, installation }
            if (kind === "space") {
              const { id: space } = await api.spaces.create({ organization })
              await api.spaceInstallations.create({ ...one, input: { space } })
              return api.spaceInstallations.update({ ...one, space, input: { configuration: values } })
            }
            const { id: site } = await api.sites.create({ organization, input: { title: "Site" } })
            await api.siteInstallations.create({ ...one, input: { siteId: site } })
            return api.siteInstallations.update({ ...one, site, input: { configuration: values } })
          }
          const isValid = Object.entries(values).every(([name, value]) => {
            const property = properties[name]
            if (property === undefined || value === null) return true
            return (
              typeof value === property.type &&
              (!("enum" in property) || property.enum.includes(String(value) as never))
            )
          })
          const result = await configure().catch(({ _tag }: { readonly _tag: string }) => _tag)
          await workspace.dispose()
          if (!isValid) {
            expect(result).toBe("InvalidInput")
            return
          }
          const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
          expect(result).toMatchObject({
            configuration: present,
            status: required.every((name) => name in present) ? "active" : "pending"
          })
        }
      ),
      runs(40)
    )
  })
})

describe("the events of an integration", () => {
  it("are delivered to its webhook, signed, in the shapes of the public contract", async () => {
    const { url, received, types } = await startReceiver()
    const { owner, other, integration, install, eventsOf, workspace } = await open()
    const { secret } = await owner.api.webhooks.create({
      organization: owner.organization,
      input: { url, integration }
    })
    const { id: installation } = await install(other)
    const { id: space } = await other.api.spaces.create({ organization: other.organization })
    await other.api.spaceInstallations.create({ integration, installation, input: { space } })
    await other.api.installations.update({
      integration,
      installation,
      input: { configuration: { key: "one" } }
    })
    await workspace.work.drain()
    await other.api.content.edit({ content: { space }, input: { changes: [page] } })
    await workspace.work.drain()
    await other.api.spaceInstallations.remove({ integration, installation, space })
    await other.api.installations.remove({ integration, installation })
    await workspace.work.drain()
    expect(types().toSorted()).toEqual([
      "installation_deleted",
      "installation_setup",
      "installation_setup",
      // The first revision of the space, and the edit.
      "space_content_updated",
      "space_content_updated",
      "space_installation_deleted",
      "space_installation_setup"
    ])
    for (const { body, signature } of received) {
      expect(verifyWebhook({ secret, header: signature, body })).toBe(true)
    }
    const events = await eventsOf()
    expect(
      events
        .map(({ payload }) => payload)
        .toSorted((a, b) => String(a.eventId).localeCompare(String(b.eventId)))
    ).toEqual(received.map(({ payload }) => payload).toSorted((a, b) => a.eventId.localeCompare(b.eventId)))
    expect(new Set(events.map(({ status }) => status))).toEqual(new Set(["success"]))
    const updated = received.find(
      ({ payload }) => payload.previous !== undefined && payload.status === "active"
    )
    expect(updated?.payload.previous).toEqual({ status: "active", configuration: {} })
    const event = events[0]!
    const { trace } = await owner.api.integrationEvents.get({ integration, event: event.id })
    expect(trace.logs).toMatchObject([{ level: "info" }])
  })

  it("of content require the scope, and include the selected spaces only", async () => {
    const { other, integration, install, eventsOf, owner } = await open()
    const { id: installation } = await install(other)
    const [one, two] = [
      await other.api.spaces.create({ organization: other.organization }),
      await other.api.spaces.create({ organization: other.organization })
    ]
    await other.api.installations.update({
      integration,
      installation,
      input: { space_selection: "selected" }
    })
    await other.api.events.list({ organization: other.organization })
    await other.api.spaceInstallations.create({ integration, installation, input: { space: one.id } })
    await owner.api.spaces.create({ organization: owner.organization })
    for (const { id } of [one, two]) {
      await other.api.content.edit({ content: { space: id }, input: { changes: [page] } })
    }
    const { id: changeRequest } = await other.api.changeRequests.create({ space: one.id })
    await other.api.content.edit({
      content: { space: one.id, changeRequest },
      input: { changes: [page] }
    })
    await other.api.events.list({ organization: other.organization })
    const { revision } = await other.api.spaces.get({ space: one.id })
    const updates = (await eventsOf()).filter(({ payload }) => payload.type === "space_content_updated")
    expect(updates.map(({ payload }) => payload)).toMatchObject([
      { installationId: installation, spaceId: one.id, revisionId: revision }
    ])

    await owner.api.integrations.publish({
      integration,
      input: {
        organization: owner.organization,
        title: "Tool",
        description: "",
        script: "x",
        scopes: [],
        visibility: "public"
      }
    })
    const before = (await eventsOf()).length
    await other.api.content.edit({ content: { space: one.id }, input: { changes: [page] } })
    await other.api.events.list({ organization: other.organization })
    expect(await eventsOf()).toHaveLength(before)
  })

  it("are listed as failed without a webhook, and stay when the webhook is removed", async () => {
    const { owner, integration, install, eventsOf, workspace } = await open()
    await install(owner)
    const [first] = await eventsOf()
    expect(first).toMatchObject({ status: "failed", payload: { type: "installation_setup" } })
    const { trace } = await owner.api.integrationEvents.get({ integration, event: first!.id })
    expect(trace.logs).toMatchObject([{ level: "error", message: "The integration has no active webhook." }])
    const { organization } = owner
    const { id: webhook } = await owner.api.webhooks.create({
      organization,
      input: { url: "http://127.0.0.1:9/", integration }
    })
    await owner.api.integrationEvents.queueTask({ integration, input: { task: {} } })
    await owner.api.webhooks.remove({ organization, webhook })
    await workspace.work.drain()
    expect((await eventsOf()).map(({ status }) => status)).toEqual(["failed", "failed"])
    await owner.api.integrations.unpublish({ integration })
  })

  it("go to the tunnel in development mode: of the owner, or of all organizations", async () => {
    const [target, tunnel] = [await startReceiver(), await startReceiver()]
    const { owner, other, integration, install, workspace } = await open()
    const { organization } = owner
    await owner.api.webhooks.create({ organization, input: { url: target.url, integration } })
    const input = { tunnelUrl: tunnel.url }
    await owner.api.integrationEvents.setDevelopmentMode({ integration, input })
    await install(owner)
    const { id: installation } = await install(other)
    await workspace.work.drain()
    expect([tunnel.received.length, target.received.length]).toEqual([1, 1])
    await owner.api.integrationEvents.setDevelopmentMode({ integration, input: { ...input, all: true } })
    await other.api.installations.update({ integration, installation, input: { configuration: { a: 1 } } })
    await workspace.work.drain()
    expect([tunnel.received.length, target.received.length]).toEqual([2, 1])
    const listed = (await owner.api.webhooks.list({ organization })).items
    expect(listed.map(({ development }) => development)).toEqual(["all", undefined])
    await owner.api.integrationEvents.disableDevelopmentMode({ integration })
    await owner.api.integrationEvents.disableDevelopmentMode({ integration })
    await other.api.installations.update({ integration, installation, input: { configuration: { a: 2 } } })
    await workspace.work.drain()
    expect([tunnel.received.length, target.received.length]).toEqual([2, 2])
  })

  it("are tasks, which are delivered when they are due", async () => {
    const { url, received } = await startReceiver()
    const { owner, integration, workspace } = await open()
    await owner.api.webhooks.create({ organization: owner.organization, input: { url, integration } })
    await owner.api.integrationEvents.queueTask({ integration, input: { task: { kind: "now" } } })
    await owner.api.integrationEvents.queueTask({
      integration,
      input: { task: { kind: "later" }, schedule: 86_400 }
    })
    await workspace.work.drain()
    expect(received.map(({ payload }) => [payload.type, payload.task])).toEqual([["task", { kind: "now" }]])
  })

  it("have one webhook, of the organization that owns the integration", async () => {
    const { owner, other, integration } = await open()
    const create = ({ api, organization }: typeof owner, input: object) =>
      api.webhooks
        .create({ organization, input: { url: "https://example.com/", integration, ...input } })
        .then(
          () => "created",
          ({ _tag }: { readonly _tag: string }) => _tag
        )
    expect(await create(other, {})).toBe("InvalidInput")
    expect(await create(owner, { events: ["space.created"] })).toBe("InvalidInput")
    expect(await create(owner, {})).toBe("created")
    expect(await create(owner, {})).toBe("Conflict")
  })
})
