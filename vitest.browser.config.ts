/**
 * `npm run test:browser`: the tests in a browser, one file after the other. With `LECTERN_TEST_STORE=postgres`, the flows of people run
 * on PostgreSQL.
 */
import { defaultExclude, defineConfig } from "vitest/config"
import all from "./vitest.config.ts"

export default defineConfig({
  ...all,
  test: {
    ...all.test,
    include:
      process.env.LECTERN_TEST_STORE === "postgres"
        ? ["packages/studio/test/{changes,imports,sites,writersHour}.browser.test.ts"]
        : ["packages/*/test/**/*.browser.test.ts"],
    exclude: [...defaultExclude],
    // Times are measured in one of them.
    maxWorkers: 1
  }
})
