/** Limits the number of requests in progress, and the duration of each. */
import { StorageUnavailable, UpstreamTimeout } from "@lectern/core"
import { Cause, type Context, Effect, Exit, type Fiber, Stream } from "effect"
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
  /**
   * The maximum duration of receiving a body that is not an upload, in milliseconds; 120,000 by default. If too many bodies are
   * received at the same time, the oldest is rejected after a tenth of it.
   */
  readonly bodyTimeoutMs?: number
  /** The maximum duration of receiving the files of an upload, in milliseconds; 3,600,000 by default, at most 6 hours. */
  readonly uploadTimeoutMs?: number
}

const defaultMaxConcurrentRequests = 100
/** The default of `uploadTimeoutMs`: one hour. */
export const defaultUploadTimeoutMs = 3_600_000

const defaultTimeoutsMs = { default: 30_000, download: 120_000, import: 600_000, body: 120_000 }

/** Garbage collection retains the chunks of an upload in progress for half a day. */
const maximumUploadTimeoutMs = 6 * 60 * 60 * 1000

/** How many requests may receive their bodies, relative to the number of requests in progress. */
const bodiesPerRequest = 4

/** How many of the bodies that are received may be uploads, which are never rejected for another body. */
const uploadShare = 0.5

/** The part of the timeout of a body after which it can be rejected for another one. */
const minimumAge = 0.1

/** A request that is receiving its body. */
interface Receiver {
  readonly since: number
  readonly isUpload: boolean
  readonly reject: () => void
}

const overloaded = (): ApiResponse => toResponse(new Overloaded({}))

const exceeded = (kind: RequestKind, timeoutMs: number, route: string | undefined): ApiResponse => {
  const logged = route === undefined ? {} : { route }
  const seconds = timeoutMs / 1000
  if (kind === "import") {
    const error = new UpstreamTimeout({
      reason: "Timeout",
      message: `The import took longer than ${seconds} s. Nothing was imported. Import fewer pages at a time.`
    })
    return { ...toResponse(error), outcome: logged }
  }
  const error = new StorageUnavailable({
    reason: "DeadlineExceeded",
    detail: `The request took longer than ${seconds} s.`
  })
  return { ...toResponse(error), outcome: { ...logged, cause: Cause.fail(error), reason: error.detail } }
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
    import: limits.importTimeoutMs ?? defaultTimeoutsMs.import,
    body: limits.bodyTimeoutMs ?? defaultTimeoutsMs.body,
    upload: Math.min(limits.uploadTimeoutMs ?? defaultUploadTimeoutMs, maximumUploadTimeoutMs)
  }
  let inProgress = 0
  const receivers = new Set<Receiver>()

  /** Makes room for another body: a client that sends slowly must not prevent others from sending. */
  const hasRoom = (isUpload: boolean): boolean => {
    const limit = maximum * bodiesPerRequest
    const uploads = [...receivers].filter((receiver) => receiver.isUpload).length
    if (isUpload && uploads >= limit * uploadShare) return false
    if (receivers.size < limit) return true
    const oldest = [...receivers].find((receiver) => !receiver.isUpload)
    if (oldest === undefined || performance.now() - oldest.since < timeoutsMs.body * minimumAge) return false
    receivers.delete(oldest)
    oldest.reject()
    return true
  }

  const run = (
    request: ApiRequest,
    kind: Exclude<RequestKind, "health">,
    context: Context.Context<never>
  ): Effect.Effect<ApiResponse> => {
    const timeoutMs = timeoutsMs[kind]
    let route: string | undefined
    let rejection: ApiResponse | undefined
    let state: "working" | "receiving" | "finished" = "working"
    let timer: NodeJS.Timeout | undefined
    let fiber: Fiber.Fiber<ApiResponse> | undefined
    let receiver: Receiver | undefined

    const stop = (response: ApiResponse) => {
      rejection = response
      fiber?.interruptUnsafe()
    }
    const enter = () => {
      inProgress++
      state = "working"
      timer = setTimeout(() => stop(exceeded(kind, timeoutMs, route)), timeoutMs)
    }
    const leave = (next: "receiving" | "finished") => {
      if (state === "working") {
        inProgress--
        clearTimeout(timer)
      } else if (state === "receiving") {
        if (receiver !== undefined) receivers.delete(receiver)
        clearTimeout(timer)
      }
      state = next
    }
    /** Succeeds if the request may receive its body. It is then no longer in progress. */
    const startReceiving = (isUpload: boolean) =>
      Effect.suspend(() => {
        if (!hasRoom(isUpload)) {
          stop(overloaded())
          return Effect.interrupt
        }
        return Effect.sync(() => {
          leave("receiving")
          receiver = { since: performance.now(), isUpload, reject: () => stop(overloaded()) }
          receivers.add(receiver)
          const bodyTimeoutMs = isUpload ? timeoutsMs.upload : timeoutsMs.body
          timer = setTimeout(() => stop(exceeded(kind, bodyTimeoutMs, route)), bodyTimeoutMs)
        })
      })
    const endReceiving = Effect.suspend(() => {
      leave("finished")
      if (inProgress < maximum) return Effect.sync(enter)
      stop(overloaded())
      return Effect.interrupt
    })
    const receive: ApiRequest["body"] = Effect.andThen(
      startReceiving(false),
      Effect.onExit(request.body, () => endReceiving)
    )
    const receiveStream: ApiRequest["streamBody"] = (limit) =>
      Stream.unwrap(
        Effect.as(
          startReceiving(true),
          Stream.onExit(request.streamBody(limit), () => endReceiving)
        )
      )

    enter()
    const onRoute = (pattern: string) => {
      route = pattern
    }
    const running = Effect.runForkWith(context)(
      dispatch({ ...request, body: receive, streamBody: receiveStream, onRoute })
    )
    fiber = running
    if (rejection !== undefined) running.interruptUnsafe()
    const completed = (exit: Exit.Exit<ApiResponse>) =>
      rejection !== undefined && Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)
        ? Effect.succeed(rejection)
        : exit
    const exit = running.pollUnsafe()
    if (exit !== undefined) {
      leave("finished")
      return completed(exit)
    }
    running.addObserver(() => leave("finished"))
    return Effect.callback((resume) => {
      running.addObserver((exit) => resume(completed(exit)))
      return Effect.callback<void>((done) => {
        running.addObserver(() => done(Effect.void))
        running.interruptUnsafe()
      })
    })
  }

  return (request) => {
    const kind = requestKindOf(request)
    if (kind === "health") return dispatch(request)
    if (inProgress >= maximum) return Effect.sync(overloaded)
    return Effect.withFiber((fiber) => run(request, kind, fiber.context))
  }
}
