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

/** The columns in which words match. */
interface MatchedColumns {
  readonly text: ReadonlyArray<string>
  /** The columns in which prefixes match. */
  readonly forms: ReadonlyArray<string>
}

/** Returns the columns in which the words of a search match. */
const matchedColumns = (
  { title, headings, body, forms }: Table.FullText,
  { titlesOnly = false }: TextSearch
): MatchedColumns => {
  const titles = headings === undefined ? [title] : [title, headings]
  return titlesOnly
    ? { text: titles, forms: titles }
    : { text: [...titles, body], forms: [...titles, body, forms] }
}

/** Returns the FTS5 query of the terms of a search. Words contain no quotes, so that nothing is escaped. */
const termsQuery = ({ text, forms }: MatchedColumns, { terms, match = "all" }: TextSearch): string => {
  const [inText, inForms] = [text.join(" "), forms.join(" ")]
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

/** The parts from which the statement of a search is composed. */
interface SearchParts {
  readonly index: string
  /** The common table expression for the range of rows of the scope, if there is one. */
  readonly tables: ReadonlyArray<string>
  /** The expressions for the number of the item and the score of a row of the index. */
  readonly item: string
  readonly score: string
  /** Returns a selection of hits with a score. */
  readonly select: (score: string) => string
  /** Returns the condition on rows that match in some columns. */
  readonly matches: (columns: MatchedColumns) => string
}

/**
 * Returns the common table expressions and the hits of a search that need not score all rows. Most of its time is spent on
 * scores, which count the rows with each word and read the length of each row. So they are not computed when few rows match,
 * and they are only computed for titles when enough of these match. The first rows decide both. A table without rows
 * as the outer one of a join prevents the evaluation of the inner one.
 */
const selectHits = (
  { index, tables, item, score, select, matches }: SearchParts,
  names: Table.FullText,
  { titlesOnly = false, titlesFirst, unranked = 0, where, after, limit }: TextSearch,
  all: MatchedColumns
): Pick<SearchSource, "tables" | "hits" | "countOf"> => {
  const selectIf = (condition: string, value: string, columns: MatchedColumns) =>
    `${select(value)} FROM "${condition}" CROSS JOIN ${index} WHERE ${matches(columns)}`
  const decided = [
    ...tables,
    `"few" AS MATERIALIZED (${select(String(lowestScore))} FROM ${index} WHERE ${matches(all)} LIMIT ${unranked + 1})`,
    `"many" AS MATERIALIZED (SELECT 1 FROM "few" LIMIT 1 OFFSET ${unranked})`
  ]
  const few = `SELECT * FROM "few" WHERE NOT EXISTS (SELECT 1 FROM "many")`
  if (titlesFirst === undefined || titlesOnly) {
    return { tables: decided, hits: `${few} UNION ALL ${selectIf("many", score, all)}` }
  }
  const inTitle = { text: [names.title], forms: [names.title] }
  decided.push(
    `"titles" AS MATERIALIZED (SELECT DISTINCT ${item} FROM "many" CROSS JOIN ${index} ` +
      `WHERE ${matches(inTitle)} LIMIT ${titlesFirst})`,
    `"titled" AS MATERIALIZED (SELECT 1 FROM "titles" LIMIT 1 OFFSET ${titlesFirst - 1})`
  )
  // A condition on scopes could exclude the hits, and would not exclude the other items that are only counted.
  const countsOthers = after === undefined && limit <= titlesFirst && where.op === "all"
  if (countsOthers) {
    decided.push(
      `"untitled" AS MATERIALIZED (SELECT 1 FROM "many" WHERE NOT EXISTS (SELECT 1 FROM "titled"))`,
      `"total" AS MATERIALIZED (SELECT COUNT(DISTINCT ${item}) AS "count" FROM "titled" CROSS JOIN ${index} ` +
        `WHERE ${matches(all)})`
    )
  }
  const hits = [
    few,
    selectIf("titled", `${titledScore} ${score}`, inTitle),
    selectIf(countsOthers ? "untitled" : "many", score, all)
  ].join(" UNION ALL ")
  return countsOthers
    ? { tables: decided, hits, countOf: (count) => `MAX(${count}, (SELECT "count" FROM "total"))` }
    : { tables: decided, hits }
}

/** Returns the parts of the search statement. */
export const search =
  (prefixed: PrefixName): Dialect["search"] =>
  (table, names, request, parameter) => {
    const [index, items] = [prefixed(`${table}Text`), prefixed(`${table}Items`)]
    const { scope, by, audiences = [] } = request
    const scopeBits = itemBits + partBits
    const columnWeights = indexedColumns(names).map(({ role }) => weights[role])
    const score = `-bm25(${index}, ${columnWeights.join(", ")})`
    const item = `rowid >> ${partBits}`
    // A subquery takes less time than a condition of the query of the terms, which each score would include. Most rows
    // have no audience, and do not need it.
    const isForAudience = () =>
      names.audience === undefined
        ? ""
        : ` AND (rowid & ${audienceBit} = 0 OR rowid NOT IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ` +
          `${parameter(otherAudiencesQuery(names.audience, audiences))}))`
    const inScope =
      scope === undefined
        ? ""
        : ' AND rowid >= (SELECT "low" FROM "bounds") AND rowid < (SELECT "high" FROM "bounds")'
    const tables =
      scope === undefined
        ? []
        : [
            `"bounds" AS MATERIALIZED (SELECT "number" >> ${itemBits} << ${scopeBits} AS "low", ` +
              `(("number" >> ${itemBits}) + 1) << ${scopeBits} AS "high" FROM ${items} ` +
              `WHERE "${names.scope}" = ${parameter(scope)} LIMIT 1)`
          ]
    const parts: SearchParts = {
      index,
      tables,
      item,
      score,
      select: (value) => `SELECT rowid >> ${scopeBits} AS "scope", ${item} AS "item", ${value} AS "score"`,
      matches: (columns) =>
        `${index} MATCH ${parameter(termsQuery(columns, request))}${inScope}${isForAudience()}`
    }
    const all = matchedColumns(names, request)
    const hits =
      by === "scopes" || (request.unranked === undefined && request.titlesFirst === undefined)
        ? { tables, hits: `${parts.select(score)} FROM ${index} WHERE ${parts.matches(all)}` }
        : selectHits(parts, names, request, all)
    return {
      ...hits,
      scopeOf: (key) =>
        `(SELECT "${names.scope}" FROM ${items} WHERE "number" >= ${key} << ${itemBits} ORDER BY "number" LIMIT 1)`,
      itemOf: (key) => `(SELECT "${names.item}" FROM ${items} WHERE "number" = ${key})`
    }
  }
