/**
 * Runs a server under mixed load for minutes, and fails if its memory, file descriptors, write-ahead log or time per operation
 * grow.
 *
 * The load is 60 % of the capacity that is measured first. The first half of the time is warm-up, in which caches fill.
 * After it, each series must be flat: the growth over all samples, by the median slope between pairs of samples, must be
 * at most 10 % of the median of memory and file descriptors, 50 % of the CPU time per operation, and 100 % of latency and the
 * write-ahead log, or a minimum below which growth is noise. Memory is measured after a garbage collection. Latency
 * is not judged if other programs use the machine, as the CPU time is not affected by them. Errors of requests fail the
 * run, too.
 *
 * Run with `npm run soak -- --minutes 30 [--database <url>] [--rate <operations per second>] [--cache-size <MiB>]
 * [--snapshots <folder>]`.
 * The database must be empty; by default, it is a SQLite file in a temporary folder. `--snapshots` writes a heap snapshot
 * after the warm-up and one at the end.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { availableParallelism, loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { createSoakScene, makeSoakClient, measureCapacity, startLoad } from "./load.ts"
import type { ProcessSample } from "./processSampler.ts"
import { judgeTrend, medianOf, minimaOf, percentileOf, type Series } from "./trend.ts"

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    database: { type: "string" },
    rate: { type: "string" },
    port: { type: "string", default: "4503" },
    "cache-size": { type: "string", default: "16" },
    snapshots: { type: "string" }
  }
})
const minutes = Number(options.minutes)
if (!(minutes > 0)) throw new TypeError(`--minutes must be a positive number; it is ${options.minutes}.`)

const folder = mkdtempSync(join(tmpdir(), "lectern-soak-"))
const database = options.database ?? `sqlite:${join(folder, "lectern.db")}`
const token = "the-token-of-the-administrator-of-the-soak-test"
const url = `http://127.0.0.1:${options.port}`

/** The number of closed-loop clients that measure the capacity, and for how long they do. */
const [capacityClients, capacitySeconds] = [8, 20]
const loadShare = 0.6
const sampleCount = 60
/** The number of samples of memory of which the minimum is judged. */
const samplesPerMinimum = 3
const bytesPerMiB = 1024 * 1024

const startServer = (): ChildProcess =>
  spawn(
    process.execPath,
    [
      "--max-semi-space-size=4",
      "--expose-gc",
      "--import",
      new URL("processSampler.ts", import.meta.url).href,
      "packages/lectern/dist/cli/main.js",
      "serve",
      "--database-url",
      database,
      "--port",
      options.port,
      "--log-level",
      "warn",
      // Caches that are full after the warm-up: otherwise, their growth hides that of everything else.
      "--cache-size",
      options["cache-size"]
    ],
    {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      // The load is one client, which must not be limited.
      env: { ...process.env, LECTERN_ADMIN_TOKEN: token, LECTERN_RATE_LIMITS: "off" }
    }
  )

const waitUntilReady = async (): Promise<void> => {
  const started = performance.now()
  while ((await fetch(`${url}/readyz`).catch(() => undefined))?.ok !== true) {
    if (performance.now() - started > 60_000) throw new Error(`${url} did not become ready within 60 s.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Sends a message to the sampler of the server, and returns its reply. */
const requestFrom = <A>(server: ChildProcess, message: unknown): Promise<A> =>
  new Promise((resolve) => {
    server.once("message", (reply) => resolve(reply as A))
    server.send(message as object)
  })

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** The resources and the latency since the previous sample. */
interface Sample extends ProcessSample {
  readonly wal: number
  /** The number of processes that ran or waited for a CPU, on average over a minute. */
  readonly load: number
  /** The CPU time of the server per operation, in milliseconds. */
  readonly cpuPerOperation: number
  readonly p50: number
  readonly p99: number
}

const seriesOf = (samples: ReadonlyArray<Sample>): ReadonlyArray<Series> => {
  const memory = (name: string, of: (sample: Sample) => number): Series => ({
    name,
    unit: "MiB",
    values: minimaOf(
      samples.map((sample) => of(sample) / bytesPerMiB),
      samplesPerMinimum
    ),
    relativeTolerance: 0.1,
    absoluteTolerance: 4
  })
  const latency = (name: string, of: (sample: Sample) => number): Series => ({
    name,
    unit: "ms",
    values: samples.map(of),
    relativeTolerance: 1,
    absoluteTolerance: 50
  })
  return [
    memory("RSS", ({ rss }) => rss),
    memory("heap after GC", ({ heapUsed }) => heapUsed),
    memory("external", ({ external }) => external),
    {
      name: "file descriptors",
      unit: "",
      values: samples.map(({ fileDescriptors }) => fileDescriptors),
      relativeTolerance: 0.1,
      absoluteTolerance: 10
    },
    {
      name: "CPU per operation",
      unit: "ms",
      values: samples.map(({ cpuPerOperation }) => cpuPerOperation),
      relativeTolerance: 0.5,
      absoluteTolerance: 1
    },
    latency("latency p50", ({ p50 }) => p50),
    latency("latency p99", ({ p99 }) => p99),
    {
      name: "WAL",
      unit: "MiB",
      values: samples.map(({ wal }) => wal / bytesPerMiB),
      relativeTolerance: 1,
      absoluteTolerance: 8
    }
  ]
}

const formatNumber = (value: number): string => value.toFixed(value < 100 ? 1 : 0)

/** Whether other programs use the machine: more processes are ready to run than it has CPUs. */
const isMachineBusy = (samples: ReadonlyArray<Sample>): boolean =>
  medianOf(samples.map(({ load }) => load)) > availableParallelism()

/** Prints the table of trends, and returns whether all judged trends are flat. */
const report = (samples: ReadonlyArray<Sample>): boolean => {
  const isBusy = isMachineBusy(samples)
  if (isBusy) console.log("Other programs use the machine, so latency is not judged.")
  const rows = seriesOf(samples).map((series) => ({
    series,
    trend: judgeTrend(series),
    isJudged: !(isBusy && series.name.startsWith("latency"))
  }))
  console.table(
    Object.fromEntries(
      rows.map(({ series: { name, unit }, trend, isJudged }) => [
        `${name}${unit === "" ? "" : ` (${unit})`}`,
        {
          "first third": formatNumber(trend.first),
          median: formatNumber(trend.median),
          "last third": formatNumber(trend.last),
          growth: formatNumber(trend.growth),
          tolerance: formatNumber(trend.tolerance),
          flat: trend.isFlat ? "yes" : isJudged ? "NO" : "not judged"
        }
      ])
    )
  )
  return rows.every(({ trend, isJudged }) => trend.isFlat || !isJudged)
}

const server = startServer()
const exited = new Promise((resolve) => server.once("exit", resolve))
try {
  await waitUntilReady()
  const client = makeSoakClient(url, token)
  const scene = await createSoakScene(client)
  const capacity =
    options.rate === undefined
      ? await measureCapacity(client, scene, capacityClients, capacitySeconds)
      : Number(options.rate) / loadShare
  const rate = capacity * loadShare
  console.log(`Capacity ${capacity.toFixed(1)} operations per second; the load is ${rate.toFixed(1)}.`)

  const samples: Array<Sample> = []
  const durations: Array<number> = []
  const counts = new Map<string, number>()
  const errors: Array<string> = []
  const load = startLoad(client, scene, rate, ({ name, durationMs, error }) => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    durations.push(durationMs)
    if (error !== undefined) errors.push(error)
  })
  const warmUp = sampleCount / 2
  let { cpuMs } = await requestFrom<ProcessSample>(server, "sample")
  for (let number = 1; number <= sampleCount; number++) {
    await new Promise((resolve) => setTimeout(resolve, (minutes * 60_000) / sampleCount))
    const since = durations.splice(0)
    const resources = await requestFrom<ProcessSample>(server, "sample")
    const wal = database.startsWith("sqlite:") ? fileSize(`${database.slice("sqlite:".length)}-wal`) : 0
    const cpuPerOperation = (resources.cpuMs - cpuMs) / Math.max(1, since.length)
    cpuMs = resources.cpuMs
    samples.push({
      ...resources,
      wal,
      cpuPerOperation,
      load: loadavg()[0]!,
      p50: percentileOf(since, 0.5),
      p99: percentileOf(since, 0.99)
    })
    if (number % 5 === 0) {
      const { rss, heapUsed, fileDescriptors, p50, p99 } = samples.at(-1)!
      console.log(
        `${((minutes * number) / sampleCount).toFixed(1)} min${number <= warmUp ? " (warm-up)" : ""}: ` +
          `RSS ${formatNumber(rss / bytesPerMiB)} MiB, heap ${formatNumber(heapUsed / bytesPerMiB)} MiB, ` +
          `WAL ${formatNumber(wal / bytesPerMiB)} MiB, ${fileDescriptors} descriptors, ` +
          `CPU ${formatNumber(cpuPerOperation)} ms per operation, p50 ${formatNumber(p50)} ms, p99 ${formatNumber(p99)} ms, ${errors.length} errors`
      )
    }
    if (options.snapshots !== undefined && (number === warmUp || number === sampleCount)) {
      await requestFrom(server, { snapshot: join(options.snapshots, `${number}.heapsnapshot`) })
    }
  }
  await load.stop()
  console.log(`Operations: ${[...counts].map(([name, count]) => `${name} ${count}`).join(", ")}.`)
  const isFlat = report(samples.slice(warmUp))
  for (const error of new Set(errors.slice(0, 10))) console.error(error)
  if (errors.length > 0) console.error(`${errors.length} operations failed.`)
  if (!isFlat) console.error("A trend is not flat: see the rows with NO.")
  process.exitCode = isFlat && errors.length === 0 ? 0 : 1
} finally {
  server.kill("SIGTERM")
  await exited
  rmSync(folder, { recursive: true, force: true })
}
