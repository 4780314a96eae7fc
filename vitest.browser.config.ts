/**
 * `npm run test:browser`: the tests in a browser, one file after the other. With `LECTERN_TEST_STORE=postgres`, ten flows of people run on
 * PostgreSQL.
 */
import { defaultExclude, defineConfig } from "vitest/config"
import { flowPattern, postgresFlows } from "./testing/postgresFlows.ts"
import all from "./vitest.config.ts"

const isPostgres = process.env.LECTERN_TEST_STORE === "postgres"

export default defineConfig({
  ...all,
  test: {
    ...all.test,
    include: isPostgres ? Object.keys(postgresFlows) : ["packages/*/test/**/*.browser.test.ts"],
    ...(isPostgres ? { testNamePattern: flowPattern() } : {}),
    exclude: [...defaultExclude],
    // A condition is awaited as long as on a slow machine; the default is a second.
    expect: { poll: { timeout: 90_000 } },
    // Times are measured in one of them.
    maxWorkers: 1
  }
})
