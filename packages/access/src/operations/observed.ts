/**
 * Records every call of an operation: a span, if a tracer is installed and enabled, and a histogram of durations by
 * operation and outcome, from which dashboards derive rates and error rates.
 */

import { durationBoundaries, OperationStatements, StatementTrace } from "@lectern/kernel"
import { Cause, Clock, Context, Effect, Exit, type Fiber, Metric, References, Tracer } from "effect"
import { CurrentUser } from "../CurrentUser.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** `success`, the tag of the typed error, `interrupted`, or `defect`. */
const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "success"
  const failure = exit.cause.reasons.find(Cause.isFailReason)
  if (failure !== undefined) {
    const { error } = failure
    return typeof error === "object" && error !== null && "_tag" in error ? String(error._tag) : "failure"
  }
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "defect"
}

/** Parameters that are not recorded in spans: inputs, credentials and personal data. */
const unrecorded: ReadonlySet<string> = new Set(["input", "signature", "email"])

/** The name of a parameter that is an id, with the name of its attribute. */
type Attribute = readonly [id: string, attribute: string]

const attributeOf = (id: string): Attribute => [id, `lectern.${id}`]

/** The ids in a parameter that has several, such as `content`. */
const nestedIds = ["space", "collection", "changeRequest", "revision"].map(attributeOf)

/** The ids among the parameters, and the caller, as attributes of a span. */
const attributesOf = (
  recorded: ReadonlyArray<Attribute>,
  values: Readonly<Record<string, unknown>>,
  user: string | undefined
): Record<string, unknown> => {
  const attributes: Record<string, unknown> = user === undefined ? {} : { "lectern.caller": user }
  for (const [name, attribute] of recorded) {
    const value = values[name]
    if (typeof value === "string") attributes[attribute] = value
    else if (typeof value === "object" && value !== null) {
      for (const [id, nestedAttribute] of nestedIds) {
        const nested: unknown = Reflect.get(value, id)
        if (typeof nested === "string" && nested !== "") attributes[nestedAttribute] = nested
      }
    }
  }
  return attributes
}

/** Returns a call unchanged. */
export const unobserved = <A, E, R>(_: object, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> => call

/** Whether a tracer is installed and enabled. The native tracer, which is the default, exports no span. */
const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  Context.getOrUndefined(fiber.context, Tracer.Tracer) !== undefined && fiber.getRef(References.TracerEnabled)

/** The maximum number of statements that the log of a slow operation contains. */
const loggedStatements = 20

/** Logs an operation that took long, with the statements that took the most time. */
const logSlowOperation = (
  operation: string,
  outcome: string,
  durationMs: number,
  trace: StatementTrace
): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWarning("slow operation"), {
    operation,
    outcome,
    durationMs: Math.round(durationMs * 10) / 10,
    statementCount: trace.count,
    statements: trace.slowest(loggedStatements)
  })

/**
 * Returns a function that wraps calls of an operation with a span and metrics. A call that takes at least `slowMs` milliseconds
 * is logged with its statements; by default, none is.
 */
export const observed = ({ name, parameters: names }: OperationDefinition, slowMs?: number) => {
  const recorded = names.filter((parameter) => !unrecorded.has(parameter)).map(attributeOf)
  const histograms = new Map<string, Metric.Histogram<number>>()
  const histogramOf = (outcome: string): Metric.Histogram<number> => {
    let histogram = histograms.get(outcome)
    if (histogram === undefined) {
      histogram = Metric.histogram("lectern_operation_duration_ms", {
        description: "Duration of operations in milliseconds",
        boundaries: durationBoundaries,
        attributes: { operation: name, outcome }
      })
      histograms.set(outcome, histogram)
    }
    return histogram
  }

  return <A, E, R>(parameters: object, call: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const clock = fiber.getRef(Clock.Clock)
      const started = clock.monotonicTimeNanosUnsafe()
      // An operation that runs within another one adds its statements to the trace of the other one.
      const trace =
        slowMs === undefined || Context.getOrUndefined(fiber.context, OperationStatements) !== undefined
          ? undefined
          : new StatementTrace()
      const run = trace === undefined ? call : Effect.provideService(call, OperationStatements, trace)
      // Finalizers that return an effect would add a step of the fiber to every call.
      const record = (outcome: string): Effect.Effect<void> | undefined => {
        const millis = Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
        histogramOf(outcome).updateUnsafe(millis, fiber.context)
        return trace === undefined || slowMs === undefined || millis < slowMs
          ? undefined
          : logSlowOperation(name, outcome, millis, trace)
      }
      if (!isTraced(fiber)) return Effect.onExitPrimitive(run, (exit) => record(outcomeOf(exit)))
      const user = Context.getOrUndefined(fiber.context, CurrentUser)?.id
      const attributes = attributesOf(recorded, parameters as Readonly<Record<string, unknown>>, user)
      return Effect.useSpan(name, { attributes }, (span) =>
        Effect.onExitPrimitive(Effect.withParentSpan(run, span, { captureStackTrace: false }), (exit) => {
          const outcome = outcomeOf(exit)
          span.attribute("lectern.outcome", outcome)
          return record(outcome)
        })
      )
    })
}
