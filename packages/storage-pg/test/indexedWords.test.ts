/** The function of the search index returns every word of a row, in each place. */
import { createDialect } from "@lectern/storage-pg"
import { Redacted } from "effect"
import fc from "fast-check"
import pg from "pg"
import { expect, it, onTestFinished } from "vitest"
import { createDatabase } from "./support.ts"

/** The words as a set, of which text without words has an empty one per place. */
const wordsOf = (row: ReadonlyArray<string>, key: string): ReadonlyArray<string> => {
  const [, title, headings, body, forms, audience] = row as [string, string, string, string, string, string]
  const split = (text: string) => text.replaceAll("\n", " ").split(" ")
  const titles = split(`${title} ${headings}`)
  const at = (place: string, words: ReadonlyArray<string>) => words.map((word) => `${key}${place}${word}`)
  const all = [
    ...at(":", [...titles, ...split(body)]),
    ...at("#", titles),
    ...at("!", title.split(" ")),
    ...at("~", forms.split(" ")),
    ...(audience === "" ? [] : at("=", ["", ...audience.split(" ")]))
  ]
  return [...new Set(all)].sort()
}

it("indexes every word of a row, also between several spaces and lines", async () => {
  const client = new pg.Client(Redacted.value(await createDatabase()))
  onTestFinished(() => client.end())
  await client.connect()
  const [createFunction] = createDialect().createFullText(
    // Only the first statement is executed, which does not depend on the table.
    { name: "rows", key: ["item"], columns: {} } as never,
    { scope: "scope", item: "item", title: "title", body: "body", forms: "forms" } as never
  )
  await client.query(createFunction!)
  const text = fc
    .array(fc.constantFrom("a", "bc", "é", "日", " ", "\n", "  ", "\n\n"), { maxLength: 12 })
    .map((parts) => parts.join(""))
  const line = text.map((some) => some.replaceAll("\n", " "))
  await fc.assert(
    fc.asyncProperty(fc.tuple(fc.uuid(), line, text, text, line, line), async (row) => {
      const { rows } = await client.query<{ words: Array<string>; key: string }>(
        `SELECT tsvector_to_array("lecternIndexedWords"($1, $2, $3, $4, $5, $6)) AS words,
          to_hex(hashtextextended($1, 0) & 16777215) AS key`,
        [...row]
      )
      expect([...rows[0]!.words].sort()).toEqual(wordsOf(row, rows[0]!.key))
    })
  )
})
