import { defineConfig } from "vitest/config"
import { summary } from "./testing/summary.ts"

const conditions = ["@lectern/source"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["./testing/postgres.ts"],
    setupFiles: ["./testing/setup.ts"],
    reporters: ["default", summary],
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
