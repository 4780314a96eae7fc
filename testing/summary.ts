/** A Vitest reporter that prints the number of API operations and of properties that a run covered. */
import { appendFileSync } from "node:fs"
import type { Reporter, TestModule } from "vitest/node"
import { type Counts, summaryOf } from "../packages/testkit/src/contract/Coverage.ts"

const formatCount = (count: number, singular: string, plural: string): string =>
  `${count.toLocaleString("en")} ${count === 1 ? singular : plural}`

/** The reporter. Appends the test files that have properties to the file `LECTERN_TEST_PROPERTIES`, if it is set. */
export const summary: Reporter = {
  onTestRunEnd: (modules: ReadonlyArray<TestModule>) => {
    const operations = new Set<string>()
    const contracts = new Map<string, Counts>()
    let [properties, cases] = [0, 0]
    for (const module of modules) {
      let moduleProperties = 0
      for (const test of module.children.allTests()) {
        const meta = test.meta()
        moduleProperties += meta.properties ?? 0
        cases += meta.cases ?? 0
        if (meta.contract !== undefined && test.parent.type === "suite") {
          contracts.set(test.parent.name, meta.contract)
        }
        for (const operation of meta.operations ?? []) operations.add(operation)
      }
      properties += moduleProperties
      const list = process.env.LECTERN_TEST_PROPERTIES
      if (moduleProperties > 0 && list !== undefined) appendFileSync(list, `${module.relativeModuleId}\n`)
    }
    for (const [name, counts] of contracts) console.log(`    Contract  ${name}: ${summaryOf(counts)}`)
    console.log(
      `  Operations  ${formatCount(operations.size, "operation", "operations")} of the API called\n` +
        `  Properties  ${formatCount(properties, "property", "properties")} checked, on ${formatCount(cases, "case", "cases")}\n`
    )
  }
}
