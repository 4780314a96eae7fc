/** Writing and indexing a body of the maximum size lets other requests run: no step of it holds the event loop for long. */
import { converters } from "@lectern/converters"
import { createWorkspace, type SpaceId } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { expect, it, onTestFinished } from "vitest"
import { idOf } from "./support/editing.ts"

/** The CPU time of the current thread since `start`, in milliseconds. */
const threadTimeMs = (start?: NodeJS.CpuUsage): number => {
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}

/** The CPU time of twenty million multiplications, in milliseconds: a unit of time that grows with the slowness of a machine. */
const measureUnitMs = (): number => {
  const times = Array.from({ length: 5 }, () => {
    const start = process.threadCpuUsage()
    let sum = 0
    for (let index = 0; index < 20_000_000; index++) sum = (Math.imul(sum, 31) + index) | 0
    // The sum is used, so that the loop is not removed.
    return sum === 1 ? 0 : threadTimeMs(start)
  })
  return Math.min(...times)
}

/**
 * The maximum CPU time of the event loop between two turns, in units. The bar is 100 ms on a machine whose unit is 28 ms;
 * the longest slice there is 76 ms. The margin is for processors that two busy processes share.
 */
const maximumSlice = 6

/** Measures the longest time of the event loop between two turns in CPU time, which does not depend on other processes. */
const longestSliceOf = async (run: () => Promise<unknown>): Promise<number> => {
  let [longest, isRunning, last] = [0, true, threadTimeMs()]
  const turn = () => {
    const next = threadTimeMs()
    longest = Math.max(longest, next - last)
    last = next
    if (isRunning) setImmediate(turn)
  }
  setImmediate(turn)
  await run()
  isRunning = false
  await new Promise((resolve) => setImmediate(resolve))
  turn()
  return longest
}

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
