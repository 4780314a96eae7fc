/** The first organization of an empty database, and its administrator. */
import { Administration } from "@lectern/core"
import { Effect, type Option, Redacted } from "effect"
import { readRequiredSetting, readSetting, settingFlag } from "../settings/Setting.ts"
import * as Settings from "../settings/Settings.ts"

/** The flags of the first organization. */
export const bootstrapFlags = {
  organization: settingFlag(Settings.organization),
  adminEmail: settingFlag(Settings.adminEmail),
  adminToken: settingFlag(Settings.adminToken)
}

/** The result of `createFirst`. The token is undefined if a setting chose it. */
export interface FirstOrganization {
  /** The id of the organization. */
  readonly organization: string
  readonly title: string
  readonly email: string
  readonly token?: string
}

/** Creates the first organization in an empty database. Returns undefined if the database is not empty. */
export const createFirst = Effect.fnUntraced(function* (
  flags: {
    readonly [K in keyof typeof bootstrapFlags]: Option.Option<string>
  }
) {
  const title = yield* readRequiredSetting(Settings.organization, flags.organization)
  const email = yield* readRequiredSetting(Settings.adminEmail, flags.adminEmail)
  const secret = yield* readSetting(Settings.adminToken, flags.adminToken)
  const administration = yield* Administration
  const created = yield* administration.bootstrap({
    input: { organization: title, email, ...(secret === undefined ? {} : { secret }) }
  })
  if (created === undefined) return undefined
  return {
    organization: created.organization,
    title,
    email,
    ...(secret === undefined ? { token: Redacted.value(created.secret) } : {})
  } satisfies FirstOrganization
})

/** Formats the result of `createFirst`, with a first request to try. */
export const formatFirst = ({ title, email, token }: FirstOrganization, baseUrl: string): string =>
  [
    `Created the organization "${title}" with the administrator ${email}.`,
    ...(token === undefined ? [] : [`API token, which is not shown again:\n\n  ${token}\n`]),
    `Try it:\n\n  curl -H "Authorization: Bearer ${token ?? "$LECTERN_ADMIN_TOKEN"}" ${baseUrl}/v1/orgs\n`,
    "Add an example with a published site:\n\n  npx lectern seed --demo\n"
  ].join("\n")
