import { defineConfig } from "vitest/config"
import { multiplier } from "./packages/testkit/src/runs.ts"
import { summary } from "./testing/summary.ts"

const conditions = ["@lectern/source"]

/** How long a test may take, in milliseconds: more where its properties have more cases. */
const patience = 120_000 * Math.max(1, multiplier)

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["./testing/postgres.ts"],
    setupFiles: ["./testing/setup.ts"],
    reporters: ["default", summary],
    // A process for each core: all but one is the default, which is half of them on small machines.
    maxWorkers: "100%",
    testTimeout: patience,
    hookTimeout: patience
  }
})
