/** The tables `webhooks` and `webhookDeliveries`. */

import type { Event } from "@lectern/model/events"
import type { IntegrationPayload } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import type {
  DeliveryAttempt,
  DeliveryState,
  DevelopmentScope,
  WebhookDeliveryId,
  WebhookId
} from "@lectern/model/webhooks"
import { Table } from "../../storage/index.ts"
import { integrations } from "../integrations/integrationTables.ts"
import { lockKinds } from "../locks/tableLocks.ts"
import { organizations } from "../organizations/organizationTables.ts"

const webhookColumns = {
  id: Table.text<WebhookId>(),
  organization: Table.text<OrganizationId>(),
  url: Table.text(),
  description: Table.nullable(Table.text()),
  types: Table.json<ReadonlyArray<string>>(),
  active: Table.boolean(),
  /** The id of the integration whose events it receives; null for the events of the organization. */
  integration: Table.nullable(Table.text()),
  /** Whether it is that of development mode, and the organizations whose events it receives; null for others. */
  development: Table.nullable(Table.text<typeof DevelopmentScope.Type>()),
  /** The encrypted secret. */
  secret: Table.text(),
  formerSecret: Table.nullable(Table.text()),
  formerSecretExpiresAt: Table.nullable(Table.text()),
  createdBy: Table.text<UserId>(),
  createdAt: Table.text(),
  updatedAt: Table.text()
}

/** A row of the table `webhooks`. */
export interface WebhookRow extends Table.RowOf<typeof webhookColumns> {}

/** The table of webhooks. Deliveries read it without a lock, and tolerate that it changes. */
export const webhooks: Table.ProtectedTable<"webhooks", WebhookRow, "id"> = Table.makeProtected("webhooks", {
  tenant: "organization",
  columns: webhookColumns,
  locking: { writes: [lockKinds.organization], reads: "unlocked" },
  key: ["id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    integration: { table: () => integrations, onRemove: "cascade" }
  },
  indexes: [["organization", "id"], ["integration"]]
})

const deliveryColumns = {
  id: Table.text<WebhookDeliveryId>(),
  /** The webhook; the id of the integration for an event of an integration without a webhook. */
  webhook: Table.text<WebhookId>(),
  /** The integration whose event it is; null for the events of organizations. */
  integration: Table.nullable(Table.text()),
  organization: Table.text<OrganizationId>(),
  event: Table.json<Event | IntegrationPayload>(),
  type: Table.text(),
  state: Table.text<DeliveryState>(),
  attempts: Table.integer(),
  /** When a worker may claim it. A claim moves it into the future by the length of the lease. */
  nextAttemptAt: Table.text(),
  /** The start of the 24 hours of retries. */
  startedAt: Table.text(),
  createdAt: Table.text(),
  log: Table.json<ReadonlyArray<DeliveryAttempt>>()
}

/** A row of the table `webhookDeliveries`. */
export interface DeliveryRow extends Table.RowOf<typeof deliveryColumns> {}

/**
 * The queue and the log of deliveries. It has no reference to webhooks, so that numbering events and removing a webhook
 * never conflict: deliveries of a removed webhook are removed when they are due. Workers claim rows, so it requires no
 * grant; the service limits its queries to the organization.
 */
export const webhookDeliveries: Table.Table<"webhookDeliveries", DeliveryRow, "id"> = Table.make(
  "webhookDeliveries",
  {
    columns: deliveryColumns,
    locking: Table.withoutLocks,
    key: ["id"],
    indexes: [
      ["state", "nextAttemptAt"],
      ["webhook", "state", "nextAttemptAt"],
      ["webhook"],
      ["integration"],
      ["createdAt"]
    ]
  }
)
