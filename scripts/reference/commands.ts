/** The reference of the `lectern` command, from the help of its subcommands. */
import { Console, Effect, Option } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { commandLayer, lectern } from "../../packages/lectern/src/cli/lectern.ts"
import { nodeServices } from "../../packages/lectern/src/cli/nodeServices.ts"
import { jsonResults } from "./jsonResults.ts"
import { type Page, pageOf, tableOf } from "./Page.ts"

/** Returns the help of a subcommand as data. */
const helpOf = async (path: ReadonlyArray<string>): Promise<HelpDoc.HelpDoc> => {
  let found: HelpDoc.HelpDoc | undefined
  const formatter: CliOutput.Formatter = {
    ...CliOutput.defaultFormatter({ colors: false }),
    formatHelpDoc: (help) => {
      found = help
      return ""
    }
  }
  const run = Command.runWith(lectern, { version: "" })([...path, "--help"])
  await Effect.runPromise(
    run.pipe(
      Effect.provide([commandLayer, CliOutput.layer(formatter), nodeServices]),
      Effect.provideService(Console.Console, { ...globalThis.console, log: () => undefined })
    )
  )
  if (found === undefined) throw new Error(`The command "${path.join(" ")}" has no help.`)
  return found
}

const describe = (description: Option.Option<string>): string => Option.getOrElse(description, () => "")

/** The flags that every command has, which one section describes. */
const isShared = ({ name }: HelpDoc.FlagDoc): boolean =>
  /^(database-|log-|help|version|completions)/.test(name)

const sectionsOf = async (path: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const help = await helpOf(path)
  const subcommands = (help.subcommands ?? []).flatMap(({ commands }) => commands.map(({ name }) => name))
  const args = (help.args ?? []).map(({ name, description }) => [`\`<${name}>\``, describe(description)])
  const flags = help.flags
    .filter((flag) => !isShared(flag))
    .map(({ name, description }) => [`\`--${name}\``, describe(description)])
  const examples = (help.examples ?? []).map(
    ({ command, description }) => `\`\`\`sh\n# ${description ?? ""}\n${command}\n\`\`\``
  )
  const result = jsonResults[path.join(" ")]
  const own = [
    `${"#".repeat(Math.min(path.length + 1, 4))} ${["lectern", ...path].join(" ")}`,
    help.description,
    args.length === 0 ? "" : tableOf(["argument", "description"], args),
    flags.length === 0 ? "" : tableOf(["flag", "description"], flags),
    ...examples,
    ...(result === undefined
      ? []
      : [
          "With `--json`, it prints such an object, on one line:",
          `\`\`\`json\n${JSON.stringify(result, undefined, 2)}\n\`\`\``
        ])
  ]
  const nested: Array<string> = []
  for (const name of subcommands) nested.push(...(await sectionsOf([...path, name])))
  return path.length === 0 ? nested : [...own, ...nested]
}

/** Generates the page. */
export const generateCommands = async (): Promise<Page> =>
  pageOf("docs/reference/cli.md", [
    "# Command line",
    "The `lectern` command runs the server and administers its database. Every flag of a setting is also an environment variable: see [Settings](settings.md). This page is generated from the command.",
    "In a checkout of the repository, run `npx lectern`.",
    "## Conventions",
    '- `--database-url`, `--database-prefix`, `--database-schema` and `--database-check` select the database of every command.\n- `--log-level` and `--log-format` configure the log. It is written to standard error; `lectern serve` writes it to standard output.\n- `--help` prints the help of a command, `--version` the version, and `--completions <shell>` a completion script.\n- `--json` prints only the result to standard output, as one line of JSON; `lectern doctor` prints one line per problem and then the summary, and `lectern audit` one line per record. The section of a command has an example of it. `lectern serve` has `--log-format json` instead.\n- Errors are one line on standard error: `lectern: <message>`, or with `--json` an object `{"error":{"type":"NotFound","message":"…"}}`. Progress is written to standard error too, before it.\n- A command whose effect cannot be undone, or ends the use of an organization, requires confirmation at a prompt on a terminal. Elsewhere, and with `--json`, it fails unless `--yes` confirms it: `token revoke`, `token rotate` without `--former-hours`, `org visitor-key`, `org delete`, and `compact` with `--revision-retention-days`. No other command prompts.\n- Restoring, copying and importing never overwrite rows: they fail if the database has conflicting rows.',
    "Add completions to your shell:",
    "```sh\nlectern --completions bash > ~/.local/share/bash-completion/completions/lectern\nlectern --completions zsh > ~/.zsh/completions/_lectern\nlectern --completions fish > ~/.config/fish/completions/lectern.fish\n```",
    "## Exit codes",
    tableOf(
      ["code", "meaning"],
      [
        ["0", "The command succeeded. A signal stopped the server."],
        [
          "1",
          "The command failed, its arguments are invalid, or it requires `--yes`. Standard error has one line with the reason."
        ],
        [
          "2",
          "`migrate status`: migrations are pending, or the database is newer. `migrate gitbook`: the report names missing resources. `doctor`: all problems can be repaired."
        ],
        [
          "3",
          "`doctor`: problems cannot be repaired. `salvage`: rows are lost. `secrets`: values cannot be decrypted."
        ]
      ]
    ),
    ...(await sectionsOf([]))
  ])
