/** Background work that does not go on. It is no damage; somebody should look at it. */
import { Clock, Effect } from "effect"
import { type Check, type Examination, examination, type Problem } from "../doctor/Check.ts"
import { toTimestamp } from "../time.ts"
import { jobs } from "./Job.ts"

export const dead: Check = {
  name: "job-dead",
  says: "No job has failed too often.",
  source: "jobs/Job.ts",
  isNotice: true
}

export const overdue: Check = {
  name: "job-overdue",
  says: "A job that is due is taken within five minutes.",
  source: "jobs/Jobs.ts",
  isNotice: true
}

/** How long a job may wait that is due, or whose worker gave no sign of life, in milliseconds: several leases. */
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
              message: `of the kind ${row.kind} has failed too often: ${row.error ?? ""} (lectern jobs retry)`
            }
          ]
        }
        return row.runAt < before
          ? [
              {
                check: overdue,
                row,
                message: `of the kind ${row.kind} is due since ${row.runAt}, and nobody takes it`
              }
            ]
          : []
      })
    })
  )
]
