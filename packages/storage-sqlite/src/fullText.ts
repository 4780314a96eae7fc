/**
 * Full-text search in SQLite: a contentless FTS5 index per table, which triggers maintain. It stores words only; the
 * rows are in the table.
 *
 * An FTS5 index identifies rows by integers, while the keys of tables are text. A table of items numbers the items, such
 * that the items of a scope have consecutive numbers. The number of a row consists of the number of its item and of its part,
 * so that hits are grouped by item and by scope without reading another table.
 *
 * Each word in the index starts with the number of its scope. So the words of a scope are words of their own: to look one up, to
 * complete a prefix and to count the rows with a word reads the rows of this scope only, and no search depends on others.
 */
import type { Table, TextSearch } from "@lectern/kernel"
import type { Dialect, SearchParameters, SearchSource } from "@lectern/storage-sql"

/** The number of bits of the number of an item within its scope, and of the number of a row within its item. */
const [itemBits, partBits] = [28, 12] as const

/** The bit of the number of a row that has an audience. The bits below it are the number of the part. */
const audienceBit = 1 << (partBits - 1)

/** The audience that every row with an audience has. */
const anyAudience = "any"

/** Separates the number of the scope from the word. No word contains it, and the tokenizer does not split at it. */
const separator = "\u00b7"

/** The weights of the columns in the score. */
const weights = { title: 10, headings: 4, body: 1, forms: 1, audience: 0 } as const

/** The columns of the index, in order. */
const indexedColumns = (names: Table.FullText) =>
  (["title", "headings", "body", "forms", "audience"] as const).flatMap((role) => {
    const name = names[role]
    return name === undefined ? [] : [{ role, name }]
  })

/** Returns the expression for words, each after the number of a scope. Further spaces would be words without characters. */
const withScope = (words: string, number: string): string => {
  const spaced = `replace(${words}, char(10), ' ')`
  // Replaces each run of spaces by one. Words contain neither `<` nor `>`.
  const single = `trim(replace(replace(replace(${spaced}, ' ', '<>'), '><', ''), '<>', ' '))`
  return `CASE ${single} WHEN '' THEN '' ELSE replace(' ' || ${single}, ' ', ' ' || ${number} || '${separator}') END`
}

/** Quotes the name of a table, a trigger or an index, with the prefix of the store. */
type PrefixName = (name: string) => string

/**
 * Creates the index. Core has split and normalized the words, so the `ascii` tokenizer, which splits at spaces, suits
 * every script. The last column of the table's key numbers the parts of an item, from 0 to 2047.
 */
export const createFullText =
  (prefixed: PrefixName): Dialect["createFullText"] =>
  (table, fullText) => {
    const { scope, item, tenant } = fullText
    const [rows, text, items] = ["", "Text", "Items"].map((suffix) => prefixed(`${table.name}${suffix}`))
    const part = table.key.find((column) => ![scope, item, tenant].includes(column))!
    const itemColumns = tenant === undefined ? [scope, item] : [scope, tenant, item]
    const itemNames = itemColumns.map((name) => `"${name}"`).join(", ")
    const newItem = itemColumns.map((name) => `new."${name}"`).join(", ")
    const columns = indexedColumns(fullText)
    const names = columns.map(({ name }) => `"${name}"`).join(", ")
    const values = columns
      .map(({ role, name }) =>
        role === "audience"
          ? `CASE new."${name}" WHEN '' THEN '' ELSE '${anyAudience} ' || new."${name}" END`
          : `new."${name}"`
      )
      .map((words) => withScope(words, `("items"."number" >> ${itemBits})`))
      .join(", ")
    const isItem = (row: "old" | "new") =>
      itemColumns.map((name) => `"${name}" = ${row}."${name}"`).join(" AND ")
    const audienceOf = (row: "old" | "new") =>
      fullText.audience === undefined
        ? ""
        : ` + CASE ${row}."${fullText.audience}" WHEN '' THEN 0 ELSE ${audienceBit} END`
    const rowNumber = (item: string, row: "old" | "new") =>
      `(${item} << ${partBits}) + ${row}."${part}"${audienceOf(row)}`
    const scopeNumber = `(SELECT "number" >> ${itemBits} FROM ${items} WHERE "${scope}" = new."${scope}" LIMIT 1)`
    const nextInScope = `SELECT MAX("number") + 1 FROM ${items} WHERE "number" < (${scopeNumber} + 1) << ${itemBits}`
    const firstInNewScope = `SELECT (COALESCE(MAX("number") >> ${itemBits}, 0) + 1) << ${itemBits} FROM ${items}`
    const insertRow =
      `INSERT INTO ${items} ("number", ${itemNames}) ` +
      `SELECT COALESCE((${nextInScope}), (${firstInNewScope})), ${newItem} ` +
      `WHERE NOT EXISTS (SELECT 1 FROM ${items} WHERE ${isItem("new")}); ` +
      `INSERT INTO ${text} (rowid, ${names}) SELECT ${rowNumber('"number"', "new")}, ${values} ` +
      `FROM ${items} AS "items" WHERE ${isItem("new")};`
    const deleteRow =
      `DELETE FROM ${text} WHERE rowid = ` +
      `${rowNumber(`(SELECT "number" FROM ${items} WHERE ${isItem("old")})`, "old")}; ` +
      `DELETE FROM ${items} WHERE ${isItem("old")} AND NOT EXISTS (SELECT 1 FROM ${rows} WHERE ${isItem("old")});`
    const createTrigger = (event: string, body: string) =>
      `CREATE TRIGGER ${prefixed(`${table.name}_${event.toLowerCase()}`)} AFTER ${event} ON ${rows} BEGIN ${body} END`
    return [
      `CREATE VIRTUAL TABLE ${text} USING fts5 (${names}, tokenize = 'ascii', content = '', contentless_delete = 1)`,
      `CREATE TABLE ${items} ("number" INTEGER PRIMARY KEY, ${itemNames}, UNIQUE (${itemNames}))`,
      createTrigger("INSERT", insertRow),
      createTrigger("DELETE", deleteRow),
      createTrigger("UPDATE", `${deleteRow} ${insertRow}`)
    ]
  }

/** Returns the names of the index and of the table of items. */
export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}Text`, `${table}Items`]

/** Quotes words for a query. {@link scopedQuery} inserts the number of a scope before each. */
const quote = (words: ReadonlyArray<string>): string => `"${words.map((word) => separator + word).join(" ")}"`

/** Returns the expression for a query with the number of the scope of a row of the table `scopes`. */
const scopedQuery = (query: string): string =>
  `replace(${query}, '${separator}', "scopes"."number" || '${separator}')`

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
    const phrases = [phrase, ...alternatives].map(quote)
    const phraseMatch = `{${inText}} : ${anyOf(phrases)}`
    if (prefix === undefined) return phraseMatch
    const prefixMatch = `{${inForms}} : ${quote([prefix])} *`
    // The prefix matches the word of the phrase, too.
    return phrases.length === 1 && phrase.length === 1 && phrase[0]!.startsWith(prefix)
      ? prefixMatch
      : `(${phraseMatch} OR ${prefixMatch})`
  })
  return conditions.join(match === "all" ? " AND " : " OR ")
}

/** Returns the FTS5 query of the rows that only other audiences find. */
const otherAudiencesQuery = (audience: string, audiences: ReadonlyArray<string>): string =>
  `${audience} : ${quote([anyAudience])}` +
  (audiences.length === 0 ? "" : ` NOT ${audience} : ${anyOf(audiences.map((name) => quote([name])))}`)

/** Exceeds every score of BM25. */
const titledScore = 1_000_000

/** The score of items that need not be ranked, below every score of BM25. */
const lowestScore = -1

/** The parts from which the statement of a search is composed. */
interface SearchParts {
  /** The tables of hits: the scopes, and for each its rows in the index. */
  readonly source: string
  /** The common table expression `scopes`, with the numbers of the scopes. */
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
  { source, tables, item, score, select, matches }: SearchParts,
  names: Table.FullText,
  { titlesOnly = false, titlesFirst, unranked = 0, after, limit }: TextSearch,
  all: MatchedColumns
): Pick<SearchSource, "tables" | "hits" | "countOf"> => {
  const selectIf = (condition: string, value: string, columns: MatchedColumns) =>
    `${select(value)} FROM "${condition}" CROSS JOIN ${source} WHERE ${matches(columns)}`
  const decided = [
    ...tables,
    `"few" AS MATERIALIZED (${select(String(lowestScore))} FROM ${source} WHERE ${matches(all)} LIMIT ${unranked + 1})`,
    `"many" AS MATERIALIZED (SELECT 1 FROM "few" LIMIT 1 OFFSET ${unranked})`
  ]
  const few = `SELECT * FROM "few" WHERE NOT EXISTS (SELECT 1 FROM "many")`
  if (titlesFirst === undefined || titlesOnly) {
    return { tables: decided, hits: `${few} UNION ALL ${selectIf("many", score, all)}` }
  }
  const inTitle = { text: [names.title], forms: [names.title] }
  decided.push(
    `"titles" AS MATERIALIZED (SELECT DISTINCT ${item} FROM "many" CROSS JOIN ${source} ` +
      `WHERE ${matches(inTitle)} LIMIT ${titlesFirst})`,
    `"titled" AS MATERIALIZED (SELECT 1 FROM "titles" LIMIT 1 OFFSET ${titlesFirst - 1})`
  )
  const countsOthers = after === undefined && limit <= titlesFirst
  if (countsOthers) {
    decided.push(
      `"untitled" AS MATERIALIZED (SELECT 1 FROM "many" WHERE NOT EXISTS (SELECT 1 FROM "titled"))`,
      `"total" AS MATERIALIZED (SELECT COUNT(DISTINCT ${item}) AS "count" FROM "titled" CROSS JOIN ${source} ` +
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
  (table, names, request, { value, list, isSearched }: SearchParameters) => {
    const [index, items] = [prefixed(`${table}Text`), prefixed(`${table}Items`)]
    const { by, audiences = [] } = request
    const { audience } = names
    const scopeBits = itemBits + partBits
    const columnWeights = indexedColumns(names).map(({ role }) => weights[role])
    const score = `-bm25(${index}, ${columnWeights.join(", ")})`
    const item = `rowid >> ${partBits}`
    const source = `"scopes" CROSS JOIN ${index}`
    // All rows of a scope have the same number of it, and satisfy the condition of the search or not.
    const numberOf =
      `SELECT "number" >> ${itemBits} FROM ${items} WHERE "${names.scope}" = "list"."value" ` +
      `AND ${isSearched()} LIMIT 1`
    const tables = [
      `"scopes" AS MATERIALIZED (SELECT * FROM (SELECT (${numberOf}) AS "number" ` +
        `FROM json_each(${list([...new Set(request.scopes)])}) AS "list") WHERE "number" IS NOT NULL)`
    ]
    // A table takes less time than a condition of the query of the terms, which each score would include. Most rows have no
    // audience, and do not need it.
    if (audience !== undefined) {
      const others = scopedQuery(value(otherAudiencesQuery(audience, audiences)))
      tables.push(
        `"others" AS MATERIALIZED (SELECT rowid AS "row" FROM ${source} WHERE ${index} MATCH ${others})`
      )
    }
    const isForAudience =
      audience === undefined
        ? ""
        : ` AND (rowid & ${audienceBit} = 0 OR rowid NOT IN (SELECT "row" FROM "others"))`
    const parts: SearchParts = {
      source,
      tables,
      item,
      score,
      select: (value) => `SELECT rowid >> ${scopeBits} AS "scope", ${item} AS "item", ${value} AS "score"`,
      matches: (columns) =>
        `${index} MATCH ${scopedQuery(value(termsQuery(columns, request)))}${isForAudience}`
    }
    const all = matchedColumns(names, request)
    const hits =
      by === "scopes" || (request.unranked === undefined && request.titlesFirst === undefined)
        ? { tables, hits: `${parts.select(score)} FROM ${source} WHERE ${parts.matches(all)}` }
        : selectHits(parts, names, request, all)
    return {
      ...hits,
      scopeOf: (key) =>
        `(SELECT "${names.scope}" FROM ${items} WHERE "number" >= ${key} << ${itemBits} ORDER BY "number" LIMIT 1)`,
      itemOf: (key) => `(SELECT "${names.item}" FROM ${items} WHERE "number" = ${key})`
    }
  }
