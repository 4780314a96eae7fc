import { CoreApi, MemoryStorage, play, story } from "@lectern/testkit"
import * as fc from "fast-check"
import { writeFileSync } from "node:fs"
import { it } from "vitest"
it("x", { timeout: 500000 }, async () => {
  const property = fc.asyncProperty(story(40, ["content", "changeRequests"]), async (steps) => {
    const api = CoreApi.make(MemoryStorage.layer())
    try { await play(api, "story", steps, {lookers: 1}) } finally { await api.close() }
  })
  const r = await fc.check(property, { numRuns: 3000, interruptAfterTimeLimit: 90000 })
  writeFileSync(`/tmp/m/found.txt`, JSON.stringify(r.counterexample) + "\n" + (r.errorInstance as Error)?.message)
  console.log(r.failed, r.numRuns, r.numShrinks)
})
