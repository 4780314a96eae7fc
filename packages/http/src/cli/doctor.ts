/** `lectern doctor`: whether all is right with a workspace, and putting right what can be. */
import { Doctor, type Finding, type Progress, type Summary } from "@lectern/core"
import { Console, Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { common, inWorkspace } from "./settings.ts"

/** What the command ends with. `unseen` is what every command ends with that could not do its work. */
const codes = { healthy: 0, unseen: 1, repairable: 2, damaged: 3 } as const

const lineOf = ({ check, severity, table, row, message, isRepairable, isRepaired }: Finding): string => {
  const outcome =
    severity === "notice"
      ? "it is no damage"
      : isRepaired
        ? "put right"
        : isRepairable
          ? "--repair puts it right"
          : "nobody but you can put it right"
  return `${severity}  ${check}  ${table} ${row} ${message}  (${outcome})`
}

const jsonOf = (type: "finding" | "summary", fields: Finding | (Summary & { readonly exitCode: number })) =>
  JSON.stringify({ type, ...fields })

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** What came of it, in a few sentences. */
const wordsOf = ({ rows, blobs, unreached, damage, repaired, repairable, notices }: Summary): string => {
  const left = damage - repaired
  const found =
    damage === 0
      ? "Nothing is wrong."
      : [
          `${many(damage, "finding")} of damage.`,
          ...(repaired === 0 ? [] : [`${repaired} put right.`]),
          ...(left === 0 ? [] : [`${left} left, of which --repair puts ${repairable} right.`])
        ].join(" ")
  const garbage =
    unreached === 0 ? "" : ` ${many(unreached, "blob")} of ${blobs} are reached from nowhere, and go in time.`
  return `${found}${notices === 0 ? "" : ` ${many(notices, "notice")}.`} ${many(rows, "row")} looked at.${garbage}`
}

const exitCodeOf = ({ damage, repaired, repairable }: Summary): number => {
  const left = damage - repaired
  return left === 0 ? codes.healthy : left === repairable ? codes.repairable : codes.damaged
}

/** Says how far it is, on standard error: a line that is written over on a terminal, else one for each table. */
const show = ({ what, done, total }: Progress): Effect.Effect<void> =>
  Effect.sync(() => {
    const isTerminal = process.stderr.isTTY === true
    if (total === 0 || (done < total && !isTerminal)) return
    const line = `checked ${what}: ${done} of ${total}`
    process.stderr.write(isTerminal ? `\r\u001b[K${line}${done < total ? "" : "\n"}` : `${line}\n`)
  })

export const doctor = Command.make(
  "doctor",
  {
    repair: Flag.Boolean("repair").pipe(
      Flag.withDescription("Put right what follows from something else. What people wrote is left as it is"),
      Flag.withDefault(false)
    ),
    quick: Flag.Boolean("quick").pipe(
      Flag.withDescription(
        "Do not take texts apart, which takes most of the time: by which words pages are found is not looked at"
      ),
      Flag.withDefault(false)
    ),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("Print each finding, and the summary at the end, as JSON on a line of its own"),
      Flag.withDefault(false)
    ),
    ...common
  },
  Effect.fnUntraced(function* (flags) {
    const { workspace, logging } = yield* inWorkspace(flags)
    yield* Effect.gen(function* () {
      const { examine } = yield* Doctor
      // Whoever is told to stop has not seen that nothing is wrong.
      process.exitCode = codes.unseen
      yield* Stream.runForEach(examine({ repair: flags.repair, quick: flags.quick }), (event) => {
        switch (event._tag) {
          case "Progress":
            return show(event.progress)
          case "Found":
            return Console.log(flags.json ? jsonOf("finding", event.finding) : lineOf(event.finding))
          case "Done": {
            const exitCode = exitCodeOf(event.summary)
            process.exitCode = exitCode
            return Console.log(
              flags.json ? jsonOf("summary", { ...event.summary, exitCode }) : wordsOf(event.summary)
            )
          }
        }
      })
    }).pipe(Effect.provide(workspace), Effect.provide(logging))
  })
).pipe(
  Command.withDescription(
    [
      "Check all that must hold in the workspace: references, trees, counts, orders, content down to its bytes, and the search index.",
      "It may run beside the server. Findings are on standard output, a line for each; how far it is, on standard error.",
      "Exit codes: 0 nothing is wrong, or all of it was put right; 1 it could not be checked; 2 something is wrong, and --repair puts all of it right; 3 something is wrong that a repair leaves."
    ].join(" ")
  )
)
