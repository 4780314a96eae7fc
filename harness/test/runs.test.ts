/** The number of cases of each property is scaled by `LECTERN_TEST_RUNS`. */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const tests = globSync("{packages,examples}/*/test/**/*.ts", { cwd: root }).concat(
  globSync("{harness,examples,scripts}/**/*.test.ts", { cwd: root, exclude: ["**/node_modules/**"] })
)

/** Properties that must fail, with a count of cases that the test depends on. They have a seed, or `fc.check`. */
const isExpectedToFail = (line: string) => /seed: \d|fc\.check\(/.test(line)

it("no property has a fixed number of cases", () => {
  expect(tests.length).toBeGreaterThan(100)
  const fixed = tests.flatMap((file) =>
    readFileSync(`${root}/${file}`, "utf8")
      .split("\n")
      .filter((line) => /numRuns: ?\d/.test(line) && !isExpectedToFail(line))
      .map((line) => `${file}: ${line.trim()}`)
  )
  expect(fixed, "Use `runs(count)` of @lectern/harness.").toEqual([])
})
