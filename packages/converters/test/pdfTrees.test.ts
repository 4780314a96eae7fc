/** The trees of a PDF that viewers search by bisection: named destinations, the elements of content, and the outline. */
import { renderPdf } from "@lectern/converters/pdf"
import type { Book, BookPage, PageId } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { readPdf, titlesOf } from "../../../testing/pdfReader.ts"

const bookOf = (pages: ReadonlyArray<BookPage>): Book => ({
  title: "Book",
  date: "2026-01-01T00:00:00.000Z",
  hasContents: true,
  pages,
  addresses: new Map(),
  paths: new Map(),
  files: new Map()
})

/** Returns the bytes of the strings of PDF in text whose characters are bytes. */
const stringsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\(((?:[^()\\]|\\[\s\S])*)\)/g)].map(([, value]) =>
    value!.replace(/\\([\s\S])/g, (_, escaped: string) => ({ n: "\n", r: "\r" })[escaped] ?? escaped)
  )

const isSorted = (values: ReadonlyArray<string>): boolean =>
  values.every((value, index) => index === 0 || values[index - 1]! < value)

const page = fc.record({
  id: fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/),
  depth: fc.nat(3),
  headings: fc.array(
    fc.record({
      level: fc.integer({ min: 2, max: 6 }),
      title: fc.constantFrom("Setup", "setup", "_x", "Zed", "Überblick", "日本語", "Ключ", "éa")
    }),
    { maxLength: 30 }
  )
})

const pagesOf = (
  generated: ReadonlyArray<{
    readonly id: string
    readonly depth: number
    readonly headings: ReadonlyArray<{ readonly level: number; readonly title: string }>
  }>
): ReadonlyArray<BookPage> => {
  let above = -1
  return generated.map(({ id, depth, headings }, index) => {
    above = Math.min(depth, above + 1)
    const next = generated[(index + 1) % generated.length]!.id
    const links = headings.map((_, at) => `[link](/pages/${next}#${at === 0 ? "missing" : "setup"})`)
    return {
      id: id as PageId,
      depth: above,
      type: "document" as const,
      title: `T${index}`,
      path: id,
      markdown: [...headings.map(({ level, title }) => `${"#".repeat(level)} ${title}`), ...links].join(
        "\n\n"
      )
    }
  })
}

it("sorts named destinations by their bytes, and contains the target of each link", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(page, { selector: ({ id }) => id, minLength: 1, maxLength: 8 }),
      async (generated) => {
        const file = Buffer.from(await renderPdf(bookOf(pagesOf(generated)))).toString("latin1")
        const leaves = [...file.matchAll(/\/Limits (\[\([\s\S]*?\)\])\n\/Names \[([\s\S]*?)\]\n>>/g)].map(
          ([, limits, names]) => ({ limits: stringsOf(limits!), names: stringsOf(names!) })
        )
        const names = leaves.flatMap(({ names }) => names)
        expect(names.length).toBeGreaterThanOrEqual(generated.length)
        expect(isSorted(names)).toBe(true)
        for (const leaf of leaves) expect(leaf.limits).toEqual([leaf.names[0], leaf.names.at(-1)])
        const targets = [...file.matchAll(/\/S \/GoTo\n\/D (\((?:[^()\\]|\\[\s\S])*\))/g)].map(
          ([, name]) => stringsOf(name!)[0]!
        )
        expect(targets.length).toBeGreaterThan(0)
        for (const target of targets) expect(names).toContain(target)
      }
    ),
    runs(30)
  )
})

it("has the element of each marked content and annotation, in ascending order of keys", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(page, { selector: ({ id }) => id, minLength: 1, maxLength: 8 }),
      async (generated) => {
        const file = Buffer.from(await renderPdf(bookOf(pagesOf(generated)))).toString("latin1")
        const keys: Array<number> = []
        for (const [, first, last, entries] of file.matchAll(
          /\/Limits \[(\d+) (\d+)\]\n\/Nums \[((?:\d+ (?:\d+ 0 R|\[[^\]]*\]) ?)*)\]/g
        )) {
          const some = [...entries!.matchAll(/(?<![\d]) ?(\d+) (?:\d+ 0 R|\[([^\]]*)\])/g)]
          for (const [, , elements] of some) expect(elements ?? "").not.toContain("null")
          const found = some.map(([, key]) => Number(key))
          expect([found[0], found.at(-1)]).toEqual([Number(first), Number(last)])
          keys.push(...found)
        }
        const next = Number(/\/ParentTreeNextKey (\d+)/.exec(file)![1])
        expect(keys).toEqual(Array.from({ length: next }, (_, index) => index))
      }
    ),
    runs(30)
  )
})

it("has an outline of all pages and headings of levels 1 to 3, nested by depth and level", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(page, { selector: ({ id }) => id, minLength: 1, maxLength: 8 }),
      async (generated) => {
        const pages = pagesOf(generated)
        const expected = pages.flatMap(({ title, depth }, index) => {
          const open: Array<number> = []
          return [
            `${"  ".repeat(depth)}${title}`,
            ...generated[index]!.headings.filter(({ level }) => level <= 3).map(({ level, title }) => {
              while (open.length > 0 && open.at(-1)! >= level) open.pop()
              open.push(level)
              return `${"  ".repeat(depth + open.length)}${title}`
            })
          ]
        })
        const { outline } = await readPdf(await renderPdf(bookOf(pages)))
        expect(titlesOf(outline).map((line) => line.replace(/ \d+$/, ""))).toEqual(expected)
      }
    ),
    runs(20)
  )
})
