/** The output of commands for people and for programs, and the confirmation of irreversible commands. */
import { createInterface } from "node:readline/promises"
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

/** The flag of commands whose effect cannot be undone. Without a terminal, they require it. */
export const yesFlag = Flag.Boolean("yes").pipe(
  Flag.withAlias("y"),
  Flag.withDescription("Confirm the command, whose effect cannot be undone, without a prompt"),
  Flag.withDefault(false)
)

/** The terminal that a prompt is written to, and that the input of the user is read from. */
export interface PromptTerminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

const promptUser = (terminal: PromptTerminal, prompt: string): Effect.Effect<string> =>
  Effect.promise(async (signal) => {
    const reader = createInterface({ input: terminal.input, output: terminal.output })
    try {
      // The end of the input, as by Ctrl+D, does not confirm.
      const closed = new Promise<string>((resolve) => reader.once("close", () => resolve("")))
      return await Promise.race([reader.question(prompt, { signal }), closed])
    } finally {
      reader.close()
    }
  })

/** The parameters of {@link requireConfirmation}. */
export interface Confirmation {
  /** Whether `--yes` confirms the effect. */
  readonly isConfirmed: boolean
  /** Whether a program reads the output: then the command does not prompt. */
  readonly isJson: boolean
  /** The effect, as a sentence. */
  readonly effect: string
}

/**
 * Fails unless `--yes` or the user confirms an effect at a prompt. The prompt is written to standard error, and only if
 * it and the input are terminals.
 */
export const requireConfirmation = (
  { isConfirmed, isJson, effect }: Confirmation,
  terminal: PromptTerminal = { input: process.stdin, output: process.stderr }
): Effect.Effect<void, ConfigurationError> =>
  Effect.gen(function* () {
    if (isConfirmed) return
    if (isJson || terminal.input.isTTY !== true || terminal.output.isTTY !== true) {
      return yield* new ConfigurationError({ message: `${effect} Repeat the command with --yes to confirm.` })
    }
    const input = yield* promptUser(terminal, `${effect} Continue? [y/N] `)
    if (!/^y(es)?$/i.test(input.trim())) {
      return yield* new ConfigurationError({ message: "Not confirmed. Nothing was changed." })
    }
  })
