/** Limits the questions of callers and of organizations: their number, their tokens, and how many are answered concurrently. */
import { addRateLimitCounts, type OrganizationId, Records, type StorageUnavailable } from "@lectern/core"
import { Clock, Effect, Schema, type Scope } from "effect"

/** The limits of questions. */
export interface AnswerLimitSettings {
  /** The questions of a caller per hour. */
  readonly questionsPerHour: number
  /** The tokens of the prompts and answers of an organization per day (UTC), estimated as four characters each. */
  readonly tokensPerDay: number
  /** The questions of a caller that are answered concurrently, in each process. */
  readonly concurrentPerCaller: number
  /** The questions on the content of an organization that are answered concurrently, in each process. */
  readonly concurrentPerOrganization: number
}

/** The limits that apply unless others are set. */
export const defaultAnswerLimits: AnswerLimitSettings = {
  questionsPerHour: 60,
  tokensPerDay: 2_000_000,
  concurrentPerCaller: 2,
  concurrentPerOrganization: 16
}

/** A question exceeds a limit. `retryAfterSeconds` states when the limit permits another one. */
export class TooManyQuestions extends Schema.TaggedError<TooManyQuestions>()("TooManyQuestions", {
  message: Schema.String,
  retryAfterSeconds: Schema.Int
}) {}

/** Whose question is answered, and on whose content. */
export interface QuestionOrigin {
  /** The id of the user, or the address of a visitor. */
  readonly caller: string
  readonly organization: OrganizationId
}

const hourMs = 60 * 60 * 1_000
const dayMs = 24 * hourMs

/** When to repeat a question that other questions prevent, in seconds. */
const busyRetrySeconds = 5

const busy = (maximum: number, whose: string): TooManyQuestions =>
  new TooManyQuestions({
    message:
      maximum === 1
        ? `A question of ${whose} is being answered, and one at a time is the maximum. Try again when it is answered.`
        : `${maximum} questions of ${whose} are being answered, which is the maximum. Try again when one is answered.`,
    retryAfterSeconds: busyRetrySeconds
  })

const countOf = (count: number, noun: string): string => `${count} ${count === 1 ? noun : `${noun}s`}`

/** Counts concurrent questions by key. */
const makeConcurrency = () => {
  const counts = new Map<string, number>()
  const add = (key: string, difference: 1 | -1): void => {
    const count = (counts.get(key) ?? 0) + difference
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }
  /** Counts a question until its scope closes. */
  return (key: string, maximum: number, whose: string): Effect.Effect<void, TooManyQuestions, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.suspend(() => {
        if ((counts.get(key) ?? 0) >= maximum) return Effect.fail(busy(maximum, whose))
        return Effect.sync(() => add(key, 1))
      }),
      () => Effect.sync(() => add(key, -1))
    )
}

/** Admits questions within limits. The numbers of questions and tokens are shared by the processes of a workspace. */
export interface AnswerLimits {
  /** Admits a question until its scope closes, whose prompt has this number of tokens. */
  readonly admit: (
    origin: QuestionOrigin,
    promptTokens: number
  ) => Effect.Effect<void, TooManyQuestions | StorageUnavailable, Scope.Scope>
  /** Counts the tokens of an answer. */
  readonly countAnswer: (origin: QuestionOrigin, tokens: number) => Effect.Effect<void>
  /** Counts the tokens of a translation. Fails if the organization has no tokens left for the day. */
  readonly spend: (
    organization: OrganizationId,
    tokens: number
  ) => Effect.Effect<void, TooManyQuestions | StorageUnavailable>
}

/** Creates the limits of a workspace. */
export const makeAnswerLimits = (settings: AnswerLimitSettings) =>
  Effect.gen(function* () {
    const records = yield* Records
    const concurrency = makeConcurrency()

    /** Adds to a count of a window, and returns the total and the seconds until the window ends. */
    const add = Effect.fnUntraced(function* (key: string, windowMs: number, count: number) {
      const time = yield* Clock.currentTimeMillis
      const expiresAt = (Math.floor(time / windowMs) + 1) * windowMs
      const [total = 0] = yield* addRateLimitCounts(records, [{ key: `answers:${key}`, expiresAt, count }])
      return { total, retryAfterSeconds: Math.max(1, Math.ceil((expiresAt - time) / 1_000)) }
    })

    const spend = Effect.fnUntraced(function* (organization: OrganizationId, tokens: number) {
      const { tokensPerDay } = settings
      const used = yield* add(`tokens:${organization}`, dayMs, tokens)
      if (used.total > tokensPerDay) {
        return yield* new TooManyQuestions({
          message: `The organization has used the tokens of this day: LECTERN_MODEL_TOKENS_PER_DAY permits ${tokensPerDay}.`,
          retryAfterSeconds: used.retryAfterSeconds
        })
      }
    })

    const limits: AnswerLimits = {
      admit: Effect.fnUntraced(function* ({ caller, organization }, promptTokens) {
        const { questionsPerHour, concurrentPerCaller, concurrentPerOrganization } = settings
        yield* concurrency(`caller:${caller}`, concurrentPerCaller, "yours")
        yield* concurrency(`organization:${organization}`, concurrentPerOrganization, "this organization")
        const asked = yield* add(`caller:${caller}`, hourMs, 1)
        if (asked.total > questionsPerHour) {
          return yield* new TooManyQuestions({
            message: `You can ask ${countOf(questionsPerHour, "question")} per hour.`,
            retryAfterSeconds: asked.retryAfterSeconds
          })
        }
        yield* spend(organization, promptTokens)
      }),
      spend,
      // An answer that was sent remains if it cannot be counted.
      countAnswer: ({ organization }, tokens) => Effect.ignore(add(`tokens:${organization}`, dayMs, tokens))
    }
    return limits
  })
