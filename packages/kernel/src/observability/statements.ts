/** Observes the statements of a store: a histogram of their durations, and the statements of each slow operation. */
import { Clock, Context, Effect, type Fiber, Metric } from "effect"

/** Upper bounds of the buckets of durations, in milliseconds. */
export const durationBoundaries = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

/**
 * Whether operations are observed; `true` by default. It is read once, when the services are built, so that calls have
 * no overhead when it is off. `npm run bench` compares the two.
 */
export const ObserveOperations = Context.Reference<boolean>("@lectern/core/ObserveOperations", {
  defaultValue: () => true
})

/** The maximum number of different statements that are retained of an operation. */
const maximumStatements = 200

/** The maximum number of characters of a statement in the log. */
const maximumTextLength = 500

/** The executions of one statement in an operation. */
export interface StatementSummary {
  /** The statement, without the values of its parameters. */
  readonly text: string
  /** The number of executions. */
  readonly count: number
  /** The duration of all executions, in milliseconds. */
  readonly totalMs: number
  /** The duration of the longest execution, in milliseconds. */
  readonly maximumMs: number
}

/** The statements that an operation has executed. */
export class StatementTrace {
  readonly #summaries = new Map<string, { text: string; count: number; totalMs: number; maximumMs: number }>()
  #count = 0

  /** The number of executions. */
  get count(): number {
    return this.#count
  }

  /** Records an execution. */
  add(text: string, durationMs: number): void {
    this.#count++
    const summary = this.#summaries.get(text)
    if (summary !== undefined) {
      summary.count++
      summary.totalMs += durationMs
      summary.maximumMs = Math.max(summary.maximumMs, durationMs)
    } else if (this.#summaries.size < maximumStatements) {
      this.#summaries.set(text, { text, count: 1, totalMs: durationMs, maximumMs: durationMs })
    }
  }

  /** Returns at most `limit` statements, the slowest first. */
  slowest(limit: number): ReadonlyArray<StatementSummary> {
    return [...this.#summaries.values()]
      .sort((one, other) => other.totalMs - one.totalMs)
      .slice(0, limit)
      .map(({ text, count, totalMs, maximumMs }) => ({
        text: text.length > maximumTextLength ? `${text.slice(0, maximumTextLength)}…` : text,
        count,
        totalMs: Math.round(totalMs * 10) / 10,
        maximumMs: Math.round(maximumMs * 10) / 10
      }))
  }
}

/** The statements of the operation that a fiber runs. Absent if slow operations are not logged. */
export class OperationStatements extends Context.Service<OperationStatements, StatementTrace>()(
  "@lectern/core/OperationStatements"
) {}

/**
 * The duration in milliseconds from which an operation is logged with its statements. By default, no operation is. It is read
 * once, when the services are built.
 */
export const SlowOperationThreshold = Context.Reference<number | undefined>(
  "@lectern/core/SlowOperationThreshold",
  { defaultValue: () => undefined }
)

const histograms = new Map<string, Metric.Histogram<number>>()

const histogramOf = (statement: string): Metric.Histogram<number> => {
  let histogram = histograms.get(statement)
  if (histogram === undefined) {
    histogram = Metric.histogram("lectern_statement_duration_ms", {
      description:
        "Duration of the statements of the database in milliseconds, with the wait for a connection",
      boundaries: durationBoundaries,
      attributes: { statement }
    })
    histograms.set(statement, histogram)
  }
  return histogram
}

const keywords: ReadonlySet<string> = new Set(["SELECT", "INSERT", "UPDATE", "DELETE"])

/** Returns the keyword of a statement in lower case. A statement that claims rows begins with `WITH`, and updates. */
const keywordOf = (text: string): string => {
  const keyword = text.slice(0, 6)
  return keywords.has(keyword) ? keyword.toLowerCase() : keyword.startsWith("WITH ") ? "update" : "other"
}

/** Records the duration of a statement, and that the current operation has executed it. */
export const observeStatement = <A, E, R>(
  fiber: Fiber.Fiber<unknown, unknown>,
  text: string,
  statement: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> => {
  const clock = fiber.getRef(Clock.Clock)
  const trace = Context.getOrUndefined(fiber.context, OperationStatements)
  const started = clock.monotonicTimeNanosUnsafe()
  return Effect.onExitPrimitive(statement, () => {
    const millis = Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
    histogramOf(keywordOf(text)).updateUnsafe(millis, fiber.context)
    trace?.add(text, millis)
    return undefined
  })
}
