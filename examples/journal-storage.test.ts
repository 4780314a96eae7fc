/** The journal passes the conformance suite, and contains every acknowledged commit after a crash. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createWorkspace } from "@lectern/core"
import { storageConformance } from "@lectern/testkit/conformance"
import * as fc from "fast-check"
import { afterAll, expect, it } from "vitest"
import { compact, journalStorage } from "./journal-storage.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-journal-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFile = () => join(folder, `${files++}.jsonl`)

storageConformance("A journal", (tables) => journalStorage(newFile(), tables))

it("has the acknowledged commits after it was cut off at any byte", async () => {
  const filename = newFile()
  const workspace = createWorkspace({ storage: journalStorage(filename) })
  const ada = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: ada,
    input: { title: "Acme" }
  })
  const acknowledged: Array<readonly [title: string, bytes: number]> = []
  for (const title of ["One", "Two", "Three"]) {
    await workspace.as(ada).spaces.create({ organization, input: { title } })
    acknowledged.push([title, readFileSync(filename).length])
  }
  await workspace.dispose()
  const bytes = readFileSync(filename)
  const titlesIn = async (file: string) => {
    const reopened = createWorkspace({ storage: journalStorage(file) })
    try {
      const { items } = await reopened.as(ada).spaces.list({ organization })
      return items.map(({ title }) => title).toSorted()
    } finally {
      await reopened.dispose()
    }
  }
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: acknowledged[0]![1], max: bytes.length }), async (length) => {
      const copy = newFile()
      writeFileSync(copy, bytes.subarray(0, length))
      const expected = acknowledged.filter(([, end]) => end <= length).map(([title]) => title)
      expect(await titlesIn(copy)).toEqual(expected.toSorted())
    }),
    { numRuns: Math.ceil(10 * Number(process.env.LECTERN_TEST_RUNS ?? 1)) }
  )
  compact(filename)
  expect(readFileSync(filename).length).toBeLessThan(bytes.length)
  appendFileSync(filename, '[{"table":"spa')
  expect(await titlesIn(filename)).toEqual(["One", "Three", "Two"])
})
