/** The log of the server: in order, in batches, and complete when the process exits or crashes. */

import { spawn } from "node:child_process"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { makeBatchedOutput } from "../src/cli/BatchedOutput.ts"

const withLog = async <A>(use: (path: string) => Promise<A>): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-log-"))
  try {
    return await use(join(folder, "log"))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

it("writes all lines once and in order, however they are batched", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ text: fc.string(), isFlushed: fc.boolean(), hasPause: fc.boolean() }), {
        maxLength: 30
      }),
      (lines) =>
        withLog(async (path) => {
          const descriptor = openSync(path, "a")
          const output = makeBatchedOutput(descriptor)
          for (const { text, isFlushed, hasPause } of lines) {
            output.write(`${text}\n`)
            if (isFlushed) await output.flush()
            if (hasPause) await new Promise((resolve) => setTimeout(resolve, 1))
          }
          await output.close()
          closeSync(descriptor)
          expect(readFileSync(path, "utf8")).toBe(lines.map(({ text }) => `${text}\n`).join(""))
        })
    ),
    runs(30)
  ))

it.each([
  ["a call of process.exit", "process.exit(0)"],
  ["an exception that is not caught", "setImmediate(() => { throw new Error('crash') })"],
  ["an exception during a write", "setTimeout(() => { throw new Error('crash') }, 11)"],
  ["the end of the program", ""]
])("writes all lines before %s ends the process", async (_, end) => {
  const module = new URL("../../lectern/src/cli/BatchedOutput.ts", import.meta.url).href
  const program = `
    import { makeBatchedOutput } from ${JSON.stringify(module)}
    const output = makeBatchedOutput(1)
    for (let i = 0; i < 5000; i++) output.write("line " + i + "\\n")
    ${end}
    setTimeout(() => output.write("last\\n"), 9)
  `
  await withLog(async (path) => {
    const descriptor = openSync(path, "a")
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", descriptor, "ignore"]
    })
    await new Promise((resolve) => child.once("exit", resolve))
    closeSync(descriptor)
    const written = readFileSync(path, "utf8").split("\n")
    expect(written.slice(0, 5000)).toStrictEqual(Array.from({ length: 5000 }, (_, i) => `line ${i}`))
  })
})

it("drops lines, and reports their number, if the reader of a pipe does not read", async () => {
  const module = new URL("../../lectern/src/cli/BatchedOutput.ts", import.meta.url).href
  const program = `
    import { makeBatchedOutput } from ${JSON.stringify(module)}
    const output = makeBatchedOutput(1)
    const line = "x".repeat(1023) + "\\n"
    for (let i = 0; i < 10000; i++) output.write(line)
    process.stderr.write("written")
    await output.flush()
  `
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  // The program continues although its output is not read.
  await new Promise((resolve) => child.stderr.once("data", resolve))
  const chunks: Array<string> = []
  for await (const chunk of child.stdout.setEncoding("utf8")) chunks.push(String(chunk))
  const lines = chunks.join("").trimEnd().split("\n")
  const dropped = Number(/"(\d+) lines of the log were dropped/.exec(lines.at(-1)!)?.[1])
  expect(dropped).toBeGreaterThan(0)
  expect(lines.length - 1 + dropped).toBe(10_000)
})
