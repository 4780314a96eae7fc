/** The rules that hold after the faults of a simulation have ended. */
import { Doctor } from "@lectern/core"
import { Effect, Stream } from "effect"
import type { State } from "../storage/MemoryState.ts"
import type { ProcessServices } from "./Process.ts"
import { rowsIn, tableNamed } from "./watchCommits.ts"

const outbox = tableNamed("outboxEvents")
const deliveries = tableNamed("webhookDeliveries")
const jobs = tableNamed("jobs")
const webhooks = tableNamed("webhooks")

/** Returns the unfinished work in a store: events to number, events to deliver, jobs to run. */
export const findUnsettled = (state: State): ReadonlyArray<string> => [
  ...rowsIn(state, outbox).map(({ type }) => `The event ${String(type)} has no number.`),
  ...rowsIn(state, deliveries)
    .filter((row) => row.state === "pending")
    .map(({ id, attempts }) => `The delivery ${String(id)} is pending after ${String(attempts)} requests.`),
  ...rowsIn(state, jobs)
    // Recurring jobs wait for their next run.
    .filter(({ id }) => !String(id).startsWith("recurring:"))
    .map(
      ({ id, kind, state: jobState, error }) =>
        `The job ${String(kind)} ${String(id)} is ${String(jobState)}: ${String(error)}`
    )
]

/** Returns the work that an idle workspace must have started: without webhooks, events wait for a reader. */
export const findOverdue = (state: State): ReadonlyArray<string> =>
  rowsIn(state, webhooks).length === 0
    ? findUnsettled(state).filter((work) => !work.startsWith("The event"))
    : findUnsettled(state)

/** Returns the findings of the doctor. */
export const examine: Effect.Effect<ReadonlyArray<string>, unknown, ProcessServices> = Effect.gen(
  function* () {
    const doctor = yield* Doctor
    const findings = yield* Stream.runCollect(doctor.findings)
    return findings.map((finding) => JSON.stringify(finding))
  }
)
