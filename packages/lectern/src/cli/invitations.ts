/** `lectern invitation`: lists and revokes the open invitations of an organization. */
import { Administration } from "@lectern/core"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { findAccount } from "./accounts.ts"
import { jsonFlag, printResult, requireConfirmation, yesFlag } from "./output.ts"
import { inWorkspace, workspaceFlags } from "./settings.ts"

const organization = Argument.String("organization").pipe(
  Argument.withDescription("The id of the organization")
)

const list = Command.make(
  "list",
  { organization, json: jsonFlag, ...workspaceFlags },
  Effect.fnUntraced(function* (flags) {
    yield* Effect.gen(function* () {
      const invitations = yield* (yield* Administration).listInvitations({ organization: flags.organization })
      const lines = invitations.map(
        ({ email, createdAt, expiresAt }) => `${email}  invited ${createdAt}  expires ${expiresAt}`
      )
      yield* printResult(
        flags.json,
        invitations,
        lines.length === 0 ? "No open invitations." : lines.join("\n")
      )
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("List the invitations of an organization whose users have not signed in."),
  Command.withExamples([
    { command: "lectern invitation list <organization>", description: "List the open invitations" }
  ])
)

const revoke = Command.make(
  "revoke",
  {
    organization,
    email: Argument.String("email").pipe(Argument.withDescription("The e-mail address of the invitation")),
    yes: yesFlag,
    json: jsonFlag,
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    yield* requireConfirmation({
      isConfirmed: flags.yes,
      isJson: flags.json,
      effect: "The membership of the user is removed."
    })
    yield* Effect.gen(function* () {
      const { id } = yield* findAccount(flags.email)
      yield* (yield* Administration).revokeInvitation({ organization: flags.organization, user: id })
      yield* printResult(flags.json, { user: id }, "Revoked.")
    }).pipe(inWorkspace(flags))
  })
).pipe(
  Command.withDescription("Revoke an open invitation, and remove the membership."),
  Command.withExamples([
    {
      command: "lectern invitation revoke <organization> ada@example.com --yes",
      description: "Revoke an invitation in a script"
    }
  ])
)

export const invitation = Command.make("invitation").pipe(
  Command.withDescription("List and revoke invitations by e-mail address."),
  Command.withSubcommands([list, revoke])
)
