/** `lectern token`: creates, lists, rotates and revokes API tokens. */
import { type ApiToken, ApiTokens } from "@lectern/core"
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ConfigurationError } from "../settings/Setting.ts"
import { parseList } from "../settings/Settings.ts"
import { findAccount } from "./accounts.ts"
import { jsonFlag, printResult, requireConfirmation, yesFlag } from "./output.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

const email = Argument.String("email").pipe(Argument.withDescription("The e-mail address of the user"))

const id = Argument.String("id").pipe(
  Argument.withDescription("The id of the token, as `lectern token list` prints it")
)

const optionalFlag = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

/** Returns an object with a property if its value is set. */
const property = <K extends string, A>(name: K, value: Option.Option<A>): { readonly [P in K]?: A } =>
  (Option.isSome(value) ? { [name]: value.value } : {}) as { readonly [P in K]?: A }

const create = Command.make(
  "create",
  {
    email,
    label: Flag.String("label").pipe(
      Flag.withDescription("A label that identifies the token in lists"),
      Flag.withDefault("Command line")
    ),
    expires: optionalFlag("expires", "When the token expires, as in 2027-01-01T00:00:00Z; never by default"),
    organization: optionalFlag("organization", "The id of the only organization that the token opens"),
    site: optionalFlag(
      "site",
      "The id of the only site that the token opens, with its spaces; requires --organization"
    ),
    readOnly: Flag.Boolean("read-only").pipe(
      Flag.withDescription("Limit the token to operations that change nothing"),
      Flag.withDefault(false)
    ),
    permissions: optionalFlag(
      "permissions",
      "Comma-separated permissions that the token is limited to, such as space.read,space.edit: actions of the authorization policy"
    ),
    renewable: Flag.Boolean("renewable").pipe(
      Flag.withDescription("Let a rotation start the lifetime of the token again; requires --expires"),
      Flag.withDefault(false)
    ),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const user = yield* findAccount(flags.email)
      const created = yield* (yield* ApiTokens).create({
        input: {
          user: user.id,
          label: flags.label,
          readOnly: flags.readOnly,
          renewable: flags.renewable,
          ...property("expiresAt", flags.expires),
          ...property("organization", flags.organization),
          ...property("site", flags.site),
          ...property("permissions", Option.map(flags.permissions, parseList))
        }
      })
      const secret = Redacted.value(created.secret)
      yield* printResult(flags.json, { id: created.token.id, secret }, secret)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("Create an API token for a user and print it once. Only its hash is stored."),
  Command.withExamples([
    {
      command: "lectern token create ada@example.com --label CI --read-only --expires 2027-01-01T00:00:00Z",
      description: "Create a token that can only read, until 2027"
    }
  ])
)

/** The scopes of a token as words; empty for a token without limits. */
const formatScopes = ({ organization, site, readOnly, permissions }: ApiToken): string =>
  [
    ...(organization === undefined ? [] : [`organization ${organization}`]),
    ...(site === undefined ? [] : [`site ${site}`]),
    ...(readOnly ? ["read-only"] : []),
    ...(permissions === undefined ? [] : [`permissions ${permissions.join(",")}`])
  ]
    .map((scope) => `  ${scope}`)
    .join("")

const formatToken = (token: ApiToken): string => {
  const state =
    token.revokedAt === undefined
      ? `expires ${token.expiresAt ?? "never"}${token.renewable ? ", renewable" : ""}`
      : `revoked ${token.revokedAt}`
  const origin = token.samlProvider === undefined ? "" : `  login by ${token.samlProvider}`
  return `${token.id}  ${token.label}  last used ${token.lastUsedAt ?? "never"}  ${state}${formatScopes(token)}${origin}`
}

const printTokens = (isJson: boolean, tokens: ReadonlyArray<ApiToken>) =>
  printResult(isJson, tokens, tokens.length === 0 ? "No tokens." : tokens.map(formatToken).join("\n"))

const list = Command.make(
  "list",
  {
    email: email.pipe(Argument.optional),
    organization: optionalFlag(
      "organization",
      "List the tokens that are limited to this organization, instead of the tokens of a user"
    ),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const tokens = yield* ApiTokens
      if (Option.isSome(flags.organization)) {
        return yield* printTokens(
          flags.json,
          yield* tokens.listInOrganization({ organization: flags.organization.value })
        )
      }
      if (Option.isNone(flags.email)) {
        return yield* new ConfigurationError({
          message: "Name the e-mail address of a user, or set --organization."
        })
      }
      const user = yield* findAccount(flags.email.value)
      yield* printTokens(flags.json, yield* tokens.list({ user: user.id }))
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("List the API tokens of a user or of an organization, without their secrets."),
  Command.withExamples([
    { command: "lectern token list ada@example.com", description: "List the tokens of a user" },
    {
      command: "lectern token list --organization <organization> --json",
      description: "List the tokens that are limited to an organization, for a program"
    }
  ])
)

const rotate = Command.make(
  "rotate",
  {
    id,
    formerHours: Flag.Int("former-hours").pipe(
      Flag.withDescription("How long the former secret remains valid, in hours: 0 to 168"),
      Flag.withDefault(0)
    ),
    yes: yesFlag,
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes || flags.formerHours > 0,
      isJson: flags.json,
      effect: "The current secret becomes invalid immediately, unless --former-hours extends it."
    })
    yield* Effect.gen(function* () {
      const rotated = yield* (yield* ApiTokens).rotate({
        token: flags.id,
        input: { formerSecretHours: flags.formerHours }
      })
      const secret = Redacted.value(rotated.secret)
      yield* printResult(flags.json, { id: flags.id, secret }, secret)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("Replace the secret of an API token and print the new one once."),
  Command.withExamples([
    {
      command: "lectern token rotate <token> --former-hours 24",
      description: "Replace a secret, and accept the former one for a day"
    }
  ])
)

const revoke = Command.make(
  "revoke",
  { id, yes: yesFlag, json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes,
      isJson: flags.json,
      effect: "A revoked token cannot be used again."
    })
    yield* Effect.gen(function* () {
      yield* (yield* ApiTokens).revoke({ token: flags.id })
      yield* printResult(flags.json, { id: flags.id }, "Revoked.")
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("Revoke an API token, with immediate effect."),
  Command.withExamples([
    { command: "lectern token revoke <token> --yes", description: "Revoke a token in a script" }
  ])
)

export const token = Command.make("token").pipe(
  Command.withDescription("Create, list, rotate and revoke API tokens."),
  Command.withSubcommands([create, list, rotate, revoke])
)
