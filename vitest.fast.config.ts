/**
 * `npm test`: the suites that find a defect of one kind at the lowest cost. Business rules run on one store, authorization as two factors,
 * and properties on a share of their cases. `npm run test:all` runs everything: see the section on tests in CONTRIBUTING.md.
 */
import { defaultExclude, defineConfig, mergeConfig } from "vitest/config"
import { fastShare, testsOfAll } from "./testing/fastSelection.ts"
import { default as all } from "./vitest.config.ts"

export default mergeConfig(
  all,
  defineConfig({
    test: {
      exclude: [...defaultExclude, "**/*.browser.test.ts", "examples/hosts/**", ...testsOfAll],
      env: {
        LECTERN_TEST_SELECTION: "fast",
        LECTERN_TEST_RUNS: String(Number(process.env.LECTERN_TEST_RUNS ?? 1) * fastShare)
      }
    }
  })
)
