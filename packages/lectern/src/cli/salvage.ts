/** `lectern salvage`: copies the readable rows of a corrupt SQLite database to a new file. */
import { type SalvageReport, salvage as salvageDatabase } from "@lectern/storage-sqlite"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { displayDatabase } from "../settings/DatabaseUrl.ts"
import { ConfigurationError } from "../settings/Setting.ts"
import { readEnvironment, workspaceFlags } from "./settings.ts"

/** The exit code if rows are lost, as that of `lectern doctor` for problems that it cannot repair. */
const lostExitCode = 3

const formatReport = ({ tables, rejectedRows, isHistoryRestored }: SalvageReport, target: string): string => {
  const copied = tables.reduce((sum, table) => sum + table.copied, 0)
  const damaged = tables.filter(({ isComplete, rejected }) => !isComplete || rejected > 0)
  return [
    ...damaged.map(({ table, copied, isComplete, missing, rejected }) =>
      [
        `${isComplete ? "complete" : "lost"}  ${table}  ${copied} rows copied`,
        ...(isComplete ? [] : [`at least ${missing} rows are not readable`]),
        ...(rejected === 0 ? [] : [`${rejected} rows are rejected`])
      ].join(", ")
    ),
    ...(isHistoryRestored ? ["The history of migrations was restored from the schema."] : []),
    ...(rejectedRows === undefined
      ? []
      : [`Rows that refer to lost rows, or violate a constraint, are in ${rejectedRows}.`]),
    `Copied ${copied} rows of ${tables.length} tables to ${target}. ${damaged.length === 0 ? "No rows are lost." : `${damaged.length} tables have lost rows.`}`,
    `Next, run: lectern doctor --repair --database-url sqlite:${target}`
  ].join("\n")
}

export const salvage = Command.make(
  "salvage",
  {
    to: Flag.String("to").pipe(Flag.withDescription("The path of the new file, which must not exist")),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print the report as a JSON object"),
      Flag.withDefault(false)
    ),
    ...workspaceFlags
  },
  Effect.fnUntraced(
    function* ({ to, json, ...flags }) {
      const { database } = yield* readEnvironment(flags)
      if (database._tag === "Postgres") {
        return yield* new ConfigurationError({
          message: `${displayDatabase(database)} is not a SQLite file. Restore a backup of PostgreSQL.`
        })
      }
      const report = yield* salvageDatabase({
        source: database.filename,
        target: to,
        prefix: database.prefix
      })
      yield* Console.log(json ? JSON.stringify(report) : formatReport(report, to))
      if (report.tables.some(({ isComplete, rejected }) => !isComplete || rejected > 0)) {
        process.exitCode = lostExitCode
      }
    },
    Effect.catchTag("SalvageError", ({ message }) => Effect.fail(new ConfigurationError({ message })))
  )
).pipe(
  Command.withShortDescription("Copy the readable rows of a corrupt SQLite database to a new file."),
  Command.withDescription(
    [
      "Copy the readable rows of a corrupt SQLite database to a new file, and report the losses. Stop the server first. The corrupt file is not changed.",
      "Exit codes: 0 all rows were copied; 1 the file cannot be salvaged; 3 rows are lost."
    ].join(" ")
  ),
  Command.withExamples([
    {
      command: "lectern salvage --to salvaged.db",
      description: "Copy the readable rows of ./data/lectern.db"
    }
  ])
)
