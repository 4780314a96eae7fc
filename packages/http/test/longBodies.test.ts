/** Writing and indexing a body of the maximum size lets other requests run: no step of it holds the event loop for long. */
import { converters } from "@lectern/converters"
import { createWorkspace, type SpaceId } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { expect, it, onTestFinished } from "vitest"
import { idOf } from "./support/editing.ts"
import { longestSliceOf, maximumSlice, measureUnitMs } from "./support/slices.ts"

const bodies = {
  paragraphs: "a\n\n".repeat(1_300_000),
  lines: "a b\n".repeat(950_000),
  "one line": "word ".repeat(780_000),
  code: `\`\`\`\n${"a\n".repeat(1_900_000)}\`\`\`\n`
}

it.skipIf(isFastRun)("is inserted and updated in short slices, in any form", async () => {
  const workspace = createWorkspace({
    storage: SqliteStorage.layer({ filename: ":memory:" }),
    ...converters()
  })
  onTestFinished(() => workspace.dispose())
  const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
  const organization = await workspace.administration.createOrganization({
    administrator: user,
    input: { title: "Acme" }
  })
  const ada = workspace.as(user)
  const { id: space }: { id: SpaceId } = await ada.spaces.create({ organization, input: { title: "Guide" } })
  const content = { space }
  const edit = (change: object) =>
    ada.content.edit({ content, input: { changes: [change] } } as Parameters<typeof ada.content.edit>[0])
  // Compiles the code that the measured edits run.
  await edit({
    operation: "insert_page",
    title: "Warm",
    document: { markdown: bodies.lines.slice(0, 400_000) }
  })
  const slices: Record<string, number> = {}
  for (const [form, markdown] of Object.entries(bodies)) {
    let page = ""
    slices[`insert ${form}`] = await longestSliceOf(async () => {
      page = idOf(await edit({ operation: "insert_page", title: form, document: { markdown } }))
    })
    slices[`update ${form}`] = await longestSliceOf(() =>
      edit({ operation: "update_page", page, document: { markdown: `${markdown}b` } })
    )
  }
  const unit = measureUnitMs()
  expect(Object.entries(slices).filter(([, slice]) => slice / unit > maximumSlice)).toEqual([])
})
