/** Scenarios of events and webhooks. */
import type {
  EventList,
  Page,
  Space,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryWithEvent,
  WebhookWithSecret
} from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

export const webhooks: ContractScenario = {
  title: "events are listed, and webhooks receive them",
  requires: ["events", "webhooks"],
  run: async ({ ada, acme, tag }) => {
    const at = { organizationId: acme.id }
    const created = await ada.call<WebhookWithSecret>("createWebhook", at, {
      body: {
        url: "https://example.com/hook",
        description: `Hook ${tag}`,
        events: ["space.created", "space.updated"],
        active: true
      }
    })
    expect(created).toMatchObject({ description: `Hook ${tag}`, active: true })
    const { secret, ...shown } = created
    expect(secret).toMatch(/^whsec_/)
    const webhook = { ...at, webhookId: created.id }
    await ada.call<WebhookWithSecret>("createWebhook", at, { body: { url: "http://example.com/all" } })
    expect(await ada.call<Webhook>("getWebhook", webhook)).toEqual(shown)
    expect(idsOf(await ada.call<Page<Webhook>>("listWebhooks", at))).toContain(created.id)
    const rotated = await ada.call<WebhookWithSecret>("rotateWebhookSecret", webhook, {
      body: { formerSecretHours: 2 }
    })
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.formerSecretExpiresAt).toBeDefined()

    await ada.call<Space>("createSpace", at, { body: { title: `First ${tag}` } })
    const space = await ada.call<Space>("createSpace", at, { body: { title: `Events ${tag}` } })
    const { items, cursor } = await ada.call<EventList>("listEvents", at, {
      query: { after: "0", types: "space.created,space.deleted", limit: 1000 }
    })
    const event = items.find(({ data }) => data.id === space.id)
    expect(event).toMatchObject({
      type: "space.created",
      organization: acme.id,
      data: { title: space.title }
    })
    const rest = await ada.call<EventList>("listEvents", at, { query: { after: cursor } })
    expect(rest.items.some(({ id }) => id === event?.id)).toBe(false)

    const deliveries = await ada.call<Page<WebhookDelivery>>("listWebhookDeliveries", webhook)
    expect(deliveries.items.map(({ type }) => type)).toEqual(["space.created", "space.created"])
    const delivery = { ...webhook, deliveryId: deliveries.items[0]!.id }
    const delivered = await ada.call<WebhookDeliveryWithEvent>("getWebhookDelivery", delivery)
    expect(delivered.event).toEqual(event)
    const again = await ada.call<WebhookDelivery>("redeliverWebhookDelivery", delivery)
    expect([again.id, again.state]).toEqual([delivered.id, "pending"])
    for (const state of ["pending", "delivered", "failed"]) {
      const found = await ada.call<Page<WebhookDelivery>>("listWebhookDeliveries", webhook, {
        query: { state }
      })
      expect(found.items.every((item) => item.state === state)).toBe(true)
    }

    const changed = await ada.call<Webhook>("updateWebhook", webhook, {
      body: { url: "https://example.com/other", description: null, events: [], active: false }
    })
    expect(changed).toMatchObject({ url: "https://example.com/other", events: [], active: false })
    await ada.expectError(400, "updateWebhook", webhook, { body: { events: ["space.exploded"] } })
    const renamed = { description: "Chat", events: ["space.created"] }
    expect(await ada.call<Webhook>("updateWebhook", webhook, { body: renamed })).toMatchObject(renamed)
    await ada.call("deleteWebhook", webhook)
    await ada.expectError(404, "getWebhook", webhook)
    await ada.expectError(404, "getWebhookDelivery", delivery)
  }
}
