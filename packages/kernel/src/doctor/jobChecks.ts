/** Doctor checks of background jobs. They are notices: the data is consistent, but an operator should act. */
import { Clock, Effect } from "effect"
import { jobs } from "../jobs/Job.ts"
import { rebuiltDataOf } from "../jobs/rebuildJob.ts"
import { Where } from "../storage/index.ts"
import { toTimestamp } from "../time.ts"
import { type Check, type Examination, examination, type Problem } from "./Check.ts"

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

export const rebuilding: Check = {
  name: "job-rebuild",
  invariant: "No derived data is stale because of a migration of the schema.",
  source: "jobs/rebuildJob.ts",
  isNotice: true
}

/** A job is scheduled at most this far ahead, in milliseconds: recurring jobs are due daily. */
const scheduledWithinMillis = 366 * 24 * 60 * 60 * 1000

export const scheduled: Check = {
  name: "job-schedule",
  invariant: "A job is due within a year.",
  source: "jobs/Jobs.ts",
  repair: "Makes the job due now."
}

/** How long a job may be due, or be without a heartbeat, in milliseconds: several leases. */
const overdueAfterMillis = 5 * 60 * 1000

export const jobExaminations: ReadonlyArray<Examination> = [
  examination(
    jobs,
    [dead, overdue, scheduled, rebuilding],
    Effect.fnUntraced(function* ({ records }, rows) {
      const now = yield* Clock.currentTimeMillis
      const before = toTimestamp(now - overdueAfterMillis)
      const latest = toTimestamp(now + scheduledWithinMillis)
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
        // Text that is not a timestamp is reported by another check.
        if (row.runAt > latest && !Number.isNaN(Date.parse(row.runAt))) {
          return [
            {
              check: scheduled,
              row,
              message: `of the kind ${row.kind} is scheduled for ${row.runAt}`,
              repair: records.update(jobs, Where.eq("id", row.id), { runAt: toTimestamp(now) })
            }
          ]
        }
        const rebuilt = rebuiltDataOf(row.kind)
        if (rebuilt !== undefined) {
          const message = `rebuilds ${rebuilt}, which is incomplete since the schema was migrated at ${row.createdAt}`
          return [{ check: rebuilding, row, message }]
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
