/**
 * Full-text search in PostgreSQL: two generated `tsvector` columns, each with a GIN index and a search function. The column
 * `titleWords` has the words of titles and headings only. GIN indexes contain no weights, so that a condition on the weights
 * of the words of all text would decompress the rows of every page that contains a word.
 */
import type { TextSearch } from "@lectern/core"
import type { Dialect } from "@lectern/storage-sql"

/**
 * Returns the statement that creates the function `lecternSearchWords`, which builds the `tsvector` of a row. Core has
 * split and normalized the words, so the default text search configuration is not used. The parts have these weights and
 * positions:
 *
 * - title: weight A, from position 1;
 * - headings: weight B, after the title with a gap of one, so that no phrase spans both;
 * - body: weight D, after the headings with a gap of one;
 * - forms: weight C, at position 16381;
 * - scope, after an `@`, and audiences, after a `=`: weight C, at position 16382. `=` without a name represents any
 *   audience. Words do not contain these characters.
 *
 * Positions stop at 16380 for the other parts. 16383, the maximum, is not used: PostgreSQL stores only the first
 * occurrence of a word there.
 */
const createWordsFunction = (
  name: string
) => `CREATE OR REPLACE FUNCTION ${name} ("scope" TEXT, "title" TEXT, "headings" TEXT, "body" TEXT, "forms" TEXT, "audience" TEXT)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg('''' || "word" || ''':' || least("place", 16380) || "weight", ' '), '')::tsvector FROM (
    SELECT "word", "place", 'A' AS "weight"
      FROM unnest(string_to_array("title", ' ')) WITH ORDINALITY AS t ("word", "place")
    UNION ALL
    SELECT "word", "place" + 1 + coalesce(array_length(string_to_array("title", ' '), 1), 0), 'B'
      FROM unnest(string_to_array(translate("headings", E'\\n', ' '), ' ')) WITH ORDINALITY AS h ("word", "place")
    UNION ALL
    SELECT "word", "place" + 2 + coalesce(array_length(string_to_array("title", ' '), 1), 0) +
      coalesce(array_length(string_to_array(translate("headings", E'\\n', ' '), ' '), 1), 0), 'D'
      FROM unnest(string_to_array(translate("body", E'\\n', ' '), ' ')) WITH ORDINALITY AS b ("word", "place")
    UNION ALL
    SELECT "word", 16381, 'C' FROM unnest(string_to_array("forms", ' ')) AS f ("word")
    UNION ALL
    SELECT '=' || "word", 16382, 'C' FROM unnest(string_to_array("audience", ' ')) AS a ("word") WHERE "word" <> ''
    UNION ALL
    SELECT '=', 16382, 'C' WHERE "audience" <> ''
    UNION ALL
    SELECT '@' || "scope", 16382, 'C'
  ) AS "all" WHERE "word" <> ''
$$`

/** Quotes the name of a table or a function, and qualifies it with the schema of the store. */
type Qualify = (name: string) => string

/** A column with words, and the names of its index and its search function, without the name of the table. */
const indexedColumns = [
  { column: "words", index: "words", search: "search" },
  { column: "titleWords", index: "titles", search: "searchTitles" }
] as const

/** Returns the statements that create the columns, their indexes and the search functions of a table. */
export const createFullText =
  (qualify: Qualify): Dialect["createFullText"] =>
  (table, { scope, item, title, headings, body, forms, audience }) => [
    createWordsFunction(qualify("lecternSearchWords")),
    ...indexedColumns.flatMap(({ column, index, search }) => {
      const sources = column === "words" ? [body, forms] : [undefined, undefined]
      const words = [scope, title, headings, ...sources, audience].map((name) =>
        name === undefined ? "''" : `"${name}"`
      )
      return [
        `ALTER TABLE ${qualify(table.name)} ADD COLUMN "${column}" tsvector GENERATED ALWAYS AS (` +
          `${qualify("lecternSearchWords")}(${words.join(", ")})) STORED`,
        `CREATE INDEX "${table.name}_${index}" ON ${qualify(table.name)} USING gin ("${column}") WITH (fastupdate = off)`,
        // Large `tsvector` values are stored out of line (TOAST), which the planner does not include in the cost of a
        // sequential scan, so sequential scans are disabled. The weights rank D, C, B and A: the title counts ten
        // times as much as the body and the forms, and the headings four times as much.
        `CREATE OR REPLACE FUNCTION ${qualify(`${table.name}_${search}`)} ("condition" tsquery, "ranked" tsquery)
  RETURNS TABLE ("${scope}" TEXT, "${item}" TEXT, "score" DOUBLE PRECISION)
  LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT "${scope}", "${item}", ts_rank('{0.1, 0.1, 0.4, 1}', "${column}", "ranked", 1)
    FROM ${qualify(table.name)} WHERE "${column}" @@ "condition"
  $$`
      ]
    })
  ]

/** Returns the names of the indexes. */
export const fullTextNames: Dialect["fullTextNames"] = (table) =>
  indexedColumns.map(({ index }) => `${table}_${index}`)

/** Returns the conditions of the terms of a search. Words contain no quotes, so that nothing is escaped. */
const termsQuery = (
  { terms, match = "all" }: TextSearch,
  [inText, inForms]: readonly [text: string, forms: string]
): string => {
  const quotePhrase = (words: ReadonlyArray<string>) =>
    `(${words.map((word) => `'${word}'${inText}`).join(" <-> ")})`
  return terms
    .map(({ phrase, prefix, alternatives = [] }) =>
      [
        ...[phrase, ...alternatives].map(quotePhrase),
        ...(prefix === undefined ? [] : [`'${prefix}':*${inForms}`])
      ].join(" | ")
    )
    .map((condition) => `(${condition})`)
    .join(match === "all" ? " & " : " | ")
}

/** The weights of the words that match, in all text, in titles and headings, and in titles. */
const weights = { text: [":ABD", "ABCD"], titlesAndHeadings: ["", ""], titles: [":A", "A"] } as const

/** Exceeds every score of text. */
const titledScore = 1_000_000

/** Returns the parts of the search statement. */
export const search =
  (qualify: Qualify): Dialect["search"] =>
  (table, { scope, item, audience }, request, parameter) => {
    const { audiences = [], titlesOnly = false, titlesFirst, after, limit } = request
    const own = audiences.length === 0 ? "" : ` & !(${audiences.map((name) => `'=${name}'`).join(" | ")})`
    const select = (place: keyof typeof weights, score: string, ranked?: (query: string) => string) => {
      const terms = termsQuery(request, weights[place])
      const matched = [
        `(${terms})`,
        ...(request.scope === undefined ? [] : [`'@${request.scope}'`]),
        ...(audience === undefined ? [] : [`!('='${own})`])
      ].join(" & ")
      const name = qualify(`${table}_${indexedColumns[place === "text" ? 0 : 1].search}`)
      const asked = `${parameter(matched)}::tsquery`
      const rankedQuery = `${parameter(terms)}::tsquery`
      return (
        `SELECT "${scope}" AS "scope", "${item}" AS "item", ${score} AS "score" FROM ` +
        `${name}(${asked}, ${ranked?.(rankedQuery) ?? rankedQuery})` +
        (request.scope === undefined ? "" : ` WHERE "${scope}" = ${parameter(request.scope)}`)
      )
    }
    const keys = { scopeOf: (key: string) => key, itemOf: (key: string) => key }
    if (request.by !== "items" || titlesOnly || titlesFirst === undefined) {
      return { ...keys, hits: select(titlesOnly ? "titlesAndHeadings" : "text", '"score"') }
    }
    const tables = [
      `"titles" AS MATERIALIZED (${select("titles", `${titledScore} + "score"`)})`,
      `"titled" AS MATERIALIZED (SELECT 1 FROM (SELECT DISTINCT "item" FROM "titles") AS "all" LIMIT 1 OFFSET ${titlesFirst - 1})`
    ]
    // Without a query, the score is null: the first items are among the titles.
    const isFirst = after === undefined && limit <= titlesFirst
    const ranked = (query: string) =>
      isFirst ? `CASE WHEN EXISTS (SELECT 1 FROM "titled") THEN NULL ELSE ${query} END` : query
    return {
      ...keys,
      tables,
      hits:
        `SELECT * FROM "titles" WHERE EXISTS (SELECT 1 FROM "titled") UNION ALL ` +
        select("text", 'COALESCE("score", -1)', ranked)
    }
  }
