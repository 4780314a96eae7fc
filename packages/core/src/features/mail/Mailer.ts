/** The port that sends e-mail. `smtpMailer` of `@lectern/http/smtp` is an implementation. */
import type { RenderedMail } from "@lectern/model/mail"
import { Context, type Effect, Schema } from "effect"

/** An e-mail. */
export interface Mail extends RenderedMail {
  /** The e-mail address of the recipient. */
  readonly to: string
}

/** The mail was not accepted. `message` is the reason, for the operator. It is sent again later. */
export class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", { message: Schema.String }) {}

/** Sends an e-mail. It succeeds when the mail server has accepted it. */
export type SendMail = (mail: Mail) => Effect.Effect<void, MailFailed>

/** Sends e-mail; undefined by default, so that nothing which requires e-mail is available. It is read when the workspace is built. */
export const Mailer = Context.Reference<SendMail | undefined>("@lectern/core/Mailer", {
  defaultValue: () => undefined
})
