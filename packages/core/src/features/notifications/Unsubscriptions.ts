/** Ends e-mails for recipients who follow the link in one, without signing in. */

import {
  type Authorization,
  addAuditDetails,
  Locks,
  Operations,
  type OperatorOperation,
  SystemGrant
} from "@lectern/access"
import type { Encryption, Records } from "@lectern/kernel"
import { members } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { Context, Effect, Layer, Schema } from "effect"
import { endMails } from "./settings.ts"
import { makeUnsubscribeLinks, maximumUnsubscribeTokenLength } from "./unsubscribeLinks.ts"

/** Operations of the server for the links in e-mails. They act for no user: the link proves who received it. */
export interface UnsubscriptionsOperations {
  /**
   * Ends the e-mails to the recipient of a link about its organization. Notifications remain in the list. Fails with `NotFound`
   * for an invalid link, and for a user who is no longer a member.
   */
  readonly unsubscribe: OperatorOperation<{ token: string }, void, NotFound>
}

const Token = Schema.String.check(Schema.isMaxLength(maximumUnsubscribeTokenLength))

const makeUnsubscriptions = Effect.gen(function* () {
  const { command, allow } = yield* Operations
  const { grant } = yield* SystemGrant.make("Ends e-mails for recipients who are not signed in.")
  const { recipientOf } = yield* makeUnsubscribeLinks
  const { rule } = allow.operator("the links in e-mails, whose recipients are not authenticated")

  const allowAll: Authorization<unknown, Record<never, never>, never, never> = {
    rule,
    check: () => Effect.succeed({ grant })
  }

  return {
    unsubscribe: command(
      "Unsubscriptions.unsubscribe",
      { parameters: { token: Token }, authorize: allowAll, locks: () => Locks.none },
      function* ({ token }, { records }) {
        const recipient = yield* recipientOf(token)
        const member = recipient === undefined ? undefined : yield* records.get(members, recipient, ["id"])
        if (recipient === undefined || member === undefined) return yield* NotFound.of("member")
        yield* addAuditDetails({ organization: recipient.organization, actor: recipient.user, resources: [] })
        yield* endMails(records, recipient)
      }
    )
  } satisfies UnsubscriptionsOperations
})

/** Operations of the server for the links in e-mails: see {@link UnsubscriptionsOperations}. */
export class Unsubscriptions extends Context.Service<Unsubscriptions, UnsubscriptionsOperations>()(
  "@lectern/core/Unsubscriptions"
) {
  static readonly layer: Layer.Layer<Unsubscriptions, never, Records | Operations | Encryption> =
    Layer.effect(Unsubscriptions, makeUnsubscriptions)
}
