/** `npm run test:browser`: the tests in a browser, one file after the other. */
import { defaultExclude, defineConfig } from "vitest/config"
import all from "./vitest.config.ts"

export default defineConfig({
  ...all,
  test: {
    ...all.test,
    include: ["packages/*/test/**/*.browser.test.ts"],
    exclude: [...defaultExclude],
    // Times are measured in one of them.
    maxWorkers: 1
  }
})
