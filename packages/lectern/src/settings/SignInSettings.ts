/** The settings of sessions and of e-mail. */
import { OidcProviderSettings } from "@lectern/core"
import { Schema } from "effect"
import { defineSetting } from "./Setting.ts"

const Days = Schema.FiniteFromString.check(
  Schema.isBetween({ minimum: 0.01, maximum: 400 }, { message: "must be a number of days, 0.01 to 400" })
)

/** The time without a request after which a session ends. */
export const sessionIdleDays = defineSetting({
  flag: "session-idle-days",
  description:
    "The time without a request after which a session in a browser ends, in days, 0.01 to 400. --session-days limits it.",
  schema: Days,
  fallback: "7"
})

/** The time after the sign-in when a session ends. */
export const sessionDays = defineSetting({
  flag: "session-days",
  description:
    "The time after the sign-in when a session in a browser ends, also if it is in use, in days, 0.01 to 400.",
  schema: Days,
  fallback: "30"
})

/** Whether sessions are accepted over plain http. */
export const insecureSessions = defineSetting({
  flag: "insecure-sessions",
  description:
    "Whether people can sign in over plain http at addresses of other machines: off (default) or on. With on, any device on the network can read the sessions.",
  schema: Schema.Literals(["off", "on"]),
  fallback: "off"
})

const SmtpUrl = Schema.RedactedFromValue(
  Schema.String.check(
    Schema.makeFilter((text: string) =>
      URL.canParse(text) && /^smtps?:$/.test(new URL(text).protocol) && new URL(text).hostname !== ""
        ? undefined
        : "must be an URL as in smtps://user:password@mail.example.com or smtp://user:password@mail.example.com:587"
    )
  )
)

/** The mail server. */
export const smtpUrl = defineSetting({
  flag: "smtp-url",
  description:
    "The mail server, as in smtps://user:password@mail.example.com. With smtp:, STARTTLS is required unless the server is on this machine. Without it, no e-mail is sent.",
  schema: SmtpUrl,
  isSecret: true
})

const MailAddress = Schema.String.check(
  Schema.makeFilter((text: string) =>
    /^(?:[^<>\r\n\p{Cc}]{1,100} <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u.test(text)
      ? undefined
      : "must be an e-mail address, as in docs@example.com or Docs <docs@example.com>"
  )
)

/** The sender of e-mails. */
export const mailFrom = defineSetting({
  flag: "mail-from",
  description:
    "The sender of e-mails, as in Docs <docs@example.com>. By default, lectern@ followed by the host of the public URL.",
  schema: MailAddress
})

const OidcProviderList = Schema.RedactedFromValue(
  Schema.fromJsonString(
    Schema.Array(OidcProviderSettings).check(
      Schema.isMaxLength(20, { message: "must be at most 20 providers" }),
      Schema.makeFilter((providers: ReadonlyArray<OidcProviderSettings>) =>
        new Set(providers.map(({ id }) => id)).size === providers.length
          ? undefined
          : "must have distinct ids"
      )
    )
  )
)

/** The providers of OpenID Connect. */
export const oidcProviders = defineSetting({
  flag: "oidc-providers",
  description:
    'The providers of OpenID Connect by which people sign in, as JSON: [{"id":"acme","label":"Acme","issuer":"https://login.example.com","clientId":"...","clientSecret":"...","domains":["example.com"]}].',
  schema: OidcProviderList,
  isSecret: true
})
