/** Full-text search in PostgreSQL: a generated `tsvector` column with a GIN index, and a search function per table. */
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

/** Returns the statements that create the column, its index and the search function of a table. */
export const createFullText =
  (qualify: Qualify): Dialect["createFullText"] =>
  (table, { scope, item, title, headings, body, forms, audience }) => [
    createWordsFunction(qualify("lecternSearchWords")),
    `ALTER TABLE ${qualify(table.name)} ADD COLUMN "words" tsvector GENERATED ALWAYS AS (` +
      `${qualify("lecternSearchWords")}(${[scope, title, headings, body, forms, audience]
        .map((column) => (column === undefined ? "''" : `"${column}"`))
        .join(", ")})) STORED`,
    `CREATE INDEX "${table.name}_words" ON ${qualify(table.name)} USING gin ("words") WITH (fastupdate = off)`,
    // Large `tsvector` values are stored out of line (TOAST), which the planner does not include in the cost of a
    // sequential scan, so sequential scans are disabled. The weights rank D, C, B and A: the title counts ten
    // times as much as the body and the forms, and the headings four times as much.
    `CREATE FUNCTION ${qualify(`${table.name}_search`)} ("asked" tsquery, "ranked" tsquery)
  RETURNS TABLE ("${scope}" TEXT, "${item}" TEXT, "score" DOUBLE PRECISION)
  LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT "${scope}", "${item}", ts_rank('{0.1, 0.1, 0.4, 1}', "words", "ranked", 1)
    FROM ${qualify(table.name)} WHERE "words" @@ "asked"
  $$`
  ]

/** Returns the name of the index. */
export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}_words`]

/** Returns the conditions of the terms of a search. Words contain no quotes, so that nothing is escaped. */
const termsQuery = ({ terms, match = "all", titlesOnly = false }: TextSearch): string => {
  const [inText, inForms] = titlesOnly ? ["AB", "AB"] : ["ABD", "ABCD"]
  const quotePhrase = (words: ReadonlyArray<string>) =>
    `(${words.map((word) => `'${word}':${inText}`).join(" <-> ")})`
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

/** Returns the parts of the search statement. */
export const search =
  (qualify: Qualify): Dialect["search"] =>
  (table, { scope, item, audience }, request, parameter) => {
    const ranked = termsQuery(request)
    const { audiences = [] } = request
    const own = audiences.length === 0 ? "" : ` & !(${audiences.map((name) => `'=${name}'`).join(" | ")})`
    const matched = [
      `(${ranked})`,
      ...(request.scope === undefined ? [] : [`'@${request.scope}'`]),
      ...(audience === undefined ? [] : [`!('='${own})`])
    ].join(" & ")
    const hits =
      `SELECT "${scope}" AS "scope", "${item}" AS "item", "score" FROM ` +
      `${qualify(`${table}_search`)}(${parameter(matched)}::tsquery, ${parameter(ranked)}::tsquery)`
    return {
      hits: request.scope === undefined ? hits : `${hits} WHERE "${scope}" = ${parameter(request.scope)}`,
      scopeOf: (key) => key,
      itemOf: (key) => key
    }
  }
