/** `npm run check:mutants`: every planted bug in `testing/mutants` applies to the sources, and names test files that exist. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { applyPatch, readMutants, repository } from "./mutants/patches.ts"

const problems = readMutants().flatMap(({ name, patch, title, suites, files }) => {
  const error = applyPatch(patch, repository, "--check")
  return [
    ...(error === undefined ? [] : [`${name}: ${error}`]),
    ...(title === "" || suites.length === 0 || files.length === 0
      ? [
          `${name}: A patch starts with a title, a line \`Suites:\`, and the paths of test files, indented by two spaces.`
        ]
      : []),
    ...suites
      .filter((suite) => !existsSync(join(repository, suite)))
      .map((suite) => `${name}: ${suite} does not exist.`)
  ]
})
for (const problem of problems) console.error(problem)
if (problems.length > 0) {
  console.error("Plant each bug again in the changed code, or replace it by another: see testing/README.md.")
  process.exit(1)
}
