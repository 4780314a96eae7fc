/**
 * Measures the start of `npm start`: the time until `/readyz` is 200, its CPU time, and the resident memory 10 s later.
 * `npm run bench:startup -- --check` fails over 120 MiB, or over a second of CPU time: unlike the time, it does not depend on what else the
 * machine does.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

const command = fileURLToPath(new URL("../packages/lectern/dist/cli/main.js", import.meta.url))
const runs = 5
const idleMs = 10_000
const limits = { memoryMiB: 120, cpuMs: 1_000 }

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** The CPU time of a process in milliseconds, of all of its threads. */
const cpuMsOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ")
  // Fields 14 and 15 of the file, in ticks of 10 ms.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const residentMiBOf = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const measure = async (folder: string) => {
  const port = await freePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, [command, "serve", "--port", String(port)], {
    env: { PATH: process.env.PATH, LECTERN_DATABASE_URL: `sqlite:${join(folder, "start.db")}` },
    stdio: "ignore"
  })
  const exit = new Promise((resolve) => child.once("exit", resolve))
  try {
    while (
      !(await fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false
      ))
    )
      await sleep(5)
    const readyMs = performance.now() - startedAt
    const cpuMs = cpuMsOf(child.pid!)
    await sleep(idleMs)
    return { readyMs, cpuMs, memoryMiB: residentMiBOf(child.pid!) }
  } finally {
    child.kill("SIGTERM")
    await exit
  }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!

const folder = mkdtempSync(join(tmpdir(), "lectern-startup-"))
try {
  // The first start migrates the database, and fills the compile cache of Node.
  await measure(folder)
  const measured = []
  for (let run = 0; run < runs; run++) measured.push(await measure(folder))
  const result = {
    readyMs: median(measured.map(({ readyMs }) => readyMs)),
    cpuMs: median(measured.map(({ cpuMs }) => cpuMs)),
    memoryMiB: median(measured.map(({ memoryMiB }) => memoryMiB))
  }
  console.log(
    `Median of ${runs} starts: ready after ${result.readyMs.toFixed(0)} ms with ${result.cpuMs} ms of CPU time; ${result.memoryMiB.toFixed(1)} MiB idle.`
  )
  if (process.argv.includes("--check")) {
    if (result.memoryMiB > limits.memoryMiB)
      throw new Error(`The idle memory exceeds ${limits.memoryMiB} MiB.`)
    if (result.cpuMs > limits.cpuMs)
      throw new Error(`The start takes more than ${limits.cpuMs} ms of CPU time.`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
