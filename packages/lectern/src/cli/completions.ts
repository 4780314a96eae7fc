/** The completion scripts of shells: the flags of every command, with the values and paths that settings accept. */
import { Console, Effect, Option } from "effect"
import { Completions, Flag, GlobalFlag } from "effect/cli"
import { allSettings } from "../settings/allSettings.ts"

/** The shells that a script can be generated for. */
const shells = ["bash", "zsh", "fish", "powershell"] as const

/** The flags whose value is a path, under the path of their command. Others with these names are URLs or times. */
const pathFlags: Readonly<Record<string, "file" | "directory">> = {
  "serve --backup-to": "directory",
  "backup --to": "directory",
  "backup list --from": "directory",
  "restore --from": "directory",
  "export --to": "directory",
  "import --from": "directory",
  "salvage --to": "file"
}

/** Other flags with fixed values that are not choices of Effect's command line. */
const valuesOfFlags: Readonly<Record<string, ReadonlyArray<string>>> = {
  "audit --outcome": ["success", "denied"]
}

/** The flags that every command has. Effect's descriptor does not contain them. */
const sharedFlags: ReadonlyArray<Completions.FlagDescriptor> = [
  {
    name: "help",
    aliases: ["h"],
    description: "Show help information",
    type: { _tag: "Boolean" },
    negation: false
  },
  {
    name: "log-level",
    aliases: [],
    description: "Sets the minimum log level",
    type: { _tag: "Choice", values: ["all", "trace", "debug", "info", "warn", "error", "fatal", "none"] }
  }
]

/** The flags of the command without a subcommand. */
const rootFlags: ReadonlyArray<Completions.FlagDescriptor> = [
  {
    name: "version",
    aliases: ["v"],
    description: "Show version information",
    type: { _tag: "Boolean" },
    negation: false
  },
  {
    name: "completions",
    aliases: [],
    description: "Print shell completion script",
    type: { _tag: "Choice", values: shells }
  }
]

/** Returns the values of a setting that has a fixed set of them. */
const literalsOf = (flag: string): ReadonlyArray<string> | undefined => {
  const schema = allSettings.find((setting) => setting.flag === flag)?.schema
  return schema !== undefined && "literals" in schema ? (schema.literals as ReadonlyArray<string>) : undefined
}

const completeFlag = (path: string, flag: Completions.FlagDescriptor): Completions.FlagDescriptor => {
  const key = `${path} --${flag.name}`
  const pathType = pathFlags[key]
  const values = valuesOfFlags[key] ?? literalsOf(flag.name)
  if (pathType !== undefined) return { ...flag, type: { _tag: "Path", pathType } }
  if (values !== undefined) return { ...flag, type: { _tag: "Choice", values } }
  return flag.type._tag === "Boolean" ? { ...flag, negation: false } : flag
}

const completeCommand = (
  command: Completions.CommandDescriptor,
  path: ReadonlyArray<string> = []
): Completions.CommandDescriptor => ({
  ...command,
  flags: [
    ...command.flags.map((flag) => completeFlag(path.join(" "), flag)),
    ...(path.length === 0 ? rootFlags : []),
    ...sharedFlags
  ],
  subcommands: command.subcommands.map((subcommand) =>
    completeCommand(subcommand, [...path, subcommand.name])
  )
})

/** `--completions <shell>`: prints the script. It replaces Effect's flag, whose scripts lack the flags of all commands. */
export const completionsFlag = GlobalFlag.Action({
  flag: Flag.Literals("completions", shells).pipe(
    Flag.optional,
    Flag.withMetavar(`<${shells.join("|")}>`),
    Flag.withDescription("Print shell completion script")
  ),
  run: (shell, { command }) =>
    Option.isNone(shell)
      ? Effect.void
      : Console.log(
          Completions.generate(command.name, shell.value, completeCommand(Completions.fromCommand(command)))
        )
})
