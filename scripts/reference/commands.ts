/** The reference of the `lectern` command, from the help of its subcommands. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect, Option } from "effect"
import { CliOutput, Command, type HelpDoc } from "effect/cli"
import { lectern } from "../../packages/http/src/cli/lectern.ts"
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
      Effect.provide([CliOutput.layer(formatter), NodeServices.layer]),
      Effect.provideService(Console.Console, { ...globalThis.console, log: () => undefined })
    )
  )
  if (found === undefined) throw new Error(`The command "${path.join(" ")}" has no help.`)
  return found
}

const describe = (description: Option.Option<string>): string => Option.getOrElse(description, () => "")

/** The flags that every command has, which one section describes. */
const isShared = ({ name }: HelpDoc.FlagDoc): boolean =>
  /^(database-|log-|help|version|completions|wizard)/.test(name)

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
  const own = [
    `${"#".repeat(Math.min(path.length + 1, 4))} ${["lectern", ...path].join(" ")}`,
    help.description,
    args.length === 0 ? "" : tableOf(["argument", "description"], args),
    flags.length === 0 ? "" : tableOf(["flag", "description"], flags),
    ...examples
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
    "- `--database-url`, `--database-prefix`, `--database-schema` and `--database-check` select the database of every command.\n- `--log-level` and `--log-format` configure the log. It is written to standard error; `lectern serve` writes it to standard output.\n- `--help` prints the help of a command, `--version` the version, and `--completions <shell>` a completion script.\n- `--json` prints the result as one line of JSON; `lectern doctor` prints one line per problem, and `lectern audit --jsonl` one per record. `lectern serve` has `--log-format json` instead. Errors remain one line on standard error.\n- No command prompts, so all of them run in scripts. A command whose effect cannot be undone fails unless `--yes` confirms it: `token revoke`, `token rotate` without `--former-hours`, and `org visitor-key`.\n- Restoring, copying and importing never overwrite rows: they fail if the database has conflicting rows.",
    "Add completions to your shell:",
    "```sh\nlectern --completions bash > ~/.local/share/bash-completion/completions/lectern\nlectern --completions zsh > ~/.zsh/completions/_lectern\nlectern --completions fish > ~/.config/fish/completions/lectern.fish\n```",
    "## Exit codes",
    tableOf(
      ["code", "meaning"],
      [
        ["0", "The command succeeded. A signal stopped the server."],
        ["1", "The command failed, or requires `--yes`. Standard error has one line with the reason."],
        [
          "2",
          "`migrate status`: migrations are pending, or the database is newer. `doctor`: all problems can be repaired."
        ],
        [
          "3",
          "`doctor`: problems cannot be repaired. `salvage`: rows are lost. `secrets`: values cannot be decrypted."
        ]
      ]
    ),
    ...(await sectionsOf([]))
  ])
