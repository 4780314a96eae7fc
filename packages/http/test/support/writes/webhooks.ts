/** Writes to webhooks. */
import {
  type Created,
  exists,
  fact,
  isMissing,
  organizationPath,
  pickOne,
  removeWhere,
  uniqueName,
  type WriteKind,
  type WriteKinds
} from "./writes.ts"

const createWebhook: WriteKind = (writer) => {
  const description = uniqueName(writer)
  const path = `${organizationPath(writer)}/webhooks`
  return {
    method: "POST",
    path,
    body: { url: "http://127.0.0.1:9/", description, events: ["space.created"] },
    done: ({ id }: Created) => {
      writer.webhooks.push(`${path}/${id}`)
      return [fact(`${path}/${id}`, "description", description)]
    }
  }
}

const updateWebhook: WriteKind = (writer) => {
  const path = pickOne(writer, writer.webhooks)
  if (path === undefined) return undefined
  const description = uniqueName(writer)
  return { method: "PATCH", path, body: { description }, facts: [fact(path, "description", description)] }
}

const rotateWebhookSecret: WriteKind = (writer) => {
  const path = pickOne(writer, writer.webhooks)
  if (path === undefined) return undefined
  return { method: "POST", path: `${path}/secret`, body: {}, facts: [exists(path)] }
}

const redeliverWebhookDelivery: WriteKind = (writer) => {
  const path = pickOne(writer, writer.deliveries)
  return path === undefined ? undefined : { method: "POST", path: `${path}/redeliver`, facts: [exists(path)] }
}

const deleteWebhook: WriteKind = (writer) => {
  const path = pickOne(writer, writer.webhooks)
  if (path === undefined) return undefined
  removeWhere(writer.webhooks, (other) => other === path)
  return { method: "DELETE", path, facts: [isMissing(path)] }
}

/** The kinds of writes to webhooks, by their operations. */
export const webhookWrites = {
  createWebhook: [createWebhook],
  updateWebhook: [updateWebhook],
  rotateWebhookSecret: [rotateWebhookSecret],
  redeliverWebhookDelivery: [redeliverWebhookDelivery],
  deleteWebhook: [deleteWebhook]
} satisfies WriteKinds
