/** Measures the cost of one attack: how long it holds the event loop, its CPU time, memory and response size. */
import { readFileSync, writeFileSync } from "node:fs"
import type { Attack, DeclaredCosts } from "./Attack.ts"
import type { HostileResponse, Scene } from "./scene.ts"

/** The cost of one attack. */
export interface Cost {
  /** The longest time that `/healthz` took, in milliseconds. */
  readonly heldMs: number
  /** The CPU time of all threads of the server, in milliseconds. */
  readonly cpuMs: number
  /** The growth of the resident memory at its peak, in megabytes. */
  readonly memoryMb: number
  readonly requestBytes: number
  readonly responseBytes: number
  readonly statuses: ReadonlyArray<number>
  readonly durationMs: number
}

/** The maximum cost of an attack on this machine. */
export interface Budget {
  readonly heldMs: number
  readonly cpuMs: number
  readonly memoryMb: number
}

/** The interval between two requests to `/healthz`, in milliseconds. */
const probeIntervalMs = 20

/** The number of clock ticks per second in `/proc`, which Linux fixes at 100 for all architectures of Node. */
const ticksPerSecond = 100

const readProcess = (
  pid: number
): { readonly cpuMs: number; readonly peakMb: number; readonly nowMb: number } => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
  const status = readFileSync(`/proc/${pid}/status`, "utf8")
  const megabytesOf = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024
  return {
    cpuMs: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond,
    peakMb: megabytesOf("VmHWM"),
    nowMb: megabytesOf("VmRSS")
  }
}

/** Resets the peak of the resident memory to its current value. */
const resetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, "5")

/** Runs the fixed work of the calibration, which takes about 20 ms on a machine of 2024. */
const runCalibrationLoop = (): number => {
  let text = ""
  let sum = 0
  for (let i = 0; i < 220_000; i++) {
    text = `${i}:${text.slice(0, 24)}`
    sum += text.charCodeAt(i % 8) + JSON.parse(`[${i}]`)[0]
  }
  return sum
}

/** The duration of the calibration loop in milliseconds: elapsed, and as CPU time. */
export const calibrate = (): { readonly elapsedMs: number; readonly cpuMs: number } => {
  let [elapsedMs, cpuMs] = [0, Number.POSITIVE_INFINITY]
  for (let i = 0; i < 3; i++) {
    const cpu = process.cpuUsage()
    const started = performance.now()
    runCalibrationLoop()
    elapsedMs = Math.max(elapsedMs, performance.now() - started)
    const { user, system } = process.cpuUsage(cpu)
    cpuMs = Math.min(cpuMs, (user + system) / 1000)
  }
  return { elapsedMs, cpuMs }
}

/** The CPU time of the calibration loop on the machine that the budgets are stated for, in milliseconds. */
const referenceCpuMs = 27

/** The budget on this machine: it grows with the duration of the calibration loop. */
export const budgetOf = (
  { elapsedMs, cpuMs }: ReturnType<typeof calibrate>,
  { cpuMs: maximumCpuMs = 1000, memoryMb = 100, heldFactor = 1 }: DeclaredCosts = {}
): Budget => ({
  heldMs: heldFactor * Math.max(100, 5 * elapsedMs),
  cpuMs: maximumCpuMs * Math.max(1, cpuMs / referenceCpuMs),
  memoryMb
})

/** Requests `/healthz` until `isFinished`, and returns the longest time that it took. */
const probe = async (scene: Scene, isFinished: () => boolean): Promise<number> => {
  let longestMs = 0
  while (!isFinished()) {
    const started = performance.now()
    // The server can close an idle connection while a request is sent, which is then repeated.
    await fetch(`${scene.url}/healthz`).catch(() => fetch(`${scene.url}/healthz`))
    longestMs = Math.max(longestMs, performance.now() - started)
    await new Promise((resolve) => setTimeout(resolve, probeIntervalMs))
  }
  return longestMs
}

/** Runs an attack once, with requests to `/healthz` until the server has responded and is idle. */
export const measure = async (scene: Scene, attack: Attack): Promise<Cost> => {
  const pid = scene.child.pid!
  const prepared = await attack.prepare(scene)
  let requestBytes = 0
  for (const { path, body, headers } of prepared.requests) {
    const text = typeof body === "string" || body instanceof Uint8Array ? body : (JSON.stringify(body) ?? "")
    requestBytes += path.length + Buffer.byteLength(text) + JSON.stringify(headers ?? {}).length
  }
  resetPeak(pid)
  const before = readProcess(pid)
  const started = performance.now()
  let isFinished = false
  const probing = probe(scene, () => isFinished)
  const responses: Array<HostileResponse> = []
  for (const request of prepared.requests) responses.push(await scene.send(request))
  await prepared.settle?.(responses)
  const durationMs = performance.now() - started
  // Work that continues after the response, such as garbage collection, is part of the cost.
  await new Promise((resolve) => setTimeout(resolve, 2 * probeIntervalMs))
  isFinished = true
  const heldMs = await probing
  const after = readProcess(pid)
  return {
    heldMs,
    cpuMs: after.cpuMs - before.cpuMs,
    memoryMb: after.peakMb - before.nowMb,
    requestBytes,
    responseBytes: responses.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0),
    statuses: responses.map(({ status }) => status),
    durationMs
  }
}
