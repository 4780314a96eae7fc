/** `lectern info`: what an operator attaches to a report, without secrets. */
import { countRows, Records, readBacklog } from "@lectern/core"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { allSettings } from "../settings/allSettings.ts"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { environmentVariable } from "../settings/Setting.ts"
import { isConvertersInstalled } from "./converters.ts"
import { readMigrationStatus } from "./environment.ts"
import { jobNameOf } from "./jobName.ts"
import { isReaderInstalled } from "./reader.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"
import { isStudioInstalled } from "./studio.ts"
import { version } from "./version.ts"

/** The settings that environment variables set, without the values of secrets. */
const settingsOf = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    allSettings.flatMap((setting): ReadonlyArray<readonly [string, string]> => {
      const name = environmentVariable(setting)
      const sources = [
        name,
        `${name}_FILE`,
        ...(setting.platformVariable === undefined ? [] : [setting.platformVariable])
      ]
      return sources.flatMap((source): ReadonlyArray<readonly [string, string]> => {
        const value = environment[source]
        if (value === undefined || value === "") return []
        return [[source, setting.isSecret === true && source !== `${name}_FILE` ? "(secret)" : value]]
      })
    })
  )

const withNames = (counts: ReadonlyMap<string, number>): Record<string, number> =>
  Object.fromEntries([...counts].map(([kind, count]) => [jobNameOf(kind), count]))

const readInfo = Effect.gen(function* () {
  const records = yield* Records
  const { waitingJobs, deadJobs, ...backlog } = yield* readBacklog
  const statistics = records.statistics?.()
  return {
    counts: yield* countRows,
    backlog: {
      waitingJobs: withNames(waitingJobs),
      deadJobs: withNames(deadJobs),
      ...backlog
    },
    ...(statistics?.files === undefined ? {} : { files: statistics.files })
  }
})

/** Formats an object as lines of names and values, with nested objects indented. */
const formatText = (value: object, indent = ""): string =>
  Object.entries(value)
    .map(([name, field]: readonly [string, unknown]) =>
      typeof field === "object" && field !== null
        ? `${indent}${name}\n${formatText(field, `${indent}  `)}`
        : `${indent}${name}  ${String(field)}`
    )
    .filter((line) => line.trim() !== "")
    .join("\n")

export const info = Command.make(
  "info",
  {
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print one JSON object instead of text"),
      Flag.withDefault(false)
    ),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    const { database, workspace, logging } = yield* readEnvironment(flags, { integrityCheck: "skip" })
    const status = yield* readMigrationStatus(database)
    // Opening the workspace would apply the pending migrations.
    const state =
      status.version === status.supported
        ? Option.some(yield* readInfo.pipe(Effect.provide(workspace), Effect.provide(logging)))
        : Option.none()
    const result = {
      version,
      node: process.versions.node,
      platform: `${process.platform} ${process.arch}`,
      database: displayDatabase(database),
      schema: { version: status.version, supported: status.supported },
      packages: {
        "@lectern/converters": yield* isConvertersInstalled,
        "@lectern/reader": yield* isReaderInstalled,
        "@lectern/studio": yield* isStudioInstalled
      },
      settings: settingsOf(process.env),
      ...Option.getOrElse(state, () => ({}))
    }
    yield* Console.log(flags.json ? JSON.stringify(result) : formatText(result))
  })
).pipe(
  Command.withShortDescription("Print versions, settings and the state of the workspace."),
  Command.withDescription(
    "Print the versions of Lectern, Node and the schema, the settings of the environment without secrets, and the numbers of resources and of waiting jobs. Changes nothing. The numbers are missing if migrations are pending."
  ),
  Command.withExamples([
    { command: "lectern info", description: "Print what belongs in the report of a problem" }
  ])
)
