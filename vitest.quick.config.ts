/** `npm run test:quick`: the tests that are fast, with a tenth of the generated cases. */
import { defaultExclude, defineConfig, mergeConfig } from "vitest/config"
import { slowTests } from "./testing/slowTests.ts"
import { default as all } from "./vitest.config.ts"

export default mergeConfig(
  all,
  defineConfig({
    test: {
      exclude: [...defaultExclude, ...slowTests],
      env: { LECTERN_TEST_RUNS: process.env.LECTERN_TEST_RUNS ?? "0.1" }
    }
  })
)
