/** `lectern token`: creates, lists and revokes API tokens. */
import { Administration, ApiTokens } from "@lectern/core"
import { Console, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readEnvironment, workspaceFlags } from "./settings.ts"

const email = Argument.String("email").pipe(Argument.withDescription("The e-mail address of the user"))

const create = Command.make(
  "create",
  {
    email,
    label: Flag.String("label").pipe(
      Flag.withDescription("A label that identifies the token in lists"),
      Flag.withDefault("Command line")
    ),
    expires: Flag.String("expires").pipe(
      Flag.withDescription("When the token expires, as in 2027-01-01T00:00:00Z; never by default"),
      Flag.optional
    ),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    const { workspace, logging } = yield* readEnvironment(flags)
    yield* Effect.gen(function* () {
      const user = yield* (yield* Administration).findUser({ email: flags.email })
      const created = yield* (yield* ApiTokens).create({
        input: {
          user: user.id,
          label: flags.label,
          ...(Option.isSome(flags.expires) ? { expiresAt: flags.expires.value } : {})
        }
      })
      yield* Console.log(Redacted.value(created.secret))
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(Command.withDescription("Create an API token for a user and print it once. Only its hash is stored."))

const list = Command.make(
  "list",
  { email, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    const { workspace, logging } = yield* readEnvironment(flags)
    yield* Effect.gen(function* () {
      const user = yield* (yield* Administration).findUser({ email: flags.email })
      const tokens = yield* (yield* ApiTokens).list({ user: user.id })
      if (tokens.length === 0) return yield* Console.log("No tokens.")
      for (const token of tokens) {
        const state =
          token.revokedAt !== undefined
            ? `revoked ${token.revokedAt}`
            : `expires ${token.expiresAt ?? "never"}`
        yield* Console.log(`${token.id}  ${token.label}  last used ${token.lastUsedAt ?? "never"}  ${state}`)
      }
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(Command.withDescription("List the API tokens of a user, without their secrets."))

const revoke = Command.make(
  "revoke",
  {
    id: Argument.String("id").pipe(
      Argument.withDescription("The id of the token, as `lectern token list` prints it")
    ),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    const { workspace, logging } = yield* readEnvironment(flags)
    yield* Effect.gen(function* () {
      yield* (yield* ApiTokens).revoke({ token: flags.id })
      yield* Console.log("Revoked.")
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(Command.withDescription("Revoke an API token, with immediate effect."))

export const token = Command.make("token").pipe(
  Command.withDescription("Create, list and revoke API tokens."),
  Command.withSubcommands([create, list, revoke])
)
