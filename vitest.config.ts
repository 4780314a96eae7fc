import { defineConfig } from "vitest/config"

const conditions = ["@lectern/source"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["./vitest.globalSetup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
