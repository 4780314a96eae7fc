/**
 * Full-text search in SQLite: a contentless FTS5 index per table, which triggers maintain. It stores words only; the
 * rows are in the table.
 *
 * An FTS5 index identifies rows by integers, while the keys of tables are text. A table of items numbers the items, such
 * that the items of a scope have consecutive numbers. The number of a row consists of the number of its item and of its part,
 * so that a range of rows selects a scope, and hits are grouped by item without reading another table.
 */
import type { Table, TextSearch } from "@lectern/core"
import type { Dialect } from "@lectern/storage-sql"

/** The number of bits of the number of an item within its scope, and of a part within its item. */
const [itemBits, partBits] = [28, 12] as const

/** The audience that every row with an audience has. */
const anyAudience = "any"

/** The weights of the columns in the score. */
const weights = { title: 10, headings: 4, body: 1, forms: 1, audience: 0 } as const

/** The columns of the index, in order. */
const indexedColumns = (names: Table.FullText) =>
  (["title", "headings", "body", "forms", "audience"] as const).flatMap((role) => {
    const name = names[role]
    return name === undefined ? [] : [{ role, name }]
  })

/** Quotes the name of a table, a trigger or an index, with the prefix of the store. */
type PrefixName = (name: string) => string

/**
 * Creates the index. Core has split and normalized the words, so the `ascii` tokenizer, which splits at spaces, suits
 * every script. The last column of the table's key numbers the parts of an item, from 0 to 4095.
 */
export const createFullText =
  (prefixed: PrefixName): Dialect["createFullText"] =>
  (table, fullText) => {
    const { scope, item } = fullText
    const [rows, text, items] = ["", "Text", "Items"].map((suffix) => prefixed(`${table.name}${suffix}`))
    const part = table.key.find((column) => column !== scope && column !== item)!
    const columns = indexedColumns(fullText)
    const names = columns.map(({ name }) => `"${name}"`).join(", ")
    const values = columns
      .map(({ role, name }) =>
        role === "audience"
          ? `CASE new."${name}" WHEN '' THEN '' ELSE '${anyAudience} ' || new."${name}" END`
          : `new."${name}"`
      )
      .join(", ")
    const isItem = (row: "old" | "new") => `"${scope}" = ${row}."${scope}" AND "${item}" = ${row}."${item}"`
    const rowNumber = (row: "old" | "new") =>
      `((SELECT "number" FROM ${items} WHERE ${isItem(row)}) << ${partBits}) + ${row}."${part}"`
    const scopeNumber = `(SELECT "number" >> ${itemBits} FROM ${items} WHERE "${scope}" = new."${scope}" LIMIT 1)`
    const nextInScope = `SELECT MAX("number") + 1 FROM ${items} WHERE "number" < (${scopeNumber} + 1) << ${itemBits}`
    const firstInNewScope = `SELECT (COALESCE(MAX("number") >> ${itemBits}, 0) + 1) << ${itemBits} FROM ${items}`
    const insertRow =
      `INSERT INTO ${items} ("number", "${scope}", "${item}") ` +
      `SELECT COALESCE((${nextInScope}), (${firstInNewScope})), new."${scope}", new."${item}" ` +
      `WHERE NOT EXISTS (SELECT 1 FROM ${items} WHERE ${isItem("new")}); ` +
      `INSERT INTO ${text} (rowid, ${names}) VALUES (${rowNumber("new")}, ${values});`
    const deleteRow =
      `DELETE FROM ${text} WHERE rowid = ${rowNumber("old")}; ` +
      `DELETE FROM ${items} WHERE ${isItem("old")} AND NOT EXISTS (SELECT 1 FROM ${rows} WHERE ${isItem("old")});`
    const createTrigger = (event: string, body: string) =>
      `CREATE TRIGGER ${prefixed(`${table.name}_${event.toLowerCase()}`)} AFTER ${event} ON ${rows} BEGIN ${body} END`
    return [
      `CREATE VIRTUAL TABLE ${text} USING fts5 (${names}, tokenize = 'ascii', content = '', contentless_delete = 1)`,
      `CREATE TABLE ${items} ("number" INTEGER PRIMARY KEY, "${scope}", "${item}", UNIQUE ("${scope}", "${item}"))`,
      createTrigger("INSERT", insertRow),
      createTrigger("DELETE", deleteRow),
      createTrigger("UPDATE", `${deleteRow} ${insertRow}`)
    ]
  }

/** Returns the names of the index and of the table of items. */
export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}Text`, `${table}Items`]

const quote = (words: string): string => `"${words}"`

const anyOf = (all: ReadonlyArray<string>): string => (all.length === 1 ? all[0]! : `(${all.join(" OR ")})`)

/** Returns the FTS5 query of the terms of a search. Words contain no quotes, so that nothing is escaped. */
const termsQuery = (
  { title, headings, body, forms }: Table.FullText,
  { terms, match = "all", titlesOnly = false }: TextSearch
): string => {
  const inTitles = headings === undefined ? [title] : [title, headings]
  const inText = (titlesOnly ? inTitles : [...inTitles, body]).join(" ")
  const inForms = titlesOnly ? inText : `${inText} ${forms}`
  const conditions = terms.map(({ phrase, prefix, alternatives = [] }) => {
    const phrases = [phrase, ...alternatives].map((words) => quote(words.join(" ")))
    const phraseMatch = `{${inText}} : ${anyOf(phrases)}`
    if (prefix === undefined) return phraseMatch
    const prefixMatch = `{${inForms}} : ${quote(prefix)} *`
    // The prefix matches the word of the phrase, too.
    return phrases.length === 1 && phrase.length === 1 && phrase[0]!.startsWith(prefix)
      ? prefixMatch
      : `(${phraseMatch} OR ${prefixMatch})`
  })
  return conditions.join(match === "all" ? " AND " : " OR ")
}

/** Returns the FTS5 query of the rows that only other audiences find. */
const otherAudiencesQuery = (audience: string, audiences: ReadonlyArray<string>): string =>
  `${audience} : ${quote(anyAudience)}` +
  (audiences.length === 0 ? "" : ` NOT ${audience} : ${anyOf(audiences.map(quote))}`)

/** Returns the parts of the search statement. */
export const search =
  (prefixed: PrefixName): Dialect["search"] =>
  (table, names, request, parameter) => {
    const [text, items] = [prefixed(`${table}Text`), prefixed(`${table}Items`)]
    const scopeBits = itemBits + partBits
    const columnWeights = indexedColumns(names).map(({ role }) => weights[role])
    const hits =
      `SELECT rowid >> ${scopeBits} AS "scope", rowid >> ${partBits} AS "item", ` +
      `-bm25(${text}, ${columnWeights.join(", ")}) AS "score" FROM ${text} WHERE ${text} MATCH ${parameter(termsQuery(names, request))}`
    const scopeNumber = () =>
      `(SELECT "number" >> ${itemBits} FROM ${items} WHERE "${names.scope}" = ${parameter(request.scope)} LIMIT 1)`
    const inScope =
      request.scope === undefined
        ? ""
        : ` AND rowid >= ${scopeNumber()} << ${scopeBits} AND rowid < (${scopeNumber()} + 1) << ${scopeBits}`
    // A subquery takes less time than a condition of the query of the terms, which each score would include.
    const isForAudience =
      names.audience === undefined
        ? ""
        : ` AND rowid NOT IN (SELECT rowid FROM ${text} WHERE ${text} MATCH ` +
          `${parameter(otherAudiencesQuery(names.audience, request.audiences ?? []))})`
    return {
      hits: hits + inScope + isForAudience,
      scopeOf: (key) =>
        `(SELECT "${names.scope}" FROM ${items} WHERE "number" >= ${key} << ${itemBits} ORDER BY "number" LIMIT 1)`,
      itemOf: (key) => `(SELECT "${names.item}" FROM ${items} WHERE "number" = ${key})`
    }
  }
