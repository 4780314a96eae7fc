/** Operations on the events, the tasks and the development mode of an integration. */

import {
  type AccessError,
  type Command,
  CurrentUser,
  type GrantedReader,
  Locks,
  Operations,
  type Query,
  SystemGrant
} from "@lectern/access"
import { type Encryption, Ids, now, type Records, readPage, Where } from "@lectern/kernel"
import {
  type DeliveryRow,
  type IntegrationRow,
  type WebhookRow,
  webhookDeliveries,
  webhooks
} from "@lectern/kernel/tables"
import { Conflict, NotFound } from "@lectern/model/errors"
import {
  InstallationId,
  type IntegrationEvent,
  type IntegrationEventWithTrace,
  IntegrationName,
  type IntegrationPayload,
  ListIntegrationEvents,
  QueueTask,
  SetDevelopmentMode
} from "@lectern/model/integrations"
import type { Page } from "@lectern/model/schema"
import { WebhookDeliveryId, WebhookId } from "@lectern/model/webhooks"
import { Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeWebhookSecrets } from "../webhooks/webhookSecrets.ts"
import { integrationAuthorizations } from "./integrationAuthorizations.ts"
import { makeIntegrationEventWriter } from "./integrationEventWriter.ts"

interface OneIntegration {
  readonly integration: IntegrationName
}

/**
 * Operations on the events of an integration, on behalf of the `CurrentUser`. All of them require the role `admin` in the
 * organization that owns the integration.
 */
export interface IntegrationEventsOperations {
  /** Lists the events of the integration, newest first, for as long as deliveries of webhooks are retained. */
  readonly list: Query<
    OneIntegration & { input?: ListIntegrationEvents },
    Page<IntegrationEvent>,
    AccessError
  >
  /** Returns the event, with the requests to the webhook of the integration. */
  readonly get: Query<OneIntegration & { event: WebhookDeliveryId }, IntegrationEventWithTrace, AccessError>
  /**
   * Delivers a task to the webhook of the integration, as an event of the type `task`, after `schedule` seconds. Fails with
   * `Conflict` if 1,000 tasks of the integration are pending.
   */
  readonly queueTask: Command<OneIntegration & { input: QueueTask }, void, AccessError | Conflict>
  /**
   * Delivers the events of the integration to a URL instead of its webhook. The URL is that of a webhook of the organization,
   * which administrators see in the list of webhooks.
   */
  readonly setDevelopmentMode: Command<OneIntegration & { input: SetDevelopmentMode }, void, AccessError>
  /** Delivers the events of the integration to its webhook again. Does nothing if development mode is not enabled. */
  readonly disableDevelopmentMode: Command<OneIntegration, void, AccessError>
}

/** The maximum number of pending tasks of an integration. */
const maximumPendingTasks = 1_000

const present = ({ name }: IntegrationRow, row: DeliveryRow): IntegrationEvent => {
  const payload = row.event as IntegrationPayload
  const { installationId } = payload
  return {
    id: row.id,
    integrationId: name,
    ...(typeof installationId === "string" ? { installationId: InstallationId.make(installationId) } : {}),
    createdAt: row.createdAt,
    payload,
    status: row.state === "delivered" ? "success" : "failed"
  }
}

const findDevelopmentWebhook = (records: GrantedReader, { id }: IntegrationRow) =>
  records.first(webhooks, {
    where: Where.and<WebhookRow>(
      Where.eq("integration", id),
      Where.not<WebhookRow>(Where.isNull("development"))
    )
  })

const makeAdministrate = Effect.gen(function* () {
  const directory = yield* SystemGrant.make(
    "Shows the events of an integration in all organizations to its owner."
  )

  const administrate = integrationAuthorizations(directory).integration("administrate")

  return { administrate }
})

const makeLog = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const writeEvents = yield* makeIntegrationEventWriter
  const { administrate } = yield* makeAdministrate

  return {
    list: query(
      "IntegrationEvents.list",
      { parameters: { integration: IntegrationName, input: ListIntegrationEvents }, authorize: administrate },
      function* ({ input }, { integration, records }) {
        return yield* readPage(records, input, {
          table: webhookDeliveries,
          list: ["integrationEvents", integration.id],
          where: Where.eq<DeliveryRow, "integration">("integration", integration.id),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map((row) => present(integration, row)))
        })
      }
    ),

    get: query(
      "IntegrationEvents.get",
      { parameters: { integration: IntegrationName, event: WebhookDeliveryId }, authorize: administrate },
      function* ({ event }, { integration, records }) {
        const row = yield* records.get(webhookDeliveries, { id: event })
        if (row === undefined || row.integration !== integration.id) return yield* NotFound.of("event")
        return {
          event: present(integration, row),
          trace: {
            logs: row.log.map(({ startedAt, durationMs, status, error }) => ({
              message: error ?? `The webhook responded with the status ${status} after ${durationMs} ms.`,
              timestamp: startedAt,
              level:
                status !== undefined && status >= 200 && status < 300 ? ("info" as const) : ("error" as const)
            }))
          }
        }
      }
    ),

    queueTask: command(
      "IntegrationEvents.queueTask",
      {
        parameters: { integration: IntegrationName, input: QueueTask },
        authorize: administrate,
        locks: ({ integration }, caller) => Locks.integration(integration, caller)
      },
      function* ({ input: { task, schedule = 0 } }, { integration, records }) {
        const pending = yield* records.count(
          webhookDeliveries,
          Where.and<DeliveryRow>(
            Where.eq("integration", integration.id),
            Where.eq("state", "pending"),
            Where.eq("type", "task")
          )
        )
        if (pending >= maximumPendingTasks) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `An integration can have at most ${maximumPendingTasks} pending tasks.`
          })
        }
        yield* writeEvents(records, [
          {
            integration,
            organization: integration.organization,
            type: "task",
            fields: { task },
            delayMs: schedule * 1_000
          }
        ])
      }
    )
  }
})

const makeDevelopment = Effect.gen(function* () {
  const { command } = yield* Operations
  const ids = yield* Ids
  const secrets = yield* makeWebhookSecrets
  const { administrate } = yield* makeAdministrate

  return {
    setDevelopmentMode: command(
      "IntegrationEvents.setDevelopmentMode",
      {
        parameters: { integration: IntegrationName, input: SetDevelopmentMode },
        authorize: administrate,
        locks: ({ integration }, caller) => Locks.integration(integration, caller, { changesOwner: true })
      },
      function* ({ input: { tunnelUrl, all = false } }, { integration, records }) {
        const time = yield* now
        const set = { url: tunnelUrl, development: all ? ("all" as const) : ("owner" as const) }
        const row = yield* findDevelopmentWebhook(records, integration)
        if (row !== undefined) {
          if (row.url === set.url && row.development === set.development) return
          yield* records.update(webhooks, Where.eq("id", row.id), { ...set, updatedAt: time })
          return
        }
        const id = WebhookId.make(yield* ids.next)
        const { encrypted } = yield* secrets.generate(id)
        yield* records.insert(webhooks, {
          id,
          organization: integration.organization,
          description: null,
          types: [],
          active: true,
          integration: integration.id,
          ...set,
          secret: encrypted,
          formerSecret: null,
          formerSecretExpiresAt: null,
          createdBy: (yield* CurrentUser).id,
          createdAt: time,
          updatedAt: time
        })
      }
    ),

    disableDevelopmentMode: command(
      "IntegrationEvents.disableDevelopmentMode",
      {
        parameters: { integration: IntegrationName },
        authorize: administrate,
        locks: ({ integration }, caller) => Locks.integration(integration, caller, { changesOwner: true })
      },
      function* (_, { integration, records }) {
        const row = yield* findDevelopmentWebhook(records, integration)
        if (row !== undefined) yield* records.remove(webhooks, Where.eq("id", row.id))
      }
    )
  }
})

const makeIntegrationEvents = Effect.gen(function* () {
  return { ...(yield* makeLog), ...(yield* makeDevelopment) }
})

/** Operations on the events of integrations: see {@link IntegrationEventsOperations}. */
export class IntegrationEvents extends Context.Service<IntegrationEvents, IntegrationEventsOperations>()(
  "@lectern/core/IntegrationEvents"
) {
  static readonly layer: Layer.Layer<IntegrationEvents, never, Records | Operations | Encryption | Ids> =
    Layer.effect(IntegrationEvents, makeIntegrationEvents).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
