/** Cursors of searches: pages that do not change are listed once, while other pages are added, changed and removed. */
import { runs } from "@lectern/harness"
import fc from "fast-check"
import { expect, it } from "vitest"
import { openWorkspace } from "./support/embedding.ts"

/** Markdown with numbers of occurrences of the two words of the query, which determine its rank. */
const markdownOf = (apples: number, pears: number): string =>
  `${"apple ".repeat(apples + 1)}${"other ".repeat(apples * 3)}${"pear ".repeat(pears + 1)}`

const weight = fc.nat(6)
const page = fc.record({ apples: weight, pears: weight })
const change = fc.oneof(
  fc.record({ do: fc.constant("insert" as const), page }),
  fc.record({ do: fc.constant("update" as const), at: fc.nat(99), page }),
  fc.record({ do: fc.constant("delete" as const), at: fc.nat(99) })
)
const insert = (title: string, { apples, pears }: { apples: number; pears: number }) => ({
  operation: "insert_page" as const,
  title,
  document: { markdown: markdownOf(apples, pears) }
})

it("list each page that does not change once, while others change", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(page, { minLength: 20, maxLength: 50 }),
      fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 12 }),
      fc.integer({ min: 3, max: 12 }),
      async (initial, batches, limit) => {
        const { ada, organization } = await openWorkspace()
        const space = (await ada.spaces.create({ organization })).id
        const edit = async (changes: Parameters<typeof ada.content.edit>[0]["input"]["changes"]) =>
          (await ada.content.edit({ content: { space }, input: { changes } })).changes.flatMap((one) =>
            one.object === "created_page" ? [one.page.id] : []
          )
        const unchanged = new Set(await edit(initial.map((one, index) => insert(`Page ${index}`, one))))
        const current: Array<string> = [...unchanged]
        const listed: Array<string> = []
        let cursor: string | undefined
        for (let at = 0; ; at++) {
          const input = { query: "apple pear", limit, ...(cursor === undefined ? {} : { page: cursor }) }
          const { items, next } = await ada.search.searchSpace({ space, input })
          listed.push(...items.map(({ id }) => id))
          if (next === undefined) break
          cursor = next.page
          for (const one of batches[at] ?? []) {
            if (one.do === "insert") {
              current.push(...(await edit([insert("New", one.page)])))
              continue
            }
            const id = current[one.at % current.length]
            if (id === undefined) continue
            unchanged.delete(id)
            if (one.do === "delete") {
              current.splice(current.indexOf(id), 1)
              await edit([{ operation: "delete_page" as const, page: id }])
            } else {
              const document = { markdown: markdownOf(one.page.apples, one.page.pears) }
              await edit([{ operation: "update_page" as const, page: id, document }])
            }
          }
        }
        const counts = [...unchanged].map((id) => listed.filter((one) => one === id).length)
        expect(counts).toEqual(counts.map(() => 1))
      }
    ),
    runs(40)
  )
}, 120_000)
