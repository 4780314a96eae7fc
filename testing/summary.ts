/** Prints the coverage of a run at its end: how many operations were called, and how many properties were checked. */
import { appendFileSync } from "node:fs"
import type { Reporter, TestModule } from "vitest/node"
import { type Counts, summaryOf } from "../packages/testkit/src/contract/Coverage.ts"

const count = (number: number, one: string, many: string): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`

/** The reporter. Appends the test files that have properties to the file `LECTERN_TEST_PROPERTIES`, if it is set. */
export const summary: Reporter = {
  onTestRunEnd: (modules: ReadonlyArray<TestModule>) => {
    const operations = new Set<string>()
    const contracts = new Map<string, Counts>()
    let [properties, cases] = [0, 0]
    for (const module of modules) {
      let here = 0
      for (const test of module.children.allTests()) {
        const meta = test.meta()
        here += meta.properties ?? 0
        cases += meta.cases ?? 0
        if (meta.contract !== undefined && test.parent.type === "suite") {
          contracts.set(test.parent.name, meta.contract)
        }
        for (const operation of meta.operations ?? []) operations.add(operation)
      }
      properties += here
      const list = process.env.LECTERN_TEST_PROPERTIES
      if (here > 0 && list !== undefined) appendFileSync(list, `${module.relativeModuleId}\n`)
    }
    for (const [name, counts] of contracts) console.log(`    Contract  ${name}: ${summaryOf(counts)}`)
    console.log(
      `  Operations  ${count(operations.size, "operation", "operations")} of the API called\n` +
        `  Properties  ${count(properties, "property", "properties")} checked, on ${count(cases, "case", "cases")}\n`
    )
  }
}
