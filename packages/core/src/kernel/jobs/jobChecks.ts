/** Doctor checks of background jobs. They are notices: the data is consistent, but an operator should act. */
import { Clock, Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../doctor/Check.ts"
import { toTimestamp } from "../time.ts"
import { jobs } from "./Job.ts"

export const dead: Check = {
  name: "job-dead",
  invariant: "No job is dead-lettered.",
  source: "jobs/Job.ts",
  isNotice: true
}

export const overdue: Check = {
  name: "job-overdue",
  invariant: "A due job is claimed within five minutes.",
  source: "jobs/Jobs.ts",
  isNotice: true
}

/** How long a job may be due, or be without a heartbeat, in milliseconds: several leases. */
const overdueAfterMillis = 5 * 60 * 1000

export const jobExaminations: ReadonlyArray<Examination> = [
  examination(
    jobs,
    [dead, overdue],
    Effect.fnUntraced(function* (_, rows) {
      const before = toTimestamp((yield* Clock.currentTimeMillis) - overdueAfterMillis)
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if (row.state === "dead") {
          return [
            {
              check: dead,
              row,
              message: `of the kind ${row.kind} is dead-lettered: ${row.error ?? ""} (retry it with \`lectern jobs retry\`)`
            }
          ]
        }
        return row.runAt < before
          ? [
              {
                check: overdue,
                row,
                message: `of the kind ${row.kind} has been due since ${row.runAt} and no worker claims it`
              }
            ]
          : []
      })
    })
  )
]
