/**
 * Full-text search in SQLite: a contentless FTS5 index per table, which triggers maintain. It stores words only; the
 * rows are in the table.
 *
 * An FTS5 index identifies rows by integers, while the keys of tables are text. A table of items numbers the items, such
 * that the items of a scope have consecutive numbers. The number of a row consists of the number of its item and of its part,
 * so that a range of rows selects a scope, and hits are grouped by item without reading another table.
 */
import type { Table, TextSearch } from "@lectern/core"
import type { Dialect, SearchSource } from "@lectern/storage-sql"

/** The number of bits of the number of an item within its scope, and of the number of a row within its item. */
const [itemBits, partBits] = [28, 12] as const

/** The bit of the number of a row that has an audience. The bits below it are the number of the part. */
const audienceBit = 1 << (partBits - 1)

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
 * every script. The last column of the table's key numbers the parts of an item, from 0 to 2047.
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
    const audienceOf = (row: "old" | "new") =>
      fullText.audience === undefined
        ? ""
        : ` + CASE ${row}."${fullText.audience}" WHEN '' THEN 0 ELSE ${audienceBit} END`
    const rowNumber = (row: "old" | "new") =>
      `((SELECT "number" FROM ${items} WHERE ${isItem(row)}) << ${partBits}) + ${row}."${part}"${audienceOf(row)}`
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

/** Exceeds every score of BM25. */
const titledScore = 1_000_000

/** The score of items that need not be ranked, below every score of BM25. */
const lowestScore = -1

/**
 * Returns the parts of the search statement. Most of its time is spent on the scores, which count the rows with each word
 * and read the length of each row. So they are not computed when few rows match, and they are only computed for titles and
 * headings when enough of these match. The first rows decide both, so that a search that computes all scores takes little
 * more time.
 */
export const search =
  (prefixed: PrefixName): Dialect["search"] =>
  (table, names, request, parameter) => {
    const [text, items] = [prefixed(`${table}Text`), prefixed(`${table}Items`)]
    const scopeBits = itemBits + partBits
    const { scope, by, titlesOnly = false, where, after, limit, audiences = [] } = request
    const columnWeights = indexedColumns(names).map(({ role }) => weights[role])
    const score = `-bm25(${text}, ${columnWeights.join(", ")})`
    const item = `rowid >> ${partBits}`
    const select = (value: string) =>
      `SELECT rowid >> ${scopeBits} AS "scope", ${item} AS "item", ${value} AS "score"`
    // A subquery takes less time than a condition of the query of the terms, which each score would include. Most rows
    // have no audience, and do not need it.
    const isForAudience = () =>
      names.audience === undefined
        ? ""
        : ` AND (rowid & ${audienceBit} = 0 OR rowid NOT IN (SELECT rowid FROM ${text} WHERE ${text} MATCH ` +
          `${parameter(otherAudiencesQuery(names.audience, audiences))}))`
    const inScope =
      scope === undefined
        ? ""
        : ' AND rowid >= (SELECT "low" FROM "bounds") AND rowid < (SELECT "high" FROM "bounds")'
    const matches = (some: TextSearch) =>
      `${text} MATCH ${parameter(termsQuery(names, some))}${inScope}${isForAudience()}`
    const bounds =
      scope === undefined
        ? []
        : [
            `"bounds" AS MATERIALIZED (SELECT "number" >> ${itemBits} << ${scopeBits} AS "low", ` +
              `(("number" >> ${itemBits}) + 1) << ${scopeBits} AS "high" FROM ${items} ` +
              `WHERE "${names.scope}" = ${parameter(scope)} LIMIT 1)`
          ]
    const keys: Pick<SearchSource, "scopeOf" | "itemOf"> = {
      scopeOf: (key) =>
        `(SELECT "${names.scope}" FROM ${items} WHERE "number" >= ${key} << ${itemBits} ORDER BY "number" LIMIT 1)`,
      itemOf: (key) => `(SELECT "${names.item}" FROM ${items} WHERE "number" = ${key})`
    }
    const unranked = by === "items" ? (request.unranked ?? 0) : 0
    const titlesFirst = by === "items" && !titlesOnly ? request.titlesFirst : undefined
    if (unranked === 0 && titlesFirst === undefined) {
      return { ...keys, tables: bounds, hits: `${select(score)} FROM ${text} WHERE ${matches(request)}` }
    }
    // A table without rows as the outer one of a join prevents the evaluation of the inner one.
    const tables = [
      ...bounds,
      `"few" AS MATERIALIZED (${select(String(lowestScore))} FROM ${text} WHERE ${matches(request)} LIMIT ${unranked + 1})`,
      `"many" AS MATERIALIZED (SELECT 1 FROM "few" LIMIT 1 OFFSET ${unranked})`
    ]
    const few = `SELECT * FROM "few" WHERE NOT EXISTS (SELECT 1 FROM "many")`
    const selectIf = (condition: string, value: string, some: TextSearch) =>
      `${select(value)} FROM "${condition}" CROSS JOIN ${text} WHERE ${matches(some)}`
    if (titlesFirst === undefined) {
      return { ...keys, tables, hits: `${few} UNION ALL ${selectIf("many", score, request)}` }
    }
    const inTitles = { ...request, titlesOnly: true }
    // A condition on scopes could exclude the hits, and would not exclude those that are only counted.
    const isFirst = after === undefined && limit <= titlesFirst && where.op === "all"
    tables.push(
      `"titles" AS MATERIALIZED (SELECT DISTINCT ${item} FROM "many" CROSS JOIN ${text} WHERE ${matches(inTitles)} LIMIT ${titlesFirst})`,
      `"titled" AS MATERIALIZED (SELECT 1 FROM "titles" LIMIT 1 OFFSET ${titlesFirst - 1})`
    )
    if (!isFirst) {
      const all = [
        few,
        selectIf("titled", `${titledScore} ${score}`, inTitles),
        selectIf("many", score, request)
      ]
      return { ...keys, tables, hits: all.join(" UNION ALL ") }
    }
    tables.push(
      `"untitled" AS MATERIALIZED (SELECT 1 FROM "many" WHERE NOT EXISTS (SELECT 1 FROM "titled"))`,
      `"total" AS MATERIALIZED (SELECT COUNT(DISTINCT ${item}) AS "count" FROM "titled" CROSS JOIN ${text} ` +
        `WHERE ${matches(request)})`
    )
    const all = [
      few,
      selectIf("titled", `${titledScore} ${score}`, inTitles),
      selectIf("untitled", score, request)
    ]
    return {
      ...keys,
      tables,
      hits: all.join(" UNION ALL "),
      countOf: (count) => `MAX(${count}, (SELECT "count" FROM "total"))`
    }
  }
