/** The services of sessions and of e-mail that the settings of `lectern serve` configure. */
import { InsecureSessions, Mailer, OidcProviders, SessionLifetimes } from "@lectern/core"
import { Effect, Layer, type Option, Redacted } from "effect"
import { readRequiredSetting, readSetting, settingFlag } from "../settings/Setting.ts"
import * as SignInSettings from "../settings/SignInSettings.ts"

/** The flags of sessions and of e-mail. */
export const signInFlags = {
  sessionIdleDays: settingFlag(SignInSettings.sessionIdleDays),
  sessionDays: settingFlag(SignInSettings.sessionDays),
  insecureSessions: settingFlag(SignInSettings.insecureSessions),
  smtpUrl: settingFlag(SignInSettings.smtpUrl),
  mailFrom: settingFlag(SignInSettings.mailFrom),
  oidcProviders: settingFlag(SignInSettings.oidcProviders)
}

const dayMs = 24 * 60 * 60 * 1_000

/** Reads the settings, and returns the layer that provides them. */
export const readSignInSettings = Effect.fnUntraced(function* (
  flags: { readonly [K in keyof typeof signInFlags]: Option.Option<string> },
  publicUrl: string
) {
  const idleDays = yield* readRequiredSetting(SignInSettings.sessionIdleDays, flags.sessionIdleDays)
  const days = yield* readRequiredSetting(SignInSettings.sessionDays, flags.sessionDays)
  const insecure = yield* readRequiredSetting(SignInSettings.insecureSessions, flags.insecureSessions)
  const url = yield* readSetting(SignInSettings.smtpUrl, flags.smtpUrl)
  const from =
    (yield* readSetting(SignInSettings.mailFrom, flags.mailFrom)) ??
    `lectern@${new URL(publicUrl).hostname.replace(/^\[.*\]$/, "localhost")}`
  const providers = yield* readSetting(SignInSettings.oidcProviders, flags.oidcProviders)
  const mailer =
    url === undefined
      ? Layer.empty
      : Layer.effect(
          Mailer,
          // The library is loaded only if a mail server is configured.
          Effect.map(
            Effect.promise(() => import("@lectern/http/smtp")),
            ({ smtpMailer }) => smtpMailer({ url, from })
          )
        )
  return Layer.mergeAll(
    Layer.succeed(SessionLifetimes, {
      idleMillis: Math.min(idleDays, days) * dayMs,
      absoluteMillis: days * dayMs
    }),
    Layer.succeed(OidcProviders, providers === undefined ? [] : Redacted.value(providers)),
    Layer.succeed(InsecureSessions, insecure === "on"),
    mailer
  )
})
