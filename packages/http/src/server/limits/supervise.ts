/** Limits the number of requests in progress, and the duration of each. */
import { StorageUnavailable, UpstreamTimeout } from "@lectern/core"
import { Cause, type Context, Effect, Exit, type Fiber } from "effect"
import type { Dispatcher } from "../Dispatcher.ts"
import { Overloaded, toResponse } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse } from "../messages/Message.ts"
import { type RequestKind, requestKindOf } from "./requestKind.ts"

/** The limits of requests in progress. */
export interface RequestLimits {
  /**
   * The maximum number of requests in progress; 100 by default. Further requests are rejected with 503 before any work.
   * A request whose body is still being received is counted separately, with four times this limit.
   */
  readonly maxConcurrentRequests?: number
  /** The maximum duration of a request in milliseconds, without receiving its body; 30,000 by default. */
  readonly requestTimeoutMs?: number
  /** The maximum duration of preparing a file or a PDF for download, in milliseconds; 120,000 by default. */
  readonly downloadTimeoutMs?: number
  /** The maximum duration of an import, in milliseconds; 600,000 by default. */
  readonly importTimeoutMs?: number
}

const defaultMaxConcurrentRequests = 100
const defaultTimeoutsMs = { default: 30_000, download: 120_000, import: 600_000 }

/** How many requests may receive their bodies, relative to the number of requests in progress. */
const bodiesPerRequest = 4

const overloaded = (): ApiResponse => toResponse(new Overloaded({}))

const exceeded = (kind: RequestKind, timeoutMs: number): ApiResponse => {
  const seconds = timeoutMs / 1000
  if (kind === "import") {
    return toResponse(
      new UpstreamTimeout({
        reason: "Timeout",
        message: `The import took longer than ${seconds} s. Nothing was imported. Import fewer pages at a time.`
      })
    )
  }
  const error = new StorageUnavailable({
    reason: "DeadlineExceeded",
    detail: `The request took longer than ${seconds} s.`
  })
  return { ...toResponse(error), outcome: { cause: Cause.fail(error), reason: error.detail } }
}

/**
 * Limits the requests of a dispatcher. A request that exceeds its deadline is interrupted: its transaction is rolled back,
 * unless it has been committed, in which case the response is that of the success. Health checks have no limits.
 */
export const supervise = (dispatch: Dispatcher, limits: RequestLimits): Dispatcher => {
  const maximum = limits.maxConcurrentRequests ?? defaultMaxConcurrentRequests
  const timeoutsMs = {
    default: limits.requestTimeoutMs ?? defaultTimeoutsMs.default,
    download: limits.downloadTimeoutMs ?? defaultTimeoutsMs.download,
    import: limits.importTimeoutMs ?? defaultTimeoutsMs.import
  }
  let inProgress = 0
  let receiving = 0

  const run = (request: ApiRequest, kind: Exclude<RequestKind, "health">, context: Context.Context<never>) =>
    Effect.callback<ApiResponse>((resume) => {
      const timeoutMs = timeoutsMs[kind]
      let rejection: ApiResponse | undefined
      let state: "working" | "receiving" | "finished" = "working"
      let timer: NodeJS.Timeout | undefined
      let fiber: Fiber.Fiber<ApiResponse> | undefined

      const stop = (response: ApiResponse) => {
        rejection = response
        fiber?.interruptUnsafe()
      }
      const enter = () => {
        inProgress++
        state = "working"
        timer = setTimeout(() => stop(exceeded(kind, timeoutMs)), timeoutMs)
      }
      const leave = (next: "receiving" | "finished") => {
        if (state === "working") {
          inProgress--
          clearTimeout(timer)
        } else if (state === "receiving") receiving--
        state = next
        if (next === "receiving") receiving++
      }
      const receive = Effect.suspend((): ApiRequest["body"] => {
        if (receiving >= maximum * bodiesPerRequest) {
          stop(overloaded())
          return Effect.interrupt
        }
        leave("receiving")
        return Effect.onExit(request.body, () =>
          Effect.suspend(() => {
            leave("finished")
            if (inProgress < maximum) return Effect.sync(enter)
            stop(overloaded())
            return Effect.interrupt
          })
        )
      })

      enter()
      fiber = Effect.runForkWith(context)(dispatch({ ...request, body: receive }))
      if (rejection !== undefined) fiber.interruptUnsafe()
      fiber.addObserver((exit) => {
        leave("finished")
        resume(
          rejection !== undefined && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
            ? Effect.succeed(rejection)
            : exit
        )
      })
      const running = fiber
      return Effect.callback<void>((done) => {
        running.addObserver(() => done(Effect.void))
        running.interruptUnsafe()
      })
    })

  return (request) => {
    const kind = requestKindOf(request)
    if (kind === "health") return dispatch(request)
    if (inProgress >= maximum) return Effect.sync(overloaded)
    return Effect.withFiber((fiber) => run(request, kind, fiber.context))
  }
}
