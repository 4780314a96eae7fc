/** `lectern user`: creates, lists, exports and erases accounts, and removes their second factors. */
import { Accounts, Administration, PasskeySignIns, roles } from "@lectern/core"
import { Console, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { findAccount } from "./accounts.ts"
import { jsonFlag, printResult, requireConfirmation, yesFlag } from "./output.ts"
import { readAll } from "./people.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

const userCreate = Command.make(
  "create",
  {
    email: Argument.String("email").pipe(Argument.withDescription("The e-mail address of the account")),
    name: Flag.String("name").pipe(Flag.withDescription("The display name"), Flag.optional),
    organization: Flag.String("organization").pipe(
      Flag.withDescription("The id of an organization that the user joins"),
      Flag.optional
    ),
    role: Flag.Literals("role", [...roles, "guest"]).pipe(
      Flag.withDescription("The role in that organization; guest for no role"),
      Flag.withDefault("read")
    ),
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const administration = yield* Administration
      const id = yield* administration.createUser({
        input: {
          email: flags.email,
          ...(Option.isSome(flags.name) ? { displayName: flags.name.value } : {})
        }
      })
      if (Option.isSome(flags.organization)) {
        yield* administration.setMember({
          organization: flags.organization.value,
          user: id,
          input: { role: flags.role === "guest" ? null : flags.role }
        })
      }
      yield* printResult(flags.json, { id }, id)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("Create an account and print its id."),
  Command.withExamples([
    {
      command:
        'lectern user create grace@example.com --name "Grace Hopper" --organization <organization> --role edit',
      description: "Create an account that is an editor of an organization"
    }
  ])
)

const userList = Command.make(
  "list",
  { json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const { listUsers } = yield* Administration
      const all = yield* readAll(listUsers)
      const lines = all.map(({ id, email, displayName }) => `${id}  ${email}  ${displayName}`)
      yield* printResult(flags.json, all, lines.length === 0 ? "No accounts." : lines.join("\n"))
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("List the accounts with their ids and e-mail addresses, oldest first."),
  Command.withExamples([{ command: "lectern user list", description: "List the accounts" }])
)

const email = Argument.String("email").pipe(Argument.withDescription("The e-mail address of the account"))

const userExport = Command.make(
  "export",
  { email, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const { id } = yield* findAccount(flags.email)
      const data = yield* (yield* Accounts).exportData({ user: id })
      yield* Console.log(JSON.stringify(data, null, 2))
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription("Print everything that the server stores about a person, as JSON."),
  Command.withDescription(
    "Print everything that the server stores about a person, as JSON: at most 10,000 entries of each kind. The output contains no secrets."
  ),
  Command.withExamples([
    {
      command: "lectern user export ada@example.com",
      description: "Export the data of a person who requests it"
    }
  ])
)

const userErase = Command.make(
  "erase",
  { email, yes: yesFlag, json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes,
      isJson: flags.json,
      effect: "The account loses its name, its address, its memberships and its tokens."
    })
    yield* Effect.gen(function* () {
      const { id } = yield* findAccount(flags.email)
      yield* (yield* Accounts).erase({ user: id })
      yield* printResult(flags.json, { user: id }, "Erased.")
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription("Erase an account. What its owner has written remains, by a former user."),
  Command.withDescription(
    "Erase an account: its name, its address, its identities, memberships, tokens and sessions. What its owner has written remains, by a former user. Fails for the last administrator of an organization."
  ),
  Command.withExamples([
    { command: "lectern user erase ada@example.com --yes", description: "Erase an account in a script" }
  ])
)

const userResetSecondFactor = Command.make(
  "reset-second-factor",
  { email, yes: yesFlag, json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes,
      isJson: flags.json,
      effect: "The account loses its passkeys and its recovery codes."
    })
    yield* Effect.gen(function* () {
      const { id } = yield* findAccount(flags.email)
      const passkeys = yield* (yield* PasskeySignIns).reset({ user: id })
      const lines = `Removed ${passkeys} ${passkeys === 1 ? "passkey" : "passkeys"}.`
      yield* printResult(flags.json, { user: id, passkeys }, lines)
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withShortDescription("Remove the passkeys and the recovery codes of an account."),
  Command.withDescription(
    "Remove the passkeys and the recovery codes of an account whose owner has lost both. The owner signs in by an e-mail, and adds another passkey."
  ),
  Command.withExamples([
    {
      command: "lectern user reset-second-factor ada@example.com --yes",
      description: "Remove the second factor of a person who has lost their devices"
    }
  ])
)

export const user = Command.make("user").pipe(
  Command.withDescription("Create, list, export and erase accounts, and remove their second factors."),
  Command.withSubcommands([userCreate, userList, userExport, userErase, userResetSecondFactor])
)
