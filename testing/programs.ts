/**
 * Global setup: bundles the programs that tests start, from the sources of the packages. A process of the `lectern` command
 * starts with its bundle in 0.4 s of CPU time, and with the modules in 1.1 s; a thread of the converters in 0.1 s and 0.6 s.
 * Tests start some hundred of each.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"
import type { Plugin as VitePlugin } from "vite"
import type { TestProject } from "vitest/node"
import { bundleOptions, packagesFolder } from "../scripts/bundleOptions.ts"

/** A folder in the repository, so that the bundles find the packages that they import at run time. */
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))

/** The module whose constant is the program of the threads of the converters. */
const threadProgram = /[/\\]converters[/\\]src[/\\]threadProgram\.ts$/

/** The bundled programs start the bundle of the threads, which is in the same folder. */
const bundledThreads: Plugin = {
  name: "bundled-threads",
  setup: ({ onLoad }) => {
    onLoad({ filter: threadProgram }, () => ({
      contents: 'export const threadProgram = new URL("./thread.js", import.meta.url)'
    }))
  }
}

/**
 * The tests start the bundle of the threads, if there is one. Vitest caches modules over runs, so the folder of the run must not be
 * in the code.
 */
export const startBundledThreads: VitePlugin = {
  name: "bundled-threads",
  load: (id) =>
    threadProgram.test(id)
      ? `import { pathToFileURL } from "node:url"
const folder = process.env.LECTERN_TEST_PROGRAMS
export const threadProgram = folder === undefined ? new URL("./thread.ts", import.meta.url) : pathToFileURL(folder + "/thread.js")`
      : undefined
}

/** Packages that read files of their own folders. */
const packagesWithFiles = ["@cwasm/webp", "@resvg/resvg-wasm", "mathjax", "pdfkit"]

/** The programs. `http/test/support/programFile.ts` finds their bundles by their file names. */
const programs = [
  "lectern/src/cli/main.ts",
  "http/test/support/eventsProcess.ts",
  "http/test/support/jobsProcess.ts",
  "converters/src/thread.ts"
]

export default async ({ config }: TestProject) => {
  // The bundles would not contain later changes.
  if (config.watch) return () => {}
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, "lectern-programs-"))
  const options = bundleOptions(folder)
  await build({
    ...options,
    external: [...options.external, ...packagesWithFiles],
    plugins: [bundledThreads, ...options.plugins],
    entryPoints: programs.map((program) => join(packagesFolder, program)),
    entryNames: "[name]",
    conditions: ["@lectern/source"]
  })
  // The processes of the tests inherit it.
  process.env.LECTERN_TEST_PROGRAMS = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
