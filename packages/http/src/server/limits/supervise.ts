/** Limits the number of requests in progress, and the duration of each. */
import {
  CurrentUser,
  type OrganizationId,
  OrganizationMeter,
  StorageUnavailable,
  UpstreamTimeout
} from "@lectern/core"
import { Cause, Context, Effect, Exit, type Fiber, Stream } from "effect"
import type { Dispatcher } from "../Dispatcher.ts"
import { OnBodyProgress } from "../messages/byteStreams.ts"
import { idleBody, Overloaded, tooManyUploads, toResponse } from "../messages/failures.ts"
import type { ApiRequest, ApiResponse, BodySource } from "../messages/Message.ts"
import { makeReceivers, type Receiver } from "./receivers.ts"
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
   * received at the same time, one of the address with the most of them is rejected, or the oldest after a tenth of it.
   */
  readonly bodyTimeoutMs?: number
  /** How long a request waits for the next bytes of its body, in milliseconds; 30,000 by default. Uploads are bodies, too. */
  readonly bodyIdleTimeoutMs?: number
  /** The maximum duration of receiving the files of an upload, in milliseconds; 3,600,000 by default, at most 6 hours. */
  readonly uploadTimeoutMs?: number
}

const defaultMaxConcurrentRequests = 100
/** The default of `uploadTimeoutMs`: one hour. */
export const defaultUploadTimeoutMs = 3_600_000

/** The default of `bodyIdleTimeoutMs`: 30 seconds. */
const defaultBodyIdleTimeoutMs = 30_000

const defaultTimeoutsMs = { default: 30_000, download: 120_000, import: 600_000, body: 120_000 }

/** Garbage collection retains the chunks of an upload in progress for half a day. */
const maximumUploadTimeoutMs = 6 * 60 * 60 * 1000

/** How many requests may receive their bodies, relative to the number of requests in progress. */
const bodiesPerRequest = 4

/** How many of the bodies that are received may be uploads, which are rejected only for uploads of other organizations. */
const uploadShare = 0.5

/** The part of the timeout of a body after which it can be rejected for another one. */
const minimumAge = 0.1

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
    idle: limits.bodyIdleTimeoutMs ?? defaultBodyIdleTimeoutMs,
    upload: Math.min(limits.uploadTimeoutMs ?? defaultUploadTimeoutMs, maximumUploadTimeoutMs)
  }
  let inProgress = 0
  const bodies = maximum * bodiesPerRequest
  const receivers = makeReceivers({
    bodies,
    uploads: Math.max(1, Math.floor(bodies * uploadShare)),
    minimumAgeMs: timeoutsMs.body * minimumAge,
    tooMany: tooManyUploads,
    overloaded
  })

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
    let idleTimer: NodeJS.Timeout | undefined
    let organization: string | undefined

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
        if (receiver !== undefined) receivers.remove(receiver)
        clearTimeout(timer)
        clearTimeout(idleTimer)
      }
      state = next
    }
    /** Succeeds if the request may receive its body. It is then no longer in progress. */
    const startReceiving = (isUpload: boolean, source: BodySource) =>
      Effect.withFiber((running) => {
        const user = Context.getOrUndefined(running.context, CurrentUser)
        const candidate: Receiver = {
          since: performance.now(),
          isUpload,
          // Visitors share one id.
          source: {
            user: user?.visitor === undefined ? user?.id : undefined,
            organization,
            ...source,
            address: request.remoteAddress
          },
          reject: () => stop(overloaded())
        }
        const rejected = receivers.add(candidate)
        if (rejected !== undefined) {
          stop(rejected)
          return Effect.interrupt
        }
        return Effect.sync(() => {
          leave("receiving")
          receiver = candidate
          const bodyTimeoutMs = isUpload ? timeoutsMs.upload : timeoutsMs.body
          timer = setTimeout(() => stop(exceeded(kind, bodyTimeoutMs, route)), bodyTimeoutMs)
          idleTimer = setTimeout(() => stop(idleBody(timeoutsMs.idle)), timeoutsMs.idle)
        })
      })
    const onProgress = () => void idleTimer?.refresh()
    const endReceiving = Effect.suspend(() => {
      leave("finished")
      if (inProgress < maximum) return Effect.sync(enter)
      stop(overloaded())
      return Effect.interrupt
    })
    const receive: ApiRequest["body"] = Effect.andThen(
      startReceiving(false, {}),
      Effect.onExit(Effect.provideService(request.body, OnBodyProgress, onProgress), () => endReceiving)
    )
    const receiveStream: ApiRequest["streamBody"] = (limit, source = {}) =>
      Stream.unwrap(
        Effect.as(
          startReceiving(true, source),
          Stream.onExit(
            Stream.provideService(request.streamBody(limit), OnBodyProgress, onProgress),
            () => endReceiving
          )
        )
      )
    const outerMeter = Context.get(context, OrganizationMeter)
    const meter = (id: OrganizationId): Effect.Effect<void> => {
      organization = id
      return outerMeter === undefined ? Effect.void : outerMeter(id)
    }

    enter()
    const onRoute = (pattern: string) => {
      route = pattern
    }
    const running = Effect.runForkWith(context)(
      Effect.provideService(
        dispatch({ ...request, body: receive, streamBody: receiveStream, onRoute }),
        OrganizationMeter,
        meter
      )
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
