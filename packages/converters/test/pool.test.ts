/** The pool of worker threads: budgets, queues, isolation of tasks, and what becomes of threads. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { type LaneOptions, makeThreadPool, type ThreadPoolOptions } from "@lectern/converters/pool"
import { Cause, Effect, Exit, Fiber, Scope } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"

const program = new URL("./support/poolProgram.ts", import.meta.url)

/** A pool that ends with the test. */
const openPool = async (options: Partial<ThreadPoolOptions> = {}) => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const pool = await Effect.runPromise(
    Scope.provide(
      makeThreadPool({ program, threads: 2, memoryMb: 128, idleTime: "30 seconds", ...options }),
      scope
    )
  )
  return {
    size: () => Effect.runPromise(pool.size),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    lane: <Output>(task: string, options: Partial<LaneOptions> = {}) =>
      pool.lane<unknown, Output>({ task, cpuMs: 60_000, concurrency: 2, queueLimit: 100, ...options })
  }
}

const settled = <A, E>(effect: Effect.Effect<A, E>): Promise<string> =>
  Effect.runPromise(
    Effect.match(effect, {
      onSuccess: () => "success",
      onFailure: (error) => (error as { readonly _tag: string })._tag
    })
  )

/** Counters that the test shares with its threads: how many have started, and whether they may go on. */
const signals = () => {
  const signal = new SharedArrayBuffer(8)
  const counters = new Int32Array(signal)
  return {
    signal,
    started: async (count: number) => {
      while (Atomics.load(counters, 0) < count) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    open: () => {
      Atomics.store(counters, 1, 1)
      Atomics.notify(counters, 1)
    }
  }
}

describe("a task", () => {
  it("returns its result, and bytes without loss", async () => {
    const { lane } = await openPool()
    const echo = lane<unknown>("echo")
    const bytes = new Uint8Array([1, 2, 3])
    expect(await Effect.runPromise(echo({ a: [1, "b"] }))).toEqual({ a: [1, "b"] })
    expect(await Effect.runPromise(echo(bytes))).toEqual(bytes)
    expect(await Effect.runPromise(echo(Buffer.from("abc").subarray(1)))).toEqual(new Uint8Array([98, 99]))
  })

  it("fails with the message of TaskFailure", async () => {
    const { lane } = await openPool()
    const error = await Effect.runPromise(Effect.flip(lane("fail")(null)))
    expect(error).toMatchObject({ _tag: "TaskFailed", message: "This document is empty." })
  })

  it("fails with ThreadFailed when it throws another error, its module does not load, or its thread ends", async () => {
    const { lane } = await openPool()
    for (const [task, message] of [
      ["crash", "undefined is not a function"],
      ["unloadable", "The module cannot be loaded."],
      ["unknown", 'The thread has no task "unknown".'],
      ["exit", "The thread ended with code 3."]
    ] as const) {
      const error = await Effect.runPromise(Effect.flip(lane(task)(null)))
      expect(error).toMatchObject({ _tag: "ThreadFailed", message })
    }
    expect(await settled(lane("echo")(1))).toBe("success")
  })

  it("has a thread of its own while it runs", async () => {
    const { lane, size } = await openPool()
    const hold = lane<number>("hold", { concurrency: 4 })
    const { signal, started, open } = signals()
    const running = [1, 2, 3, 4].map(() => Effect.runPromise(hold(signal)))
    await started(2)
    expect(await size()).toBe(2)
    open()
    const threads = await Promise.all(running)
    expect(new Set(threads).size).toBe(2)
  })
})

describe("a CPU budget", () => {
  it("terminates a task that exceeds it, and no other", async () => {
    const { lane } = await openPool()
    const { signal, open, started } = signals()
    const held = Effect.runPromise(lane<number>("hold")(signal))
    await started(1)
    const spin = lane("spin", { cpuMs: 300 })
    expect(
      await Promise.all([settled(spin(new SharedArrayBuffer(8))), settled(spin(new SharedArrayBuffer(8)))])
    ).toEqual(["CpuBudgetExceeded", "CpuBudgetExceeded"])
    open()
    expect(await held).toBeGreaterThan(0)
    expect(await settled(lane("echo")(1))).toBe("success")
  })

  it("does not count the time that a task waits in the queue or is blocked", async () => {
    const { lane } = await openPool({ threads: 1 })
    const { signal, started, open } = signals()
    const hold = lane<number>("hold", { cpuMs: 100 })
    const held = Effect.runPromise(hold(signal))
    await started(1)
    const waiting = Effect.runPromise(lane<number>("burn", { cpuMs: 100 })(10))
    // Several budgets of wall-clock time.
    await new Promise((resolve) => setTimeout(resolve, 500))
    open()
    expect(await held).toBe(await waiting)
  })

  it("starts anew with each task of a thread", async () => {
    const { lane } = await openPool({ threads: 1 })
    const burn = lane<number>("burn", { cpuMs: 400 })
    const threads = new Set<number>()
    for (let count = 0; count < 4; count++) threads.add(await Effect.runPromise(burn(200)))
    expect(threads.size).toBe(1)
  })
})

describe("a memory limit", () => {
  it("ends the task that exceeds it, and no other", async () => {
    const { lane } = await openPool({ memoryMb: 64 })
    const { signal, started, open } = signals()
    const held = Effect.runPromise(lane<number>("hold")(signal))
    await started(1)
    const error = await Effect.runPromise(Effect.flip(lane("allocate")(null)))
    expect(error).toMatchObject({ _tag: "MemoryExceeded", memoryMb: 64 })
    open()
    expect(await held).toBeGreaterThan(0)
    expect(await settled(lane("echo")(1))).toBe("success")
  })
})

describe("a queue", () => {
  it("fails with QueueFull beyond its limit, and takes tasks again when there is room", async () => {
    const { lane } = await openPool()
    const hold = lane<number>("hold", { concurrency: 1, queueLimit: 2 })
    const { signal, started, open } = signals()
    const admitted = [1, 2, 3].map(() => settled(hold(signal)))
    await started(1)
    const error = await Effect.runPromise(Effect.flip(hold(signal)))
    expect(error).toMatchObject({ _tag: "QueueFull", limit: 2 })
    open()
    expect(await Promise.all(admitted)).toEqual(["success", "success", "success"])
    expect(await settled(hold(signal))).toBe("success")
  })

  it("of one lane does not delay another lane", async () => {
    const { lane } = await openPool()
    const { signal, started, open } = signals()
    const hold = lane<number>("hold", { concurrency: 1 })
    const held = [1, 2, 3].map(() => settled(hold(signal)))
    await started(1)
    expect(await settled(lane("echo", { concurrency: 1 })(1))).toBe("success")
    open()
    expect(await Promise.all(held)).toEqual(["success", "success", "success"])
  })
})

describe("an interruption", () => {
  it("terminates the thread of a running task, and gives its place to the next", async () => {
    const { lane, size } = await openPool({ threads: 1 })
    const { signal, started } = signals()
    const spinning = Effect.runFork(lane("spin")(signal))
    await started(1)
    const next = settled(lane("echo")(1))
    const exit = await Effect.runPromise(Effect.andThen(Fiber.interrupt(spinning), Fiber.await(spinning)))
    expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
    expect(await next).toBe("success")
    expect(await size()).toBe(1)
  })

  it("takes a waiting task out of the queue", async () => {
    const { lane } = await openPool()
    const hold = lane<number>("hold", { concurrency: 1, queueLimit: 1 })
    const { signal, started, open } = signals()
    const held = settled(hold(signal))
    await started(1)
    const waiting = Effect.runFork(hold(signal))
    await Effect.runPromise(Fiber.interrupt(waiting))
    const another = settled(hold(signal))
    open()
    expect([await held, await another]).toEqual(["success", "success"])
  })
})

describe("threads", () => {
  it("end after the idle time, and start again", async () => {
    const { lane, size } = await openPool({ idleTime: "50 millis" })
    const thread = lane<number>("thread")
    const first = await Effect.runPromise(thread(null))
    while ((await size()) > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await Effect.runPromise(thread(null))).not.toBe(first)
  })

  it("end with the scope of their pool, which fails running and waiting tasks", async () => {
    // Without a budget: closing the pool is what ends it.
    const { lane, close } = await openPool()
    const { signal, started } = signals()
    const spin = lane("spin", { cpuMs: Number.MAX_SAFE_INTEGER, concurrency: 1 })
    const tasks = [settled(spin(signal)), settled(spin(signal))]
    await started(1)
    await close()
    expect(await Promise.all(tasks)).toEqual(["ThreadFailed", "ThreadFailed"])
  })

  it("keep no process alive while they are idle", async () => {
    const script = `
      import { Effect, Scope } from "effect"
      import { makeThreadPool } from "@lectern/converters/pool"
      const options = { program: new URL(${JSON.stringify(program.href)}), threads: 2, memoryMb: 64, idleTime: "1 hour" }
      const pool = await Effect.runPromise(Scope.provide(makeThreadPool(options), Scope.makeUnsafe()))
      const echo = pool.lane({ task: "echo", cpuMs: 60000, concurrency: 2, queueLimit: 2 })
      console.log(await Effect.runPromise(echo("done")))
    `
    const child = spawn(
      process.execPath,
      ["--conditions=@lectern/source", "--input-type=module", "--eval", script],
      { cwd: new URL("..", import.meta.url), stdio: ["ignore", "pipe", "inherit"] }
    )
    onTestFinished(() => void child.kill())
    const [output] = await Promise.all([child.stdout.toArray(), once(child, "exit")])
    expect(Buffer.concat(output).toString()).toBe("done\n")
    expect(child.exitCode).toBe(0)
  })
})
