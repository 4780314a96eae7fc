/** Imports of tables of contents with very many entries let other requests run, and take time in proportion to the entries. */
import { converters } from "@lectern/converters"
import { createWorkspace } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { archiveOf } from "./support/repositories.ts"
import { longestSliceOf, maximumSlice, measureUnitMs, threadTimeMs } from "./support/slices.ts"

type Files = Record<string, string>

/** A repository with a page, and with a table of contents of a number of equal lines. */
const summaryOf = (count: number, lineOf: (index: number) => string): Files => ({
  "a.md": "# A\n",
  "SUMMARY.md": `# Summary\n\n${Array.from({ length: count }, (_, index) => lineOf(index)).join("\n")}\n`
})

/** Repositories by the forms of their entries, of a number of entries. */
const repositories: Readonly<Record<string, (count: number) => Files>> = {
  "links to one page": (count) => summaryOf(count, (index) => `* [A ${index}](a.md)`),
  "links to missing pages": (count) => summaryOf(count, (index) => `* [A ${index}](missing-${index}.md)`),
  "sections of one title": (count) => summaryOf(count, () => "## G\n\n* [A](https://example.com/)\n"),
  sections: (count) => summaryOf(count, (index) => `## G ${index}\n\n* [A](https://example.com/${index})\n`),
  "malformed lines": (count) =>
    summaryOf(count, (index) => `${" ".repeat(index % 7)}* ${"[".repeat(index % 40)}A ${index}](a.md)`),
  "pages of one slug": (count) => {
    const pathOf = (index: number) => `${"d".repeat(120)}/${"f".repeat(240)}${index}.md`
    const pages = Array.from({ length: count / 10 }, (_, index) => [pathOf(index), "# P\n"] as const)
    return { ...summaryOf(count / 10, (index) => `* [P](${pathOf(index)})`), ...Object.fromEntries(pages) }
  }
}

const counts = [2_000, 8_000] as const

/** The growth of the time, from which it is not in proportion to the four times as many entries: 16 if it is quadratic. */
const maximumGrowth = 9

it.skipIf(isFastRun)(
  "imports tables of contents of any form in short slices and in linear time",
  async () => {
    let archive: Uint8Array = new Uint8Array()
    const workspace = createWorkspace({
      storage: SqliteStorage.layer({ filename: ":memory:" }),
      ...converters(),
      fetcher: ({ url }) =>
        Effect.sync(() => ({ url, status: 200, contentType: "application/zip", body: archive }))
    })
    onTestFinished(() => workspace.dispose())
    const user = await workspace.administration.createUser({ input: { email: "ada@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const ada = workspace.as(user)
    const importAndList = async (files: Files) => {
      archive = archiveOf(files)
      const { id: space } = await ada.spaces.create({ organization, input: {} })
      const started = threadTimeMs()
      const slice = await longestSliceOf(async () => {
        await ada.imports.import({
          content: { space },
          input: { url: "https://example.com/docs.zip", source: "zip" }
        })
        await ada.content.listPages({ content: { space } })
      })
      return { slice, time: threadTimeMs() - started }
    }
    // Compiles the code that the measured imports run.
    for (const filesOf of Object.values(repositories)) await importAndList(filesOf(500))
    const measured: Array<{ form: string; slice: number; growth: number }> = []
    for (const [form, filesOf] of Object.entries(repositories)) {
      const few = await importAndList(filesOf(counts[0]))
      const many = await importAndList(filesOf(counts[1]))
      measured.push({ form, slice: many.slice, growth: many.time / few.time })
    }
    const unit = measureUnitMs()
    expect(
      measured.filter(({ slice, growth }) => slice / unit > maximumSlice || growth > maximumGrowth)
    ).toEqual([])
  }
)
