import { defaultExclude, defineConfig } from "vitest/config"
import { runsMultiplier } from "./harness/src/runs.ts"
import { cpuTimeReporter } from "./testing/cpuTimeReporter.ts"
import { startBundledThreads } from "./testing/programs.ts"
import { summary } from "./testing/summary.ts"
import { temporaryFolder } from "./testing/temporaryFolder.ts"

const conditions = ["@lectern/source"]

const include = [
  "packages/*/test/**/*.test.ts",
  "harness/test/**/*.test.ts",
  "examples/**/*.test.ts",
  "scripts/**/*.test.ts"
]
/** Tests that fail on purpose, for the tests of the harness that run them in a child process. */
const canaries = process.env.LECTERN_TEST_CANARY === "1" ? ["harness/test/**/*.canary.ts"] : []

/** The timeout of a test, in milliseconds: for a machine that is slow and busy. It grows with the number of generated cases. */
const testTimeoutMs = 600_000 * Math.max(1, runsMultiplier)

export default defineConfig({
  plugins: [startBundledThreads],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [...include, ...canaries],
    // `npm run test:browser` runs the first: they take minutes. `npm run test:hosts` runs the others: it installs their packages.
    exclude: [...defaultExclude, "**/*.browser.test.ts", "examples/hosts/**"],
    globalSetup: ["./testing/temporaryFolder.ts", "./testing/programs.ts", "./testing/postgres.ts"],
    setupFiles: ["./testing/setup.ts"],
    reporters: ["default", summary, cpuTimeReporter],
    env: temporaryFolder === undefined ? {} : { TMPDIR: temporaryFolder },
    // Test files share the modules of a process: loading and compiling them takes 1.5 s of CPU time.
    isolate: false,
    restoreMocks: true,
    // One process per core. The default is one fewer, which on two cores is only one process.
    maxWorkers: "100%",
    // Node's `fetch` throws this when a chunk arrives after a test has canceled the body.
    onUnhandledError: ({ message, stack }) =>
      !(message.includes("ReadableStream is already closed") && stack?.includes("undici")),
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs
  }
})
