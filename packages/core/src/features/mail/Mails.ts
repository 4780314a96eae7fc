/** Sends e-mails by jobs, with retries, and bounds how many a recipient receives. */

import {
  Ids,
  JobFailed,
  PublicUrl,
  Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { type MailRow, mails } from "@lectern/kernel/tables"
import type { MailToRender } from "@lectern/model/mail"
import { Clock, Context, Effect, Layer } from "effect"
import { Mailer } from "./Mailer.ts"
import { MailTemplates } from "./MailTemplates.ts"

/** A recipient, and the client that requests the e-mail. */
export interface MailRequest {
  /** The e-mail address of the recipient. */
  readonly recipient: string
  /** The IP address of the client; undefined if it is unknown, or a member sends the e-mail. */
  readonly address?: string | undefined
}

/** Sends e-mails. */
export interface MailsService {
  /** Whether e-mail is configured. */
  readonly isAvailable: boolean
  /**
   * Whether another e-mail may be sent, which it counts: at most 5 per recipient and 30 per client in an hour. Others are
   * dropped, so that no client can flood a mailbox.
   */
  readonly admit: (request: MailRequest) => Effect.Effect<boolean, StorageUnavailable>
  /** Sends an e-mail, in a job: a failure is one of the job, which is retried. */
  readonly send: (to: string, mail: Omit<MailToRender, "host">) => Effect.Effect<void, JobFailed>
  /** Removes the counts that have expired. */
  readonly purge: Effect.Effect<void, StorageUnavailable>
}

const maximumPerRecipient = 5
const maximumPerClient = 30

/** The period of the limits, in milliseconds: 1 hour. */
const periodMillis = 60 * 60 * 1_000

const makeMails = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const mailer = yield* Mailer
  const render = yield* MailTemplates
  const { host } = new URL(yield* PublicUrl)

  const countSince = (
    column: "recipient" | "address",
    value: string,
    since: string
  ): Effect.Effect<number, StorageUnavailable> =>
    records.count(mails, Where.and<MailRow>(Where.eq(column, value), Where.gt("createdAt", since)))

  return {
    isAvailable: mailer !== undefined,

    admit: Effect.fnUntraced(function* ({ recipient, address }: MailRequest) {
      const time = yield* Clock.currentTimeMillis
      const since = toTimestamp(time - periodMillis)
      if ((yield* countSince("recipient", recipient, since)) >= maximumPerRecipient) return false
      if (address !== undefined && (yield* countSince("address", address, since)) >= maximumPerClient) {
        return false
      }
      yield* records.insert(mails, {
        id: yield* ids.next,
        recipient,
        address: address ?? null,
        createdAt: toTimestamp(time)
      })
      return true
    }),

    send: (to, mail) =>
      mailer === undefined
        ? Effect.fail(new JobFailed({ message: "E-mail is not configured." }))
        : Effect.mapError(
            mailer({ to, ...render({ ...mail, host }) }),
            ({ message }) => new JobFailed({ message })
          ),

    purge: Effect.gen(function* () {
      const time = yield* Clock.currentTimeMillis
      yield* records.remove(mails, Where.lt("createdAt", toTimestamp(time - periodMillis)))
    })
  } satisfies MailsService
})

/** Sends e-mails: see {@link MailsService}. */
export class Mails extends Context.Service<Mails, MailsService>()("@lectern/core/Mails") {
  static readonly layer: Layer.Layer<Mails, never, Records | Ids> = Layer.effect(Mails, makeMails)
}
