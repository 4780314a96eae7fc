/**
 * Verifies SAML responses in a thread that is terminated if one takes too much CPU time: parsing XML and resolving its
 * signatures takes quadratic time, and the XML comes from unauthenticated clients.
 */
import { Worker } from "node:worker_threads"
import { type SamlIdentity, type SamlParties, Unauthenticated } from "@lectern/core"
import { Clock, Effect, Semaphore } from "effect"
import { Overloaded } from "../server/messages/failures.ts"
import type { SamlResponseInput } from "./response.ts"
import type { ThreadMessage } from "./responseThread.ts"

/** The maximum CPU time of one verification, in milliseconds. A response of a real provider takes about 10. */
const cpuBudgetMillis = 500

/** The maximum size of the thread's JavaScript heap, in megabytes. */
const memoryMb = 96

/** The maximum number of responses that wait for the thread. */
const maximumWaiting = 32

/** The time without a response after which the thread ends, in milliseconds. */
const idleMillis = 30_000

/** The maximum number of tags in a response. Responses of real providers have a few hundred. */
const maximumTags = 5_000

const program = new URL(
  import.meta.url.endsWith(".ts") ? "./responseThread.ts" : "./responseThread.js",
  import.meta.url
)

const invalidResponse = new Unauthenticated({
  reason: "LoginRefused",
  message: "The SAML response is invalid or expired. Start the login again."
})

interface Thread {
  readonly worker: Worker
  readonly ready: Promise<void>
}

let current: Thread | undefined
let idleTimer: NodeJS.Timeout | undefined

const startThread = (): Thread => {
  const worker = new Worker(program, {
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 16 },
    ...(program.pathname.endsWith(".ts") ? { execArgv: ["--conditions=@lectern/source"] } : {})
  })
  const ready = new Promise<void>((resolve, reject) => {
    worker
      .once("message", () => resolve())
      .once("error", reject)
      .once("exit", reject)
  })
  // Reported to the verification that waits for it, if there is one.
  ready.catch(() => undefined)
  const thread = { worker, ready }
  const forget = () => {
    if (current === thread) current = undefined
  }
  worker.on("error", forget).on("exit", forget).unref()
  return thread
}

const endThread = ({ worker }: Thread): Effect.Effect<void> =>
  Effect.promise(async () => {
    if (current?.worker === worker) current = undefined
    await worker.terminate()
  })

/** Runs one verification in a thread. `undefined` is the result of an invalid response, and of one over the budget. */
const runIn = (thread: Thread, input: SamlResponseInput): Effect.Effect<SamlIdentity | undefined> =>
  Effect.callback<SamlIdentity | undefined>((resume) => {
    const { worker } = thread
    let timer: NodeJS.Timeout | undefined
    let isSettled = false
    const release = () => {
      isSettled = true
      clearTimeout(timer)
      worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd).unref()
    }
    const settle = (result: Effect.Effect<SamlIdentity | undefined>) => {
      if (isSettled) return
      release()
      resume(result)
    }
    const onMessage = (message: ThreadMessage) => {
      if (message.type !== "verified") return
      settle(Effect.succeed(message.identity as SamlIdentity | undefined))
    }
    const onEnd = () => settle(Effect.succeed(undefined))
    const checkBudget = (baseline: NodeJS.CpuUsage): void => {
      worker.cpuUsage(baseline).then(({ user, system }) => {
        if (isSettled) return
        const leftMillis = cpuBudgetMillis - (user + system) / 1000
        if (leftMillis <= 0) settle(Effect.as(endThread(thread), undefined))
        else timer = setTimeout(checkBudget, Math.ceil(leftMillis), baseline)
      }, onEnd)
    }
    worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd).ref()
    worker.cpuUsage().then((baseline) => {
      if (isSettled) return
      worker.postMessage(input)
      timer = setTimeout(checkBudget, cpuBudgetMillis, baseline)
    }, onEnd)
    return Effect.sync(release)
  }).pipe(Effect.onInterrupt(() => endThread(thread)))

const semaphore = Semaphore.makeUnsafe(1)
let admitted = 0

const verifyNext = (input: SamlResponseInput) =>
  Effect.suspend(() => {
    clearTimeout(idleTimer)
    current ??= startThread()
    const thread = current
    return Effect.flatMap(
      Effect.promise(() => thread.ready.then(() => true).catch(() => false)),
      (isReady) => (isReady ? runIn(thread, input) : Effect.succeed(undefined))
    ).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          idleTimer = setTimeout(() => Effect.runFork(endThread(thread)), idleMillis).unref()
        })
      )
    )
  })

const hasTooManyTags = (response: string): boolean => {
  const xml = Buffer.from(response, "base64")
  let tags = 0
  for (let at = xml.indexOf(60); at !== -1; at = xml.indexOf(60, at + 1)) {
    if (++tags > maximumTags) return true
  }
  return false
}

/**
 * Verifies a Base64 response, and returns the identity in it. Fails with `Unauthenticated` if it is invalid, or if it takes
 * too much CPU time to verify, and with `Overloaded` if too many responses wait.
 */
export const verifySamlResponse = Effect.fnUntraced(function* (
  parties: SamlParties,
  response: string
): Effect.fn.Return<SamlIdentity, Unauthenticated | Overloaded> {
  if (hasTooManyTags(response)) return yield* invalidResponse
  if (admitted > maximumWaiting) return yield* new Overloaded({})
  const input = { parties, response, nowMillis: yield* Clock.currentTimeMillis }
  const identity = yield* Effect.acquireUseRelease(
    Effect.sync(() => {
      admitted++
    }),
    () => semaphore.withPermit(verifyNext(input)),
    () =>
      Effect.sync(() => {
        admitted--
      })
  )
  return identity === undefined ? yield* invalidResponse : identity
})
