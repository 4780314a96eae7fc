/** Events of integrations: changes of installations and of content, and tasks. */
import * as Schema from "effect/Schema"
import { maximumJsonLength } from "../schema/jsonSize.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"
import { InstallationId } from "./Installation.ts"

/** The payload of an event: `eventId`, `type`, and fields that depend on the type. */
export const IntegrationPayload = Schema.Record(Schema.String, Schema.Unknown)
/** The payload of an event: `eventId`, `type`, and fields that depend on the type. */
export type IntegrationPayload = typeof IntegrationPayload.Type

/** An event that an integration receives. */
export class IntegrationEvent extends resource<IntegrationEvent>()(
  Schema.Struct({
    /** The id of the event, which the payload contains as `eventId`. */
    id: Schema.String,
    /** The name of the integration. */
    integrationId: Schema.String,
    /** The id of the installation. Absent for tasks. */
    installationId: Schema.optionalKey(InstallationId),
    /** When the event occurred. */
    createdAt: Timestamp,
    /** The body of the request to the webhook of the integration: `eventId`, `type` and the fields of the type. */
    payload: IntegrationPayload,
    /** Whether the webhook of the integration has accepted the event. `failed` also while the delivery is pending. */
    status: Schema.Literals(["success", "failed"])
  }).annotate({ identifier: "IntegrationEvent" })
) {}

/** An entry of the log of an event. */
class IntegrationEventLog extends resource<IntegrationEventLog>()(
  Schema.Struct({
    /** The result of a request to the webhook, or the reason why no request was sent. */
    message: Schema.String,
    /** The time of the request. */
    timestamp: Timestamp,
    /** The level: `info`, or `error` for a request that failed. */
    level: Schema.Literals(["info", "error"])
  }).annotate({ identifier: "IntegrationEventLog" })
) {}

/** An event that an integration receives, with the log of its delivery. */
export class IntegrationEventWithTrace extends resource<IntegrationEventWithTrace>()(
  Schema.Struct({
    /** The event. */
    event: IntegrationEvent,
    /** The log of the delivery. */
    trace: Schema.Struct({
      /** The last 20 requests to the webhook, oldest first. */
      logs: Schema.Array(IntegrationEventLog)
    })
  }).annotate({ identifier: "IntegrationEventWithTrace" })
) {}

/** The page of a list of events. */
export class ListIntegrationEvents extends resource<ListIntegrationEvents>()(
  Schema.Struct(PageQuery.fields)
) {}

/** The maximum length of a task, in characters of JSON. */
const maximumTaskLength = 100_000

/** The input that queues a task. */
export class QueueTask extends resource<QueueTask>()(
  Schema.Struct({
    /** The payload of the task: at most 100,000 characters of JSON. */
    task: Schema.Record(Schema.String, Schema.Unknown).check(maximumJsonLength(maximumTaskLength)),
    /** The number of seconds to wait before the task is delivered: 0 to 86,400, 0 by default. */
    schedule: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween(
          { minimum: 0, maximum: 86_400 },
          { message: "must be a whole number from 0 to 86400" }
        )
      )
    )
  }).annotate({ identifier: "QueueIntegrationTask" })
) {}

/** The input that enables development mode. */
export class SetDevelopmentMode extends resource<SetDevelopmentMode>()(
  Schema.Struct({
    /** The URL that receives the events of the integration instead of its webhook: 1 to 256 characters. */
    tunnelUrl: Url.check(Schema.isMaxLength(256, { message: "must be at most 256 characters" })),
    /** Whether it receives the events of all organizations, not only of the owner of the integration; false by default. */
    all: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "SetIntegrationDevelopmentMode" })
) {}

/** A token of an installation. */
export class InstallationToken extends resource<InstallationToken>()(
  Schema.Struct({
    /** The secret for the header `Authorization: Bearer`, which is valid for an hour. */
    token: text({ min: 1, max: 200 })
  }).annotate({ identifier: "APITemporaryToken" })
) {}
