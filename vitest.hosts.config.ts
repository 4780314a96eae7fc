/** `npm run test:hosts`: Lectern in other frameworks, whose packages have a lock file of their own. */
import { defaultExclude, defineConfig } from "vitest/config"
import { default as all } from "./vitest.config.ts"

const { test } = all

export default defineConfig({
  ...all,
  test: {
    ...test,
    include: ["examples/hosts/**/*.test.ts"],
    exclude: defaultExclude,
    globalSetup: ["./testing/hostPackages.ts", ...[test?.globalSetup ?? []].flat()]
  }
})
