/** Tests of the thread pool: CPU and memory limits, queues, isolation of tasks, and the lifetime of threads. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { makeThreadPool, type TaskRunnerOptions, type ThreadPoolOptions } from "@lectern/converters/pool"
import { Cause, Effect, Exit, Fiber, Scope } from "effect"
import { describe, expect, it, onTestFinished } from "vitest"

const program = new URL("./support/poolProgram.ts", import.meta.url)

/** Creates a pool that is closed when the test finishes. */
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
    runner: <Output>(task: string, options: Partial<TaskRunnerOptions> = {}) =>
      pool.makeTaskRunner<unknown, Output>({
        task,
        cpuMs: 60_000,
        concurrency: 2,
        queueLimit: 100,
        ...options
      })
  }
}

const outcomeOf = <A, E>(effect: Effect.Effect<A, E>): Promise<string> =>
  Effect.runPromise(
    Effect.match(effect, {
      onSuccess: () => "success",
      onFailure: (error) => (error as { readonly _tag: string })._tag
    })
  )

/** Creates memory that the test shares with its threads: the number of started tasks, and whether they may continue. */
const createSignals = () => {
  const signal = new SharedArrayBuffer(8)
  const counters = new Int32Array(signal)
  return {
    signal,
    waitUntilStarted: async (count: number) => {
      while (Atomics.load(counters, 0) < count) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    release: () => {
      Atomics.store(counters, 1, 1)
      Atomics.notify(counters, 1)
    }
  }
}

describe("a task", () => {
  it("returns its result, including byte arrays", async () => {
    const { runner } = await openPool()
    const echo = runner<unknown>("echo")
    const bytes = new Uint8Array([1, 2, 3])
    expect(await Effect.runPromise(echo({ a: [1, "b"] }))).toEqual({ a: [1, "b"] })
    expect(await Effect.runPromise(echo(bytes))).toEqual(bytes)
    expect(await Effect.runPromise(echo(Buffer.from("abc").subarray(1)))).toEqual(new Uint8Array([98, 99]))
  })

  it("fails with the message of TaskFailure", async () => {
    const { runner } = await openPool()
    const error = await Effect.runPromise(Effect.flip(runner("fail")(null)))
    expect(error).toMatchObject({ _tag: "TaskFailed", message: "This document is empty." })
  })

  it("fails with ThreadFailed if it throws another error, its module does not load, or its thread ends", async () => {
    const { runner } = await openPool()
    for (const [task, message] of [
      ["crash", "undefined is not a function"],
      ["unloadable", "The module cannot be loaded."],
      ["unknown", 'The thread has no task "unknown".'],
      ["exit", "The thread ended with code 3."]
    ] as const) {
      const error = await Effect.runPromise(Effect.flip(runner(task)(null)))
      expect(error).toMatchObject({ _tag: "ThreadFailed", message })
    }
    expect(await outcomeOf(runner("echo")(1))).toBe("success")
  })

  it("does not share its thread while it runs", async () => {
    const { runner, size } = await openPool()
    const hold = runner<number>("hold", { concurrency: 4 })
    const { signal, waitUntilStarted, release } = createSignals()
    const running = [1, 2, 3, 4].map(() => Effect.runPromise(hold(signal)))
    await waitUntilStarted(2)
    expect(await size()).toBe(2)
    release()
    const threads = await Promise.all(running)
    expect(new Set(threads).size).toBe(2)
  })
})

describe("a CPU budget", () => {
  it("terminates only the tasks that exceed it", async () => {
    const { runner } = await openPool()
    const { signal, release, waitUntilStarted } = createSignals()
    const held = Effect.runPromise(runner<number>("hold")(signal))
    await waitUntilStarted(1)
    const spin = runner("spin", { cpuMs: 300 })
    expect(
      await Promise.all([
        outcomeOf(spin(new SharedArrayBuffer(8))),
        outcomeOf(spin(new SharedArrayBuffer(8)))
      ])
    ).toEqual(["CpuBudgetExceeded", "CpuBudgetExceeded"])
    release()
    expect(await held).toBeGreaterThan(0)
    expect(await outcomeOf(runner("echo")(1))).toBe("success")
  })

  it("does not count the time that a task waits in the queue or is blocked", async () => {
    const { runner } = await openPool({ threads: 1 })
    const { signal, waitUntilStarted, release } = createSignals()
    const hold = runner<number>("hold", { cpuMs: 100 })
    const held = Effect.runPromise(hold(signal))
    await waitUntilStarted(1)
    const waiting = Effect.runPromise(runner<number>("burn", { cpuMs: 100 })(10))
    // Five times the budget, in wall-clock time.
    await new Promise((resolve) => setTimeout(resolve, 500))
    release()
    expect(await held).toBe(await waiting)
  })

  it("applies to each task of a thread separately", async () => {
    const { runner } = await openPool({ threads: 1 })
    const burn = runner<number>("burn", { cpuMs: 400 })
    const threads = new Set<number>()
    for (let count = 0; count < 4; count++) threads.add(await Effect.runPromise(burn(200)))
    expect(threads.size).toBe(1)
  })
})

describe("a memory limit", () => {
  it("ends only the task that exceeds it", async () => {
    const { runner } = await openPool({ memoryMb: 64 })
    const { signal, waitUntilStarted, release } = createSignals()
    const held = Effect.runPromise(runner<number>("hold")(signal))
    await waitUntilStarted(1)
    const error = await Effect.runPromise(Effect.flip(runner("allocate")(null)))
    expect(error).toMatchObject({ _tag: "MemoryExceeded", memoryMb: 64 })
    release()
    expect(await held).toBeGreaterThan(0)
    expect(await outcomeOf(runner("echo")(1))).toBe("success")
  })
})

describe("a queue", () => {
  it("fails with QueueFull beyond its limit, and accepts tasks again when there is room", async () => {
    const { runner } = await openPool()
    const hold = runner<number>("hold", { concurrency: 1, queueLimit: 2 })
    const { signal, waitUntilStarted, release } = createSignals()
    const admitted = [1, 2, 3].map(() => outcomeOf(hold(signal)))
    await waitUntilStarted(1)
    const error = await Effect.runPromise(Effect.flip(hold(signal)))
    expect(error).toMatchObject({ _tag: "QueueFull", limit: 2 })
    release()
    expect(await Promise.all(admitted)).toEqual(["success", "success", "success"])
    expect(await outcomeOf(hold(signal))).toBe("success")
  })

  it("of one task runner does not delay another", async () => {
    const { runner } = await openPool()
    const { signal, waitUntilStarted, release } = createSignals()
    const hold = runner<number>("hold", { concurrency: 1 })
    const held = [1, 2, 3].map(() => outcomeOf(hold(signal)))
    await waitUntilStarted(1)
    expect(await outcomeOf(runner("echo", { concurrency: 1 })(1))).toBe("success")
    release()
    expect(await Promise.all(held)).toEqual(["success", "success", "success"])
  })
})

describe("an interruption", () => {
  it("terminates the thread of a running task, and starts another thread for the next task", async () => {
    const { runner, size } = await openPool({ threads: 1 })
    const { signal, waitUntilStarted } = createSignals()
    const spinning = Effect.runFork(runner("spin")(signal))
    await waitUntilStarted(1)
    const next = outcomeOf(runner("echo")(1))
    const exit = await Effect.runPromise(Effect.andThen(Fiber.interrupt(spinning), Fiber.await(spinning)))
    expect(Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)).toBe(true)
    expect(await next).toBe("success")
    expect(await size()).toBe(1)
  })

  it("removes a waiting task from the queue", async () => {
    const { runner } = await openPool()
    const hold = runner<number>("hold", { concurrency: 1, queueLimit: 1 })
    const { signal, waitUntilStarted, release } = createSignals()
    const held = outcomeOf(hold(signal))
    await waitUntilStarted(1)
    const waiting = Effect.runFork(hold(signal))
    await Effect.runPromise(Fiber.interrupt(waiting))
    const another = outcomeOf(hold(signal))
    release()
    expect([await held, await another]).toEqual(["success", "success"])
  })
})

describe("threads", () => {
  it("end after the idle time, and start again", async () => {
    const { runner, size } = await openPool({ idleTime: "50 millis" })
    const thread = runner<number>("thread")
    const first = await Effect.runPromise(thread(null))
    while ((await size()) > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await Effect.runPromise(thread(null))).not.toBe(first)
  })

  it("end with the scope of their pool, and running and waiting tasks fail", async () => {
    // An unlimited budget, so that only closing the pool ends the tasks.
    const { runner, close } = await openPool()
    const { signal, waitUntilStarted } = createSignals()
    const spin = runner("spin", { cpuMs: Number.MAX_SAFE_INTEGER, concurrency: 1 })
    const tasks = [outcomeOf(spin(signal)), outcomeOf(spin(signal))]
    await waitUntilStarted(1)
    await close()
    expect(await Promise.all(tasks)).toEqual(["ThreadFailed", "ThreadFailed"])
  })

  it("do not keep the process alive while they are idle", async () => {
    const script = `
      import { Effect, Scope } from "effect"
      import { makeThreadPool } from "@lectern/converters/pool"
      const options = { program: new URL(${JSON.stringify(program.href)}), threads: 2, memoryMb: 64, idleTime: "1 hour" }
      const pool = await Effect.runPromise(Scope.provide(makeThreadPool(options), Scope.makeUnsafe()))
      const echo = pool.makeTaskRunner({ task: "echo", cpuMs: 60000, concurrency: 2, queueLimit: 2 })
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
