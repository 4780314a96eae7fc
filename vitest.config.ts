import { defineConfig } from "vitest/config"
import { runsMultiplier } from "./harness/src/runs.ts"
import { summary } from "./testing/summary.ts"

const conditions = ["@lectern/source"]

/** The timeout of a test, in milliseconds. It grows with the number of generated cases. */
const testTimeoutMs = 120_000 * Math.max(1, runsMultiplier)

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "harness/test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["./testing/postgres.ts"],
    setupFiles: ["./testing/setup.ts"],
    reporters: ["default", summary],
    // A process for each core: all but one is the default, which is half of them on small machines.
    maxWorkers: "100%",
    testTimeout: testTimeoutMs,
    hookTimeout: testTimeoutMs
  }
})
