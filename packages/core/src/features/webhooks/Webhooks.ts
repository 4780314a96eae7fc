/** Operations on the webhooks of an organization. */

import {
  type AccessError,
  type Authorization,
  type Command,
  CurrentUser,
  type Granted,
  type GrantedReader,
  Locks,
  Operations,
  type Query,
  withRecentSignIn
} from "@lectern/access"
import {
  type Encryption,
  EventLog,
  Ids,
  makeLinkBase,
  now,
  Records,
  readPage,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { type DeliveryRow, type WebhookRow, webhookDeliveries, webhooks } from "@lectern/kernel/tables"
import { Conflict, InvalidInput, NotFound } from "@lectern/model/errors"
import type { IntegrationName } from "@lectern/model/integrations"
import { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import {
  CreateWebhook,
  ListWebhookDeliveries,
  maximumWebhooks,
  RotateWebhookSecret,
  UpdateWebhook,
  type Webhook,
  type WebhookDelivery,
  WebhookDeliveryId,
  type WebhookDeliveryWithEvent,
  WebhookId,
  type WebhookWithSecret
} from "@lectern/model/webhooks"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { unknownTypes } from "./eventTypes.ts"
import { findIntegration, integrationNames, requireAllEvents } from "./integrationWebhooks.ts"
import { makeWebhookSecrets } from "./webhookSecrets.ts"

interface OneWebhook {
  readonly organization: OrganizationId
  readonly webhook: WebhookId
}
interface OneDelivery extends OneWebhook {
  readonly delivery: WebhookDeliveryId
}

/**
 * Operations on the webhooks of an organization, on behalf of the `CurrentUser`. All of them require the role `admin`.
 * They fail with `NotFound` for an organization that the caller cannot see, or a webhook that is not in it.
 */
export interface WebhooksOperations {
  /** Lists the webhooks of an organization, newest first. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<Webhook>, AccessError>
  /**
   * Creates a webhook, and returns it with its secret. Fails with `InvalidInput` for an unknown type of events, and with
   * `Conflict` if the organization has 50 webhooks.
   */
  readonly create: Command<
    { organization: OrganizationId; input: CreateWebhook },
    WebhookWithSecret,
    AccessError | Conflict
  >
  /** Returns the webhook, without its secret. */
  readonly get: Query<OneWebhook, Webhook, AccessError>
  /** Updates the given fields. Fails with `InvalidInput` for an unknown type of events. */
  readonly update: Command<OneWebhook & { input?: UpdateWebhook }, Webhook, AccessError>
  /** Removes the webhook and its deliveries. */
  readonly remove: Command<OneWebhook, void, AccessError>
  /**
   * Generates a new secret, and returns the webhook with it. Requests are signed with the former secret as well, for 24
   * hours by default.
   */
  readonly rotateSecret: Command<OneWebhook & { input?: RotateWebhookSecret }, WebhookWithSecret, AccessError>
  /** Lists the deliveries of the webhook, newest first. */
  readonly listDeliveries: Query<
    OneWebhook & { input?: ListWebhookDeliveries },
    Page<WebhookDelivery>,
    AccessError
  >
  /** Returns the delivery, with its event. */
  readonly getDelivery: Query<OneDelivery, WebhookDeliveryWithEvent, AccessError>
  /** Delivers the event again, under the same id: now, and with retries for 24 hours. */
  readonly redeliver: Command<OneDelivery, WebhookDelivery, AccessError>
}

const defaultFormerSecretHours = 24
const hourMs = 60 * 60 * 1_000

const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  object: "webhook-delivery",
  id: row.id,
  webhook: row.webhook,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  ...(row.state === "pending" ? { nextAttemptAt: row.nextAttemptAt } : {}),
  createdAt: row.createdAt,
  log: row.log
})

const one = { organization: OrganizationId, webhook: WebhookId }

const makeWebhookAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const administrate = allow.organization("administrate")

  const loadWebhook = allow.loading(administrate, (records, { webhook }: OneWebhook) =>
    records.get(webhooks, { id: webhook })
  )

  const allowWebhook: Authorization<OneWebhook, { readonly row: WebhookRow }, AccessError> = {
    rule: administrate.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ grant }, row] = yield* loadWebhook(target)
      if (row?.organization !== target.organization) return yield* NotFound.of("webhook")
      return { grant, row }
    })
  }

  const loadDelivery = allow.loading(administrate, (records, { delivery }: OneDelivery) =>
    records.get(webhookDeliveries, { id: delivery })
  )

  const allowDelivery: Authorization<OneDelivery, { readonly row: DeliveryRow } & Granted, AccessError> = {
    rule: administrate.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ grant }, row] = yield* loadDelivery(target)
      if (row?.organization !== target.organization || row.webhook !== target.webhook) {
        return yield* NotFound.of("delivery")
      }
      return { grant, row }
    })
  }

  return { administrate, allowWebhook, allowDelivery }
})

const makePresenters = Effect.gen(function* () {
  const linkBase = yield* makeLinkBase

  const present = (records: GrantedReader, row: WebhookRow, time: string) =>
    Effect.flatMap(integrationNames(records, [row]), (names) => presentNamed(names, row, time))

  const presentNamed = Effect.fnUntraced(function* (
    names: ReadonlyMap<string, IntegrationName>,
    row: WebhookRow,
    time: string
  ): Effect.fn.Return<Webhook> {
    const base = yield* linkBase
    const integration = row.integration === null ? undefined : names.get(row.integration)
    return {
      object: "webhook",
      id: row.id,
      url: row.url,
      ...(row.description === null ? {} : { description: row.description }),
      events: row.types,
      active: row.active,
      ...(integration === undefined ? {} : { integration }),
      ...(row.development === null ? {} : { development: row.development }),
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      ...(row.formerSecretExpiresAt === null || row.formerSecretExpiresAt <= time
        ? {}
        : { formerSecretExpiresAt: row.formerSecretExpiresAt }),
      urls: { location: `${base}/v1/orgs/${row.organization}/webhooks/${row.id}` }
    }
  })

  return { present, presentNamed }
})

const makeRegistration = Effect.gen(function* () {
  const { command } = yield* Operations
  const log = yield* EventLog
  const ids = yield* Ids
  const secrets = yield* makeWebhookSecrets
  const unknown = yield* unknownTypes
  const { administrate, allowWebhook } = yield* makeWebhookAccess
  const { present } = yield* makePresenters

  const requireKnown = (types: ReadonlyArray<string>): Effect.Effect<void, InvalidInput> => {
    const problem = unknown(types)
    return problem === undefined ? Effect.void : Effect.fail(InvalidInput.at("events", problem))
  }

  /** Numbers the events that were committed before the command, so that they are not delivered by its new settings. */
  const afterNumbering = <Parameters>(
    parameters: Parameters
  ): Effect.Effect<Parameters, StorageUnavailable> => Effect.as(log.number, parameters)

  return {
    create: command(
      "Webhooks.create",
      {
        parameters: { organization: OrganizationId, input: CreateWebhook },
        authorize: withRecentSignIn(administrate),
        locks: Locks.organization,
        prepare: afterNumbering
      },
      function* ({ organization, input }, { records }) {
        yield* requireKnown(input.events ?? [])
        const integration =
          input.integration === undefined ? null : yield* findIntegration(records, organization, input)
        const count = yield* records.count(
          webhooks,
          Where.eq<WebhookRow, "organization">("organization", organization)
        )
        if (count >= maximumWebhooks) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `An organization can have at most ${maximumWebhooks} webhooks.`
          })
        }
        const time = yield* now
        const id = WebhookId.make(yield* ids.next)
        const { secret, encrypted } = yield* secrets.generate(id)
        const row: WebhookRow = {
          id,
          organization,
          url: input.url,
          description: input.description ?? null,
          types: input.events ?? [],
          active: input.active ?? true,
          integration,
          development: null,
          secret: encrypted,
          formerSecret: null,
          formerSecretExpiresAt: null,
          createdBy: (yield* CurrentUser).id,
          createdAt: time,
          updatedAt: time
        }
        yield* records.insert(webhooks, row)
        return { ...(yield* present(records, row, time)), secret }
      }
    ),

    update: command(
      "Webhooks.update",
      {
        parameters: { ...one, input: UpdateWebhook },
        authorize: withRecentSignIn(allowWebhook),
        locks: Locks.organization,
        prepare: afterNumbering
      },
      function* ({ input: { events, ...input } }, { row, records }) {
        yield* requireKnown(events ?? [])
        if (row.integration !== null) yield* requireAllEvents(events ?? [])
        const time = yield* now
        const set = { ...input, ...(events === undefined ? {} : { types: events }), updatedAt: time }
        yield* records.update(webhooks, Where.eq("id", row.id), set)
        return yield* present(records, { ...row, ...set }, time)
      }
    )
  }
})

const makeManagement = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const secrets = yield* makeWebhookSecrets
  const { administrate, allowWebhook } = yield* makeWebhookAccess
  const { presentNamed, present } = yield* makePresenters

  return {
    list: query(
      "Webhooks.list",
      { parameters: { organization: OrganizationId, input: PageQuery }, authorize: administrate },
      function* ({ organization, input }, { records }) {
        const time = yield* now
        return yield* readPage(records, input, {
          table: webhooks,
          list: ["webhooks", organization],
          where: Where.eq<WebhookRow, "organization">("organization", organization),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) =>
            Effect.flatMap(integrationNames(records, rows), (names) =>
              Effect.forEach(rows, (row) => presentNamed(names, row, time))
            )
        })
      }
    ),

    get: query("Webhooks.get", { parameters: one, authorize: allowWebhook }, function* (_, { row, records }) {
      return yield* present(records, row, yield* now)
    }),

    remove: command(
      "Webhooks.remove",
      { parameters: one, authorize: allowWebhook, locks: Locks.organization },
      function* (_, { row, records }) {
        yield* records.remove(webhooks, Where.eq("id", row.id))
        yield* records.remove(
          webhookDeliveries,
          // The events of an integration stay in its list.
          Where.and<DeliveryRow>(Where.eq("webhook", row.id), Where.isNull("integration"))
        )
      }
    ),

    rotateSecret: command(
      "Webhooks.rotateSecret",
      {
        parameters: { ...one, input: RotateWebhookSecret },
        authorize: withRecentSignIn(allowWebhook),
        locks: Locks.organization
      },
      function* ({ input }, { row, records }) {
        const hours = input.formerSecretHours ?? defaultFormerSecretHours
        const { secret, encrypted } = yield* secrets.generate(row.id)
        const time = yield* now
        const set = {
          secret: encrypted,
          formerSecret: hours === 0 ? null : row.secret,
          formerSecretExpiresAt:
            hours === 0 ? null : toTimestamp((yield* Clock.currentTimeMillis) + hours * hourMs),
          updatedAt: time
        }
        yield* records.update(webhooks, Where.eq("id", row.id), set)
        return { ...(yield* present(records, { ...row, ...set }, time)), secret }
      }
    )
  }
})

const makeDeliveries = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const store = yield* Records
  const { allowWebhook, allowDelivery } = yield* makeWebhookAccess

  return {
    listDeliveries: query(
      "Webhooks.listDeliveries",
      { parameters: { ...one, input: ListWebhookDeliveries }, authorize: allowWebhook },
      function* ({ webhook, input }) {
        const { state } = input
        return yield* readPage(store, input, {
          table: webhookDeliveries,
          list: ["webhookDeliveries", webhook, state],
          where: Where.and<DeliveryRow>(
            Where.eq("webhook", webhook),
            ...(state === undefined ? [] : [Where.eq<DeliveryRow, "state">("state", state)])
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map(presentDelivery))
        })
      }
    ),

    getDelivery: query(
      "Webhooks.getDelivery",
      { parameters: { ...one, delivery: WebhookDeliveryId }, authorize: allowDelivery },
      function* (_, { row }) {
        return yield* Effect.succeed({ ...presentDelivery(row), event: row.event })
      }
    ),

    redeliver: command(
      "Webhooks.redeliver",
      {
        parameters: { ...one, delivery: WebhookDeliveryId },
        authorize: allowDelivery,
        locks: Locks.organization
      },
      function* (_, { row, records }) {
        const time = yield* now
        const set = { state: "pending" as const, nextAttemptAt: time, startedAt: time }
        yield* records.update(webhookDeliveries, Where.eq("id", row.id), set)
        return presentDelivery({ ...row, ...set })
      }
    )
  }
})

const makeWebhooks = Effect.gen(function* () {
  return { ...(yield* makeRegistration), ...(yield* makeManagement), ...(yield* makeDeliveries) }
})

/** Operations on the webhooks of an organization: see {@link WebhooksOperations}. */
export class Webhooks extends Context.Service<Webhooks, WebhooksOperations>()("@lectern/core/Webhooks") {
  static readonly layer: Layer.Layer<Webhooks, never, Operations | Records | EventLog | Ids | Encryption> =
    Layer.effect(Webhooks, makeWebhooks).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
