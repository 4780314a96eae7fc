/** Fuzz runs: every request gets a declared response, no 5xx, and no data of other organizations. */
import { Api } from "@lectern/client"
import { runs } from "@lectern/harness"
import { fuzz } from "@lectern/harness/fuzz"
import { Layer } from "effect"
import { expect, it } from "vitest"
import { ruleDatabases } from "./stores.ts"
import { responseTimeoutMillis } from "./support/acknowledged.ts"
import { fakeFetcher } from "./support/fakeFetcher.ts"
import { fuzzHostOf } from "./support/fuzzHost.ts"
import { startServer } from "./support.ts"

/** The timeout of a single run, times the number of requested runs. */
const timeout = 300_000 * runs(1).numRuns

for (const { name, make } of ruleDatabases) {
  it(`no request causes a server error or discloses data of another organization, on ${name}`, {
    timeout
  }, async () => {
    const server = await startServer(Layer.provideMerge(await make(), fakeFetcher), {
      validateResponses: false
    })
    try {
      const report = await fuzz({
        api: Api,
        host: fuzzHostOf(server),
        requestsPerKind: 2,
        timeoutMs: responseTimeoutMillis
      })
      if (process.env.LECTERN_TEST_REPORT !== undefined) console.log(report.toString())
      expect(report.failures.join("\n\n")).toBe("")
      expect(report.undertested).toEqual([])
    } finally {
      await server.close()
    }
  })
}
