/**
 * The jobs of notifications. The transaction that numbers events enqueues a job with the events that notify members, so that each
 * event notifies exactly once, also if processes are killed, and no command waits for it.
 */

import { type GrantedRecords, SystemGrant } from "@lectern/access"
import {
  EventLog,
  housekeepingJob,
  type JobHandler,
  Jobs,
  Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import {
  decodeNotifiedEvents,
  type NotificationRow,
  notifications,
  notifiedEvents
} from "@lectern/kernel/tables"
import { NotificationId } from "@lectern/model/notifications"
import { OrganizationId } from "@lectern/model/organizations"
import { UserId } from "@lectern/model/users"
import { Clock, Effect, Layer, Schema } from "effect"
import { ContentStore } from "../content/ContentStore.ts"
import { Mails } from "../mail/Mails.ts"
import { immediateDelayMillis } from "./deliveries.ts"
import { makeNotificationMail } from "./notificationMail.ts"
import { buildNotifications, notificationsOf, storeNotifications } from "./storeNotifications.ts"

/** The kind of the jobs that convert events to notifications. */
const recordJob = "notifications.record"

/** The kind of the jobs that send one e-mail. */
const mailJob = "notifications.mail"

/** The time after which notifications are removed, in milliseconds: 180 days. */
const retentionMillis = 180 * 24 * 60 * 60 * 1_000

/** The maximum number of due notifications that one transaction assigns to e-mails. */
const batchSize = 200

/** The maximum number of notifications in one e-mail. The others are in the list only. */
const maximumPerMail = 20

const MailPayload = Schema.Struct({
  organization: OrganizationId,
  user: UserId,
  notifications: Schema.Array(NotificationId)
})

const decodeMailPayload = Schema.decodeUnknownEffect(MailPayload)

const none = (): ReadonlyArray<never> => []

/** Enqueues a job for the events of each batch that is numbered, in every process. */
export const notificationsOfEvents: Layer.Layer<never, never, EventLog | Jobs> = Layer.effectDiscard(
  Effect.gen(function* () {
    const log = yield* EventLog
    const jobs = yield* Jobs
    yield* log.onNumbered((rows) => {
      const events = notifiedEvents(rows)
      return events.length === 0 ? Effect.void : jobs.enqueue(recordJob, events)
    })
  })
)

/** Creates the jobs. */
export const makeNotificationJobs = Effect.gen(function* () {
  const jobs = yield* Jobs
  const store = yield* Records
  const mails = yield* Mails
  const content = yield* ContentStore
  const { records }: { readonly records: GrantedRecords } = yield* SystemGrant.make(
    "Notifies the members of all organizations of events."
  )
  const sendMail = yield* makeNotificationMail

  const record: JobHandler = {
    kind: recordJob,
    run: (payload) =>
      Effect.gen(function* () {
        const events = yield* decodeNotifiedEvents(payload)
        const built = yield* buildNotifications(records, content, mails.isAvailable, events)
        return storeNotifications(records, built)
      }),
    locks: none
  }

  /** Enqueues one e-mail for each recipient of the notifications that are due, and returns how many were due. */
  const assignDue = Effect.gen(function* () {
    const time = yield* Clock.currentTimeMillis
    const due = yield* records.find(notifications, {
      select: ["organization", "user", "mailDueAt"],
      where: Where.lte<NotificationRow, "mailDueAt">("mailDueAt", toTimestamp(time)),
      orderBy: ["mailDueAt"],
      limit: batchSize
    })
    // With the notifications that are due soon, so that the next e-mail is not sent before then.
    const soon = toTimestamp(time + immediateDelayMillis)
    for (const { organization, user } of new Map(
      due.map((row) => [`${row.organization} ${row.user}`, row])
    ).values()) {
      const where = Where.and<NotificationRow>(
        notificationsOf(organization, user),
        Where.lte("mailDueAt", soon)
      )
      const rows = yield* records.find(notifications, {
        select: ["id"],
        where,
        orderBy: ["id"],
        direction: "desc",
        limit: maximumPerMail
      })
      if (rows.length === 0) continue
      yield* records.update(notifications, where, { mailDueAt: null })
      yield* jobs.enqueue(mailJob, { organization, user, notifications: rows.map(({ id }) => id) })
    }
    return due.length
  })

  const assign: Effect.Effect<void, StorageUnavailable> = Effect.gen(function* () {
    for (;;) {
      if ((yield* store.lockedTransaction([], assignDue)) < batchSize) return
    }
  })

  const mail: JobHandler = {
    kind: mailJob,
    run: (payload) =>
      Effect.as(Effect.flatMap(Effect.orDie(decodeMailPayload(payload)), sendMail), Effect.void),
    locks: none
  }

  const purge = Effect.flatMap(Clock.currentTimeMillis, (time) =>
    store.lockedTransaction(
      [],
      records.remove(
        notifications,
        Where.lt<NotificationRow, "createdAt">("createdAt", toTimestamp(time - retentionMillis))
      )
    )
  )

  return [
    record,
    housekeepingJob("notifications.purge", "1 hour", purge),
    ...(mails.isAvailable ? [mail, housekeepingJob("notifications.assign", "1 minute", assign)] : [])
  ]
})
