/** Metrics of the process: the event loop, memory, CPU time and the caches of core. */
import { monitorEventLoopDelay, performance } from "node:perf_hooks"
import { readCacheCounts } from "@lectern/core"
import { type Context, Metric } from "effect"

/** How often the delay of the event loop is sampled, in milliseconds. */
const sampleMs = 20

/** The minimum length of the interval that the delay of the event loop covers, in milliseconds. */
const intervalMs = 10_000

/** The delay of the event loop in an interval, in milliseconds. */
interface EventLoopDelay {
  readonly mean: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Creates a function that returns the delay of the event loop in the last complete interval, or since the start. */
const makeEventLoopMonitor = (): (() => EventLoopDelay) => {
  // Its timer does not keep the process alive.
  const histogram = monitorEventLoopDelay({ resolution: sampleMs })
  histogram.enable()
  const lateMs = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e6 - sampleMs) : 0
  let startedAt = performance.now()
  let last: EventLoopDelay | undefined
  return () => {
    const isComplete = performance.now() - startedAt >= intervalMs
    if (last !== undefined && !isComplete) return last
    const current: EventLoopDelay = {
      mean: lateMs(histogram.mean),
      p50: lateMs(histogram.percentile(50)),
      p99: lateMs(histogram.percentile(99)),
      max: lateMs(histogram.max)
    }
    if (!isComplete) return current
    last = current
    histogram.reset()
    startedAt = performance.now()
    return current
  }
}

let eventLoopDelay: (() => EventLoopDelay) | undefined

/** Metrics whose value is read when they are collected, by name. */
const gauges: Readonly<Record<string, readonly [description: string, read: () => number]>> = {
  process_resident_memory_bytes: ["Resident memory of the process", () => process.memoryUsage.rss()],
  process_start_time_seconds: [
    "Start of the process, in seconds since 1970",
    () => Math.round(performance.timeOrigin / 1_000)
  ],
  nodejs_heap_used_bytes: ["Used memory of the JavaScript heap", () => process.memoryUsage().heapUsed],
  nodejs_external_memory_bytes: ["Memory of buffers", () => process.memoryUsage().external],
  lectern_event_loop_utilization: [
    "The share of time that the event loop was busy since the start, 0 to 1",
    () => performance.eventLoopUtilization().utilization
  ]
}

type Attributes = Readonly<Record<string, string>>

const ignore = (): void => {}

const registerGauge = (
  context: Context.Context<never>,
  name: string,
  description: string,
  read: () => number,
  attributes: Attributes = {}
): void => {
  const hooks = { get: () => ({ value: read() }), update: ignore, modify: ignore }
  Metric.registerUnsafe(Metric.gauge(name, { description, attributes }), context, hooks)
}

const registerCounter = (
  context: Context.Context<never>,
  name: string,
  description: string,
  read: () => number,
  attributes: Attributes = {}
): void => {
  const hooks = { get: () => ({ count: read(), incremental: true }), update: ignore, modify: ignore }
  Metric.registerUnsafe(Metric.counter(name, { description, attributes, incremental: true }), context, hooks)
}

/** Registers the metrics of the process in the registry of a context. */
export const registerProcessMetrics = (context: Context.Context<never>): void => {
  for (const [name, [description, read]] of Object.entries(gauges)) {
    registerGauge(context, name, description, read)
  }
  registerCounter(context, "process_cpu_seconds_total", "CPU time of the process in seconds", () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  eventLoopDelay ??= makeEventLoopMonitor()
  const readDelay = eventLoopDelay
  for (const quantile of ["mean", "p50", "p99", "max"] as const) {
    registerGauge(
      context,
      "lectern_event_loop_delay_ms",
      "Delay of the event loop in milliseconds, in an interval of at least 10 s",
      () => readDelay()[quantile],
      { quantile }
    )
  }
}

/** Registers the metrics of the caches that are not in `registered`, and adds their names to it. */
export const registerCacheMetrics = (context: Context.Context<never>, registered: Set<string>): void => {
  for (const [cache, counts] of readCacheCounts()) {
    if (registered.has(cache)) continue
    registered.add(cache)
    const register = (result: string, read: () => number) =>
      registerCounter(
        context,
        "lectern_cache_lookups_total",
        "Lookups in caches in memory of the process, by their result",
        read,
        { cache, result }
      )
    register("hit", () => counts.hits)
    register("miss", () => counts.misses)
  }
}
