/** Creates the tables of events and webhooks. Released: do not change. */
import { Table } from "@lectern/kernel"
import type { Migration } from "../Migration.ts"
import { createTable } from "../SchemaChange.ts"
import { organizations } from "./0001-foundation.ts"

const { boolean, generated, integer, json, nullable, text } = Table

const eventColumns = {
  type: text(),
  version: integer(),
  organization: nullable(text()),
  operation: nullable(text()),
  actor: nullable(text()),
  createdAt: text(),
  data: json()
}

const outboxEvents = Table.make("outboxEvents", {
  columns: { position: generated(), ...eventColumns },
  key: ["position"]
})

const events = Table.make("events", {
  columns: { sequence: integer(), id: text(), ...eventColumns },
  key: ["sequence"],
  unique: [["id"]],
  indexes: [["organization"], ["createdAt"]]
})

const webhooks = Table.make("webhooks", {
  columns: {
    id: text(),
    organization: text(),
    url: text(),
    description: nullable(text()),
    types: json(),
    active: boolean(),
    secret: text(),
    formerSecret: nullable(text()),
    formerSecretExpiresAt: nullable(text()),
    createdBy: text(),
    createdAt: text(),
    updatedAt: text()
  },
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})

const webhookDeliveries = Table.make("webhookDeliveries", {
  columns: {
    id: text(),
    webhook: text(),
    organization: text(),
    event: json(),
    type: text(),
    state: text(),
    attempts: integer(),
    nextAttemptAt: text(),
    startedAt: text(),
    createdAt: text(),
    log: json()
  },
  key: ["id"],
  indexes: [["state", "nextAttemptAt"], ["webhook", "state", "nextAttemptAt"], ["webhook"], ["createdAt"]]
})

export const eventsMigration: Migration = {
  number: 15,
  name: "events",
  changes: [outboxEvents, events, webhooks, webhookDeliveries].map(createTable)
}
