/** The threads of the pool's tests: tasks that are quick or slow, allocate without limit, or fail. */
import { threadId } from "node:worker_threads"
import { serveTasks, TaskFailure } from "@lectern/converters/pool"

/** Uses a number of milliseconds of CPU time. */
const burn = (cpuMs: number): void => {
  const baseline = process.threadCpuUsage()
  for (;;) {
    const { user, system } = process.threadCpuUsage(baseline)
    if ((user + system) / 1000 >= cpuMs) return
  }
}

serveTasks({
  echo: async () => (value: unknown) => value,
  thread: async () => () => threadId,
  burn: async () => (cpuMs: number) => {
    burn(cpuMs)
    return threadId
  },
  spin: async () => (signal: SharedArrayBuffer) => {
    Atomics.add(new Int32Array(signal), 0, 1)
    for (;;);
  },
  hold: async () => (signal: SharedArrayBuffer) => {
    const counters = new Int32Array(signal)
    Atomics.add(counters, 0, 1)
    // Waits until the test releases it.
    Atomics.wait(counters, 1, 0)
    return threadId
  },
  allocate: async () => () => {
    const retained: Array<Array<number>> = []
    for (;;) retained.push(Array.from({ length: 100_000 }, (_, index) => index))
  },
  fail: async () => () => {
    throw new TaskFailure("This document is empty.")
  },
  crash: async () => () => {
    throw new TypeError("undefined is not a function")
  },
  exit: async () => () => process.exit(3),
  unloadable: () => Promise.reject(new Error("The module cannot be loaded."))
})
