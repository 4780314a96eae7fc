/** `lectern session`: lists and ends the sessions of an account. */
import { type Session, SessionId, SignIns } from "@lectern/core"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { findAccount } from "./accounts.ts"
import { jsonFlag, printResult, requireConfirmation, yesFlag } from "./output.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

const email = Argument.String("email").pipe(Argument.withDescription("The e-mail address of the account"))

const formatSession = ({ id, method, device, address, lastUsedAt, organization }: Session): string =>
  [
    id,
    method,
    device ?? "unknown browser",
    address ?? "unknown address",
    `last used ${lastUsedAt}`,
    ...(organization === undefined ? [] : [`organization ${organization}`])
  ].join("  ")

const list = Command.make(
  "list",
  { email, json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const { id } = yield* findAccount(flags.email)
      const sessions = yield* (yield* SignIns).listSessions({ user: id })
      const lines = sessions.length === 0 ? "No sessions." : sessions.map(formatSession).join("\n")
      yield* printResult(flags.json, sessions, lines)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("List the sessions of an account in browsers, newest first."),
  Command.withExamples([
    { command: "lectern session list ada@example.com", description: "List the sessions of an account" }
  ])
)

const revoke = Command.make(
  "revoke",
  {
    email,
    id: Flag.String("id").pipe(
      Flag.withDescription("The id of one session; all sessions of the account by default"),
      Flag.optional
    ),
    yes: yesFlag,
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes,
      isJson: flags.json,
      effect: "The user is signed out, and must sign in again."
    })
    yield* Effect.gen(function* () {
      const { id } = yield* findAccount(flags.email)
      const ended = yield* (yield* SignIns).endSessions({
        user: id,
        input: Option.isNone(flags.id) ? {} : { session: SessionId.make(flags.id.value) }
      })
      yield* printResult(flags.json, { ended }, `Ended ${ended} ${ended === 1 ? "session" : "sessions"}.`)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("End the sessions of an account, with immediate effect. API tokens remain valid."),
  Command.withExamples([
    { command: "lectern session revoke ada@example.com --yes", description: "Sign an account out everywhere" }
  ])
)

export const session = Command.make("session").pipe(
  Command.withDescription("List and end the sessions of people who have signed in."),
  Command.withSubcommands([list, revoke])
)
