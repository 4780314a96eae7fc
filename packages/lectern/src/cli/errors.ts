/** How the command reports errors: on standard error, as one line of text or, with `--json`, of JSON. */
import { Console, Effect } from "effect"
import { type CliError, CliOutput } from "effect/cli"

/** Whether the arguments of the process contain `--json`, also if they cannot be parsed. */
const requestsJson = (args: ReadonlyArray<string>): boolean =>
  args
    .slice(0, args.includes("--") ? args.indexOf("--") : undefined)
    .some((arg) => arg === "--json" || arg === "--jsonl")

/** Formats an error: as `{"error":{"type","message"}}`, or as text that begins with the name of the command. */
const formatError = (isJson: boolean, type: string, message: string): string =>
  isJson ? JSON.stringify({ error: { type, message } }) : `lectern: ${message}`

/** Prints an expected error as one line, without its stack trace, and sets the exit code to 1. */
export const reportError = (error: {
  readonly _tag: string
  readonly message?: string
}): Effect.Effect<void> =>
  Effect.sync(() => {
    const message = error.message === undefined || error.message === "" ? error._tag : error.message
    process.stderr.write(`${formatError(requestsJson(process.argv), error._tag, message)}\n`)
    process.exitCode = 1
  })

const suggest = (candidates: ReadonlyArray<string>): string =>
  candidates.length === 0 ? "" : ` Did you mean ${candidates.join(" or ")}?`

/** Returns the allowed values as words. Effect writes them as types. */
const describeExpectation = (expected: string): string => {
  const type = expected.replace(/^Expected:? ?/, "")
  if (type.startsWith('"')) return `one of ${type.replaceAll('"', "").replaceAll(" | ", ", ")}`
  return type === "a string representing a finite number" ? "an integer" : type
}

const describeInvalidValue = ({ option, value, expected, kind }: CliError.InvalidValue): string => {
  const name = kind === "flag" ? `--${option}` : `<${option}>`
  const expectation = describeExpectation(expected)
  return value === ""
    ? `The value of ${name} is missing. It must be ${expectation}.`
    : `The value "${value}" of ${name} is invalid. It must be ${expectation}.`
}

/** Describes an error of the arguments, as sentences. */
const describeUsageError = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnrecognizedOption":
      return `There is no flag ${error.option}.${suggest(error.suggestions)}`
    case "UnknownSubcommand":
      return `There is no command "${error.subcommand}".${suggest(error.suggestions)}`
    case "MissingOption":
      return `The flag --${error.option} is required.`
    case "MissingArgument":
      return `The argument <${error.argument}> is required.`
    case "UnexpectedArgument":
      return `There are more arguments than the command has: ${error.arguments.join(" ")}.`
    case "InvalidValue":
      return describeInvalidValue(error)
    default:
      return error.message
  }
}

/** Prints help as Effect does, and errors of usage as one line on standard error instead of the whole help. */
export const presenter = (args: ReadonlyArray<string>): CliOutput.Presenter => ({
  present: (event) => {
    if (event._tag !== "InvalidInvocation") return CliOutput.defaultPresenter.present(event)
    const command = event.commandPath.join(" ")
    // The flags of an unknown command are unknown too.
    const unknown = event.errors.filter(({ _tag }) => _tag === "UnknownSubcommand")
    const errors = unknown.length > 0 ? unknown : event.errors
    const message = `${errors.map(describeUsageError).join(" ")} See \`${command} --help\`.`
    return Console.error(formatError(requestsJson(args), "InvalidUsage", message))
  }
})
