/** The output of commands for programs. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { runCommand } from "./processes.ts"

it("prints one line of JSON with --json", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-json-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { LECTERN_DATABASE_URL: `sqlite:${join(folder, "lectern.db")}` }
  const run = async (...args: ReadonlyArray<string>): Promise<[code: number | null, printed: unknown]> => {
    const { code, output } = await runCommand([...args, "--json"], env)
    expect(output.split("\n").length).toBe(2)
    return [code, JSON.parse(output)]
  }
  expect(await run("migrate", "status")).toMatchObject([2, { version: 0 }])
  expect(await run("seed", "--demo")).toMatchObject([
    0,
    { token: expect.stringMatching(/^lectern_/), siteUrl: expect.stringContaining("/sites/") }
  ])
  expect(await run("migrate", "status")).toMatchObject([0, { pending: [] }])
  const [code, jobs] = await run("jobs", "list")
  expect(code).toBe(0)
  expect(jobs).toEqual(expect.any(Array))
})

it("prints completions for each shell", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const { code, output } = await runCommand(["--completions", shell])
    expect([shell, code]).toEqual([shell, 0])
    for (const name of ["serve", "doctor", "database-url"]) expect(output).toContain(name)
  }
})
