/** A process of a simulation: a workspace on the simulated store, with the clock, ids, randomness and network of the simulation. */
import {
  BackgroundWork,
  CacheSize,
  type Fetch,
  Fetcher,
  IdGenerator,
  Ids,
  JobLease,
  PlatformCalls,
  RecordsAdapter,
  WebhookTimes,
  Workspace
} from "@lectern/core"
import { Cause, Clock, Context, Effect, Exit, Fiber, Layer, Logger, Random, Scheduler, Scope } from "effect"
import { WebCrypto } from "effect/crypto"
import { type CallInputs, CurrentCall, makeInputs } from "./callInputs.ts"
import type { SeededRandom } from "./random/SeededRandom.ts"
import type { SimulatedThread, Simulator } from "./Simulator.ts"
import type { StorageClient } from "./storagePort.ts"

/** The services of a process. */
export type ProcessServices = Layer.Success<typeof Workspace.layer> | Ids

/** A running process. */
export interface Process {
  readonly thread: SimulatedThread
  /** Runs an effect in the process, and calls `onExit` unless the process is killed before. Returns a function that interrupts it. */
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, ProcessServices>,
    onExit: (exit: Exit.Exit<A, E>) => void
  ) => () => void
  /** Stops the process without finalizers, as `SIGKILL`. */
  readonly kill: () => void
  /** Closes the workspace, as `SIGTERM`, and calls `onStopped`. */
  readonly stop: (onStopped: () => void) => void
}

/** Options of {@link startProcess}. */
export interface ProcessOptions {
  readonly name: string
  readonly simulator: Simulator
  readonly random: SeededRandom
  readonly connect: (thread: SimulatedThread) => StorageClient
  readonly makeFetch: (thread: SimulatedThread) => Fetch
  /** Whether it runs background jobs and deliveries. */
  readonly isWorker: boolean
  /** Whether contents are cached. */
  readonly isCaching: boolean
  /** Reports a defect of background work, or of a log entry. */
  readonly onDefect: (message: string) => void
}

/** The times of deliveries, so that a simulation needs minutes and not days to deliver an event. */
const webhookTimes = { timeoutMs: 2_000, leaseMs: 4_000, firstRetryMs: 500, retryForMs: 24 * 60 * 60 * 1_000 }

/** The length of the lease of a job, in milliseconds. */
const jobLeaseMs = 4_000

/** Returns the random numbers of effects, for example of the jitter of retries. */
const makeRandomService = (random: SeededRandom): Context.Service.Shape<typeof Random.Random> => ({
  nextIntUnsafe: () => random.below(2 ** 32),
  nextDoubleUnsafe: () => random.below(2 ** 32) / 2 ** 32
})

/** Logs nothing, and reports defects. */
const makeLogger = (onDefect: (message: string) => void): Logger.Logger<unknown, void> =>
  Logger.make(({ logLevel, message, cause }) => {
    const parts = [...(Array.isArray(message) ? message : [message]), cause]
    const causes = parts.filter((part) => Cause.isCause(part))
    if (logLevel !== "Error" && logLevel !== "Fatal" && !causes.some(Cause.hasDies)) return
    const texts = parts.map((part) =>
      Cause.isCause(part) ? Cause.pretty(part) : part instanceof Error ? String(part.stack) : String(part)
    )
    onDefect(`A log entry reports a defect: ${texts.join(" ")}`)
  })

/** The services that the workspace reaches the outside through. */
const makeEnvironment = (
  { simulator, random, makeFetch, isCaching, onDefect }: ProcessOptions,
  thread: SimulatedThread,
  inputs: CallInputs
): Context.Context<never> =>
  Context.empty().pipe(
    Context.add(Scheduler.Scheduler, thread.scheduler),
    Context.add(Clock.Clock, thread.clock),
    Context.add(Random.Random, makeRandomService(random)),
    Context.add(Logger.CurrentLoggers, new Set([makeLogger(onDefect)])),
    Context.add(IdGenerator, inputs.nextId),
    Context.add(WebCrypto.WebCrypto, { getRandomValues: inputs.getRandomValues } as Crypto),
    Context.add(PlatformCalls, { run: (start) => simulator.callPlatform(thread, start) }),
    Context.add(Fetcher, makeFetch(thread)),
    Context.add(WebhookTimes, webhookTimes),
    Context.add(JobLease, jobLeaseMs),
    isCaching ? (context) => context : Context.add(CacheSize, 0)
  ) as Context.Context<never>

/** Starts a process, and calls `onStarted` when its workspace is open. */
export const startProcess = (options: ProcessOptions, onStarted: (process: Process) => void): void => {
  const { simulator, name, random } = options
  const thread = simulator.makeThread(name)
  const client = options.connect(thread)
  const environment = makeEnvironment(options, thread, makeInputs(random))
  const scope = Scope.makeUnsafe()
  const layer = Layer.merge(Workspace.layer, Ids.layer).pipe(
    Layer.provide(Layer.succeed(RecordsAdapter, client.adapter))
  )
  const onStart = (exit: Exit.Exit<Context.Context<ProcessServices>, unknown>) => {
    if (Exit.isFailure(exit)) return options.onDefect(`A process did not start: ${Cause.pretty(exit.cause)}`)
    const services = Context.merge(environment, exit.value)
    const run: Process["run"] = (effect, onExit) => {
      const fiber = Effect.runForkWith(services)(effect)
      fiber.addObserver((ended) => {
        if (thread.isAlive) onExit(ended)
      })
      return () => fiber.interruptUnsafe()
    }
    let stopWork = (onStopped: () => void) => onStopped()
    if (options.isWorker) {
      const work = Effect.runForkWith(services)(Effect.flatMap(BackgroundWork, (work) => work.run))
      let isStopping = false
      work.addObserver((ended) => {
        if (thread.isAlive && !isStopping)
          options.onDefect(`Background work ended: ${Exit.isFailure(ended) ? Cause.pretty(ended.cause) : ""}`)
      })
      stopWork = (onStopped) => {
        isStopping = true
        run(Fiber.interrupt(work), onStopped)
      }
    }
    const kill = () => {
      simulator.stopThread(thread)
      client.disconnect()
    }
    onStarted({
      thread,
      run,
      kill,
      stop: (onStopped) =>
        stopWork(() =>
          run(Scope.close(scope, Exit.void), () => {
            kill()
            onStopped()
          })
        )
    })
  }
  const building = Effect.runForkWith(environment)(
    Effect.provideService(Layer.buildWithScope(layer, scope), CurrentCall, undefined)
  )
  building.addObserver((exit) => {
    if (thread.isAlive) onStart(exit as Exit.Exit<Context.Context<ProcessServices>, unknown>)
  })
}
