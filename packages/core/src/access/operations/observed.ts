/**
 * Makes every call of an operation observable: a span, when a tracer is enabled, and a histogram of durations by
 * operation and outcome, from which rates and error rates follow.
 */
import { Cause, Clock, Context, Effect, Exit, Metric, References, type Tracer } from "effect"
import { CurrentUser } from "../CurrentUser.ts"
import type { OperationDefinition } from "./OperationDefinition.ts"

/** Upper bounds of the buckets, in milliseconds. */
const boundaries = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

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

/** Parameters that no span records: what a client sends, and texts that are credentials or personal data. */
const unrecorded: ReadonlySet<string> = new Set(["input", "signature", "email"])

/** The ids in a parameter that has several, such as `content`. */
const nestedIds = ["space", "collection", "changeRequest", "revision"]

/** The ids among the parameters, and the caller, as attributes of a span. */
const attributesOf = (
  { parameters }: OperationDefinition,
  values: Readonly<Record<string, unknown>>,
  user: string | undefined
): Record<string, unknown> => {
  const attributes: Record<string, unknown> = user === undefined ? {} : { "lectern.caller": user }
  for (const name of parameters) {
    const value = values[name]
    if (unrecorded.has(name)) continue
    if (typeof value === "string") attributes[`lectern.${name}`] = value
    else if (typeof value === "object" && value !== null) {
      for (const id of nestedIds) {
        const nested: unknown = Reflect.get(value, id)
        if (typeof nested === "string" && nested !== "") attributes[`lectern.${id}`] = nested
      }
    }
  }
  return attributes
}

/** Wraps calls of an operation. */
export const observed = (definition: OperationDefinition) => {
  const { name } = definition
  const histograms = new Map<string, Metric.Histogram<number>>()
  const histogramOf = (outcome: string): Metric.Histogram<number> => {
    let histogram = histograms.get(outcome)
    if (histogram === undefined) {
      histogram = Metric.histogram("lectern_operation_duration_ms", {
        description: "Duration of operations in milliseconds",
        boundaries,
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
      const finish = (exit: Exit.Exit<A, E>, span: Tracer.Span | undefined) =>
        Effect.sync(() => {
          const outcome = outcomeOf(exit)
          span?.attribute("lectern.outcome", outcome)
          const millis = Number(clock.monotonicTimeNanosUnsafe() - started) / 1e6
          histogramOf(outcome).updateUnsafe(millis, fiber.context)
        })
      if (!fiber.getRef(References.TracerEnabled)) {
        return Effect.onExit(call, (exit) => finish(exit, undefined))
      }
      const user = Context.getOrUndefined(fiber.context, CurrentUser)?.id
      const attributes = attributesOf(definition, parameters as Readonly<Record<string, unknown>>, user)
      return Effect.useSpan(name, { attributes }, (span) =>
        Effect.onExit(Effect.withParentSpan(call, span, { captureStackTrace: false }), (exit) =>
          finish(exit, span)
        )
      )
    })
}
