/**
 * Measures how many bytes of a SQLite file an edit of a page costs, by table. Run with `npm run bench:storage`.
 *
 * A space has 100 pages of about 5 kB of documentation, and one page is edited 500 times: a word of a sentence is replaced
 * (the usual edit), or the whole text.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createWorkspace } from "@lectern/core"
import { sqlite } from "@lectern/storage-sqlite"

const pageCount = 100
const editCount = 500
const pageBytes = 5_000

/** Returns strings of about 5 kB: parts of the READMEs of installed packages. */
const readTexts = (): ReadonlyArray<string> => {
  const modules = new URL("../node_modules/", import.meta.url)
  const text = readdirSync(modules)
    .sort()
    .flatMap((name) => {
      try {
        return [readFileSync(new URL(`${name}/README.md`, modules), "utf8")]
      } catch {
        return []
      }
    })
    .join("\n\n")
    .replaceAll(/[^\x20-\x7e\n]/g, "")
  return Array.from({ length: Math.floor(text.length / pageBytes) }, (_, index) =>
    text.slice(index * pageBytes, (index + 1) * pageBytes)
  )
}

const sizesOf = (filename: string): ReadonlyMap<string, number> => {
  const database = new DatabaseSync(filename)
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
  const rows = database.prepare("SELECT name, sum(pgsize) AS size FROM dbstat GROUP BY name").all()
  database.close()
  return new Map(rows.map(({ name, size }) => [String(name), Number(size)]))
}

const texts = readTexts()

/** Returns Markdown in which one word is replaced. */
const replaceWord = (text: string, edit: number): string => {
  const words = text.split(" ")
  words[(edit * 37) % words.length] = `edited${edit}`
  return words.join(" ")
}

const measure = async (name: string, next: (text: string, edit: number) => string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-storage-"))
  const filename = join(folder, "lectern.db")
  const workspace = createWorkspace({ storage: sqlite(filename), logger: () => {} })
  try {
    const user = await workspace.administration.createUser({ input: { email: "bench@example.com" } })
    const organization = await workspace.administration.createOrganization({
      administrator: user,
      input: { title: "Measured" }
    })
    const { spaces, content } = workspace.as(user)
    const space = await spaces.create({ organization, input: { title: "Measured", editMode: "live" } })
    const pages: Array<string> = []
    for (let from = 0; from < pageCount; from += 50) {
      const { changes } = await content.edit({
        content: { space: space.id },
        input: {
          changes: Array.from({ length: 50 }, (_, index) => ({
            operation: "insert_page" as const,
            title: `Page ${from + index}`,
            document: { markdown: texts[from + index]! }
          }))
        }
      })
      for (const change of changes)
        if ("page" in change && typeof change.page === "object") pages.push(change.page.id)
    }
    const before = sizesOf(filename)
    let text = texts[50]!
    const started = process.cpuUsage()
    for (let edit = 0; edit < editCount; edit++) {
      text = next(text, edit)
      await content.edit({
        content: { space: space.id },
        input: { changes: [{ operation: "update_page", page: pages[50]!, document: { markdown: text } }] }
      })
    }
    const { user: userTime, system } = process.cpuUsage(started)
    const after = sizesOf(filename)
    const costs = [...after]
      .map(([table, size]) => [table, (size - (before.get(table) ?? 0)) / editCount] as const)
      .filter(([, cost]) => cost >= 1)
      .sort(([, one], [, other]) => other - one)
    console.log(
      `${name}: ${costs.reduce((sum, [, cost]) => sum + cost, 0).toFixed(0)} bytes and ${((userTime + system) / 1000 / editCount).toFixed(2)} ms of CPU time per edit`
    )
    for (const [table, cost] of costs) console.log(`  ${table}: ${cost.toFixed(0)}`)
  } finally {
    await workspace.dispose()
    rmSync(folder, { recursive: true })
  }
}

await measure("A word replaced", replaceWord)
await measure("The whole text replaced", (_, edit) => replaceWord(texts[(edit * 7) % texts.length]!, edit))
