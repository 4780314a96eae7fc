/** What loading the library that runs PostgreSQL leaves of the process that loads it. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const postgres = fileURLToPath(new URL("../src/postgres.ts", import.meta.url))

it.each([0, 1, 3])("a process that has nothing left to do ends with the code %i that it set", (code) => {
  const program = `await import(${JSON.stringify(postgres)}); process.exitCode = ${code}`
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8"
  })
  expect([status, stderr]).toEqual([code, ""])
})
