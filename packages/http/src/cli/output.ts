/** The output of commands for people and for programs, and the confirmation of irreversible commands. */
import { Console, Effect } from "effect"
import { Flag } from "effect/cli"
import { ConfigurationError } from "../settings/Setting.ts"

/** Whether a command prints its result as one line of JSON, for programs. */
export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print the result as one line of JSON"),
  Flag.withDefault(false)
)

/** Prints a result: as one line of JSON, or as text. */
export const printResult = (isJson: boolean, result: unknown, text: string): Effect.Effect<void> =>
  Console.log(isJson ? JSON.stringify(result) : text)

/** The flag of commands whose effect cannot be undone. They do not prompt, because scripts run them. */
export const yesFlag = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Confirm the command, whose effect cannot be undone"),
  Flag.withDefault(false)
)

/** Fails unless `--yes` confirms an effect, which `effect` states as a sentence. */
export const requireConfirmation = (
  isConfirmed: boolean,
  effect: string
): Effect.Effect<void, ConfigurationError> =>
  isConfirmed
    ? Effect.void
    : Effect.fail(new ConfigurationError({ message: `${effect} Repeat the command with --yes to confirm.` }))
