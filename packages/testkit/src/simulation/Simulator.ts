/**
 * The scheduler of a simulation. It runs the fibers of several processes in one thread, chooses by a seed which of them continues, and
 * has the only clock: time passes when no fiber can continue.
 */
import { type Clock, Duration, Effect, type Scheduler } from "effect"
import type { SeededRandom } from "./random/SeededRandom.ts"

/** The maximum number of operations of a fiber between two points at which another fiber can continue, as by default. */
const operationsPerTurn = 2_048

/** The maximum number of operations of a short turn: a fiber can be suspended anywhere. */
const operationsPerShortTurn = 300

/** The probability of a short turn. */
const shortTurns = 0.05

/** The probability that the fiber that ran last continues if it can. Seeds choose one. */
export type Stickiness = number

/** A process of a simulation: its fibers stop together, and share a clock. */
export interface SimulatedThread {
  /** The name in traces. */
  readonly name: string
  /** The difference of its clock to the time of the simulation, in milliseconds. */
  skewMs: number
  /** The process does not run before this time of the simulation, in milliseconds. */
  stalledUntilMs: number
  /** False once the process was stopped: its fibers never continue. */
  isAlive: boolean
  /** Schedules the fibers of the process. */
  readonly scheduler: Scheduler.Scheduler
  /** The clock of the process. */
  readonly clock: Clock.Clock
}

/** A task of a fiber that can run. */
interface Task {
  readonly thread: SimulatedThread
  /** Identifies the fiber. */
  readonly lane: number
  readonly run: () => void
}

/** A task that can run at a time. */
interface Timer {
  readonly atMs: number
  readonly number: number
  readonly task: Task
}

/** How a run of a simulation ended. */
export type RunEnd = "done" | "idle" | "outOfSteps"

/** The scheduler of a simulation. */
export interface Simulator {
  /** Creates a process. */
  readonly makeThread: (name: string) => SimulatedThread
  /** Stops a process: its fibers never continue, and its finalizers do not run, as after `SIGKILL`. */
  readonly stopThread: (thread: SimulatedThread) => void
  /** The time, in milliseconds since 1970. */
  readonly nowMs: () => number
  /** The number of tasks that have run. */
  readonly steps: () => number
  /** Adds a word to the trace, whose hash identifies the run. */
  readonly trace: (word: string) => void
  /** Returns the hash of the trace. */
  readonly traceHash: () => string
  /** Runs an asynchronous function of the platform for a process. No task runs before it has returned. */
  readonly callPlatform: <A>(thread: SimulatedThread, start: () => Promise<A>) => Effect.Effect<A>
  /** Lets the next task wait until the event loop has turned, for stores that end reads with it. */
  readonly awaitTurn: () => void
  /** Runs tasks until `isDone`, until nothing can ever run, or for this number of steps. */
  readonly run: (isDone: () => boolean, maximumSteps: number) => Promise<RunEnd>
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Updates the two halves of a hash by a word: FNV-1a, with two offsets. */
const addToHash = (hash: [number, number], word: string): void => {
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index)
    hash[0] = Math.imul(hash[0] ^ code, 0x01000193) >>> 0
    hash[1] = Math.imul(hash[1] ^ (code + index), 0x01000193) >>> 0
  }
}

/** Inserts a timer by its time, then by its number. */
const insertTimer = (timers: Array<Timer>, timer: Timer): void => {
  let low = 0
  let high = timers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = timers[middle]!
    if (other.atMs < timer.atMs || (other.atMs === timer.atMs && other.number < timer.number))
      low = middle + 1
    else high = middle
  }
  timers.splice(low, 0, timer)
}

/** Creates a scheduler, which chooses by `random`. */
export const makeSimulator = (
  random: SeededRandom,
  stickiness: Stickiness,
  startMs: number = Date.parse("2026-01-01T00:00:00.000Z")
): Simulator => {
  let nowMs = startMs
  let steps = 0
  let laneCount = 0
  let timerCount = 0
  let lastLane = -1
  let turnLength = operationsPerTurn
  let callCount = 0
  let pendingPromises = 0
  let settled: Array<{ readonly number: number; readonly task: Task }> = []
  let isTurnNeeded = false
  let ready: Array<Task> = []
  let timers: Array<Timer> = []
  const hash: [number, number] = [0x811c9dc5, 0x1234567]

  const sleepOn = (thread: () => SimulatedThread, lane: number, duration: Duration.Duration) => {
    const milliseconds = Duration.toMillis(duration)
    if (milliseconds === Number.POSITIVE_INFINITY) return Effect.never
    return Effect.callback<void>((resume) => {
      const timer: Timer = {
        // The time is in whole milliseconds.
        atMs: nowMs + Math.ceil(Math.max(0, milliseconds)),
        number: timerCount++,
        task: { thread: thread(), lane, run: () => resume(Effect.void) }
      }
      insertTimer(timers, timer)
      return Effect.sync(() => {
        timers = timers.filter((other) => other !== timer)
      })
    })
  }

  const makeClock = (thread: () => SimulatedThread, lane: number): Clock.Clock => {
    const millis = () => nowMs + thread().skewMs
    const nanos = () => BigInt(millis()) * 1_000_000n
    // A monotonic clock is not moved with the time of day.
    const monotonic = () => BigInt(nowMs - startMs) * 1_000_000n
    return {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => sleepOn(thread, lane, duration)
    }
  }

  const makeScheduler = (thread: () => SimulatedThread): Scheduler.Scheduler => ({
    executionMode: "async",
    shouldYield: (fiber) => fiber.currentOpCount >= turnLength,
    makeDispatcher: () => {
      const lane = laneCount++
      return {
        scheduleTask: (run) => {
          if (thread().isAlive) ready.push({ thread: thread(), lane, run })
        },
        flush: () => {}
      }
    }
  })

  const makeThread = (name: string): SimulatedThread => {
    const lane = laneCount++
    const thread: SimulatedThread = {
      name,
      skewMs: 0,
      stalledUntilMs: 0,
      isAlive: true,
      scheduler: makeScheduler(() => thread),
      clock: makeClock(() => thread, lane)
    }
    return thread
  }

  /** Removes a task that can run now, and returns it. */
  const takeTask = (): Task | undefined => {
    const candidates: Array<number> = []
    for (const [index, { thread, lane }] of ready.entries()) {
      if (thread.stalledUntilMs > nowMs) continue
      if (lane === lastLane && random.chance(stickiness)) return ready.splice(index, 1)[0]
      candidates.push(index)
    }
    return candidates.length === 0 ? undefined : ready.splice(random.pick(candidates), 1)[0]
  }

  /** The time at which the next task can run; undefined if no task can run. */
  const nextTimeMs = (): number | undefined => {
    const times = timers.length === 0 ? [] : [timers[0]!.atMs]
    for (const { thread } of ready) if (thread.stalledUntilMs > nowMs) times.push(thread.stalledUntilMs)
    return times.length === 0 ? undefined : Math.min(...times)
  }

  /** Moves the tasks of due timers to the tasks that can run. */
  const wakeTimers = (): void => {
    while (timers.length > 0 && timers[0]!.atMs <= nowMs) ready.push(timers.shift()!.task)
  }

  /** Adds the result of an asynchronous function to the tasks, in the order in which functions were started. */
  const callPlatform = <A>(thread: SimulatedThread, start: () => Promise<A>): Effect.Effect<A> =>
    Effect.callback<A>((resume) => {
      const number = callCount++
      const lane = laneCount++
      pendingPromises++
      const settle = (effect: Effect.Effect<A>) => {
        pendingPromises--
        if (thread.isAlive) settled.push({ number, task: { thread, lane, run: () => resume(effect) } })
      }
      start().then(
        (value) => settle(Effect.succeed(value)),
        (error) => settle(Effect.die(error))
      )
    })

  const settlePromises = async (): Promise<void> => {
    while (pendingPromises > 0 || isTurnNeeded) {
      isTurnNeeded = pendingPromises > 0
      await nextTurn()
    }
    ready.push(...settled.sort((a, b) => a.number - b.number).map(({ task }) => task))
    settled = []
  }

  const run: Simulator["run"] = async (isDone, maximumSteps) => {
    const lastStep = steps + maximumSteps
    let isIdle = false
    for (;;) {
      if (pendingPromises > 0 || isTurnNeeded) await settlePromises()
      if (isDone()) return "done"
      if (steps >= lastStep) return "outOfSteps"
      wakeTimers()
      const task = takeTask()
      if (task !== undefined) {
        isIdle = false
        steps++
        lastLane = task.lane
        turnLength = random.chance(shortTurns) ? 1 + random.below(operationsPerShortTurn) : operationsPerTurn
        addToHash(hash, `${task.thread.name}${task.lane}`)
        task.run()
        continue
      }
      const timeMs = nextTimeMs()
      if (timeMs !== undefined) {
        nowMs = Math.max(nowMs, timeMs)
        continue
      }
      // A promise that no service of the simulation made can still resume a fiber.
      if (isIdle) return "idle"
      isIdle = true
      isTurnNeeded = true
    }
  }

  return {
    makeThread,
    stopThread: (thread) => {
      thread.isAlive = false
      ready = ready.filter((task) => task.thread !== thread)
      timers = timers.filter(({ task }) => task.thread !== thread)
    },
    nowMs: () => nowMs,
    steps: () => steps,
    trace: (word) => addToHash(hash, word),
    traceHash: () => hash.map((half) => half.toString(16).padStart(8, "0")).join(""),
    callPlatform,
    awaitTurn: () => {
      isTurnNeeded = true
    },
    run
  }
}
