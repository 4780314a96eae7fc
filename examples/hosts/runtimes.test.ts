/** A host runs in Node, Bun and Deno on every store. */
import { execFileSync, spawnSync } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createTestDatabase } from "@lectern/harness/postgres"
import { describe, expect, inject, it } from "vitest"

const folder = fileURLToPath(new URL(".", import.meta.url))
const installed = (name: string) => join(folder, "node_modules", ".bin", name)

const runtimes: Readonly<Record<string, readonly [command: string, ...args: ReadonlyArray<string>]>> = {
  Node: [process.execPath],
  Bun: [installed("bun")],
  Deno: [installed("deno"), "run", "--allow-all"]
}

const stores = ["memory", "sqlite", "postgres"]

/** Whether the registry has the runtime for this platform. */
const isInstalled = ([command]: (typeof runtimes)[string]): boolean =>
  spawnSync(command, ["--version"]).status === 0

describe.each(Object.entries(runtimes))("a host in %s", (name, runtime) => {
  const [command, ...args] = runtime
  const isAbsent = !isInstalled(runtime)
  if (isAbsent) console.log(`${name} is not installed: the registry does not provide it for this platform.`)

  it.skipIf(isAbsent).each(stores)("serves, and is called by both clients, on %s", async (store) => {
    const database = store === "postgres" ? await createTestDatabase(inject("postgres")) : store
    const output = execFileSync(command, [...args, "runtime.ts", database], {
      cwd: folder,
      encoding: "utf8"
    })
    expect(JSON.parse(output.trim().split("\n").at(-1)!)).toEqual({ title: "Handbook", pages: ["Welcome"] })
  })
})
