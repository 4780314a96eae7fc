/**
 * Global setup: bundles the programs that tests start as processes from the sources of the packages. A process of the `lectern`
 * command starts with its bundle in 0.4 s of CPU time, and with the modules in 1.1 s. Tests start some hundred processes.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import type { TestProject } from "vitest/node"
import { bundleOptions, packagesFolder } from "../scripts/bundleOptions.ts"

/** A folder in the repository, so that the bundles find the packages that they import at run time. */
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))

/** The programs. `http/test/support/programFile.ts` finds their bundles by their file names. */
const programs = ["src/cli/main.ts", "test/support/eventsProcess.ts", "test/support/jobsProcess.ts"]

export default async ({ config }: TestProject) => {
  // The bundles would not contain later changes.
  if (config.watch) return () => {}
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "lectern-programs-"))
  await build({
    ...bundleOptions(folder),
    entryPoints: programs.map((program) => join(packagesFolder, "http", program)),
    entryNames: "[name]",
    conditions: ["@lectern/source"]
  })
  // The processes of the tests inherit it.
  process.env.LECTERN_TEST_PROGRAMS = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
