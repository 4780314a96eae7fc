/** Sends e-mail by SMTP, with nodemailer. */
import { isLoopbackHost, MailFailed, type SendMail } from "@lectern/core"
import { Effect, Redacted } from "effect"
import { createTransport } from "nodemailer"

/** Options of {@link smtpMailer}. */
export interface SmtpMailerOptions {
  /**
   * The mail server, as in `smtps://user:password@mail.example.com`. With `smtp:`, STARTTLS is required unless the server is on
   * this machine.
   */
  readonly url: Redacted.Redacted<string>
  /** The sender, as in `Docs <docs@example.com>`. */
  readonly from: string
}

/** The maximum time to connect, and the maximum time without data, in milliseconds. */
const connectionTimeoutMs = 10_000
const socketTimeoutMs = 30_000

const smtpsPort = 465
const submissionPort = 587

const decoded = (part: string): string => decodeURIComponent(part)

const toError = (cause: unknown): MailFailed => {
  const message = cause instanceof Error ? cause.message : String(cause)
  return new MailFailed({ message: `The mail server did not accept the e-mail: ${message.slice(0, 500)}` })
}

/**
 * Creates a mailer: for the service `Mailer`, or for the option `mailer` of `createWorkspace`. It opens a connection for each
 * e-mail, and fails with `MailFailed` if the server does not accept it within 30 seconds.
 *
 * @example
 * const mailer = smtpMailer({ url: Redacted.make("smtps://user:password@mail.example.com"), from: "docs@example.com" })
 */
export const smtpMailer = ({ url, from }: SmtpMailerOptions): SendMail => {
  const { protocol, hostname, port, username, password } = new URL(Redacted.value(url))
  const isSecure = protocol === "smtps:"
  const isLocal = isLoopbackHost(hostname)
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (isSecure ? smtpsPort : submissionPort) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && !isLocal,
    ...(username === "" ? {} : { auth: { user: decoded(username), pass: decoded(password) } }),
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: connectionTimeoutMs,
    socketTimeout: socketTimeoutMs,
    // No part of an e-mail is read from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true
  })
  return ({ to, subject, text, html, unsubscribeUrl }) =>
    Effect.asVoid(
      Effect.tryPromise({
        try: () =>
          transport.sendMail({
            from,
            // An object, so that a comma in the address cannot name a second recipient.
            to: { name: "", address: to },
            subject,
            text,
            html,
            headers: {
              "Auto-Submitted": "auto-generated",
              ...(unsubscribeUrl === undefined
                ? {}
                : {
                    "List-Unsubscribe": `<${unsubscribeUrl}>`,
                    "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"
                  })
            }
          }),
        catch: toError
      })
    )
}
