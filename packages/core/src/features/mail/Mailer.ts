/** The port that sends e-mail. `smtpMailer` of `@lectern/http/smtp` is an implementation. */
import { Context, type Effect, Schema } from "effect"

/** An e-mail, in two equivalent forms. */
export interface Mail {
  /** The e-mail address of the recipient. */
  readonly to: string
  /** The subject: one line. */
  readonly subject: string
  /** The content as plain text. */
  readonly text: string
  /** The content as an HTML document. */
  readonly html: string
  /** The URL that ends such e-mails by one POST request (RFC 8058); undefined for an e-mail that the recipient has requested. */
  readonly unsubscribeUrl?: string
}

/** The mail was not accepted. `message` is the reason, for the operator. It is sent again later. */
export class MailFailed extends Schema.TaggedError<MailFailed>()("MailFailed", { message: Schema.String }) {}

/** Sends an e-mail. It succeeds when the mail server has accepted it. */
export type SendMail = (mail: Mail) => Effect.Effect<void, MailFailed>

/** Sends e-mail; undefined by default, so that nothing which requires e-mail is available. It is read when the workspace is built. */
export const Mailer = Context.Reference<SendMail | undefined>("@lectern/core/Mailer", {
  defaultValue: () => undefined
})
