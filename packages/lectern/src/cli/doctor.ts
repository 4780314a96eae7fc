/** `lectern doctor`: checks the integrity of a workspace, and repairs derived data. */
import { Doctor, type Finding, type Progress, type Summary } from "@lectern/core"
import { Console, Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { inWorkspace, workspaceFlags } from "./settings.ts"

/** The exit codes of the command. `incomplete` is 1, as for every command that fails. */
const exitCodes = { healthy: 0, incomplete: 1, repairable: 2, damaged: 3 } as const

const formatFinding = ({
  check,
  severity,
  table,
  row,
  message,
  isRepairable,
  isRepaired
}: Finding): string => {
  const outcome =
    severity === "notice"
      ? "informational"
      : isRepaired
        ? "repaired"
        : isRepairable
          ? "repair it with --repair"
          : "cannot be repaired: restore it from a backup"
  const subject = table === "" ? "database" : row === "" ? table : `${table} ${row}`
  return `${severity}  ${check}  ${subject} ${message}  (${outcome})`
}

const formatJson = (
  type: "finding" | "summary",
  fields: Finding | (Summary & { readonly exitCode: number })
) => JSON.stringify({ type, ...fields })

const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

const formatSummary = ({
  rows,
  blobs,
  unreached,
  damage,
  repaired,
  repairable,
  notices
}: Summary): string => {
  const remaining = damage - repaired
  const result =
    damage === 0
      ? "No problems found."
      : [
          `${pluralize(damage, "problem")} found.`,
          ...(repaired === 0 ? [] : [`${repaired} repaired.`]),
          ...(remaining === 0 ? [] : [`${remaining} remaining, of which --repair can repair ${repairable}.`])
        ].join(" ")
  const garbage =
    unreached === 0
      ? ""
      : ` ${unreached} of ${pluralize(blobs, "blob")} unreferenced; garbage collection deletes them.`
  return `${result}${notices === 0 ? "" : ` ${pluralize(notices, "notice")}.`} Checked ${pluralize(rows, "row")}.${garbage}`
}

const exitCodeOf = ({ damage, repaired, repairable }: Summary): number => {
  const remaining = damage - repaired
  return remaining === 0
    ? exitCodes.healthy
    : remaining === repairable
      ? exitCodes.repairable
      : exitCodes.damaged
}

/** The number of rows from which a finished table is reported if standard error is not a terminal. */
const reportedRows = 10_000

/** Writes progress to standard error: on a terminal a line that is overwritten, otherwise one line per large table. */
const reportProgress = ({ what, done, total }: Progress): Effect.Effect<void> =>
  Effect.sync(() => {
    const isTerminal = process.stderr.isTTY === true
    if (total === 0 || (!isTerminal && (done < total || total < reportedRows))) return
    const line = `checked ${what}: ${done} of ${total}`
    process.stderr.write(isTerminal ? `\r\u001b[K${line}${done < total ? "" : "\n"}` : `${line}\n`)
  })

export const doctor = Command.make(
  "doctor",
  {
    repair: Flag.Boolean("repair").pipe(
      Flag.withDescription(
        "Recompute derived data that is wrong: counts, paths, the search index. Never changes authored content"
      ),
      Flag.withDefault(false)
    ),
    quick: Flag.Boolean("quick").pipe(
      Flag.withDescription(
        "Do not compare the text of pages with the search index, which takes most of the time of a full check"
      ),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print each problem, and then the summary, as one JSON object per line"),
      Flag.withDefault(false)
    ),
    ...workspaceFlags
  },
  Effect.fnUntraced(function* (flags) {
    // The doctor checks the file itself, and must open a corrupt one.
    yield* Effect.gen(function* () {
      const { examine } = yield* Doctor
      // An interrupted check must not exit with 0.
      process.exitCode = exitCodes.incomplete
      yield* Stream.runForEach(examine({ repair: flags.repair, quick: flags.quick }), (event) => {
        switch (event._tag) {
          case "Progress":
            return reportProgress(event.progress)
          case "Found":
            return Console.log(
              flags.json ? formatJson("finding", event.finding) : formatFinding(event.finding)
            )
          case "Done": {
            const exitCode = exitCodeOf(event.summary)
            process.exitCode = exitCode
            return Console.log(
              flags.json
                ? formatJson("summary", { ...event.summary, exitCode })
                : formatSummary(event.summary)
            )
          }
        }
      })
    }).pipe(
      inWorkspace(flags, {
        integrityCheck: "skip"
      })
    )
  })
).pipe(
  Command.withShortDescription("Check the integrity of the workspace, and repair derived data."),
  Command.withDescription(
    [
      "Check the integrity of the workspace: references, trees, counts, orders, content checksums and the search index. It is safe while the server runs.",
      "Prints one problem per line to standard output, and progress to standard error.",
      "Exit codes: 0 no problems, or all repaired; 1 the check did not complete; 2 problems that --repair can repair; 3 problems that it cannot repair."
    ].join(" ")
  ),
  Command.withExamples([
    { command: "lectern doctor", description: "Check ./data/lectern.db, also while a server runs" },
    {
      command: "lectern doctor --repair --json",
      description: "Repair derived data, and print the problems for a program"
    }
  ])
)
