/** Full-text search in PostgreSQL: a generated `tsvector` column with a GIN index, and a search function per table. */
import type { Dialect } from "@lectern/storage-sql"

/**
 * Returns the statement that creates the function `lecternWords`, which builds the `tsvector` of a row. Core has split
 * and normalized the words, so the default text search configuration is not used. The parts have these weights and
 * positions:
 *
 * - title: weight A, from position 1;
 * - body: weight D, after the title with a gap of one, so that no phrase spans both;
 * - forms: weight C, at position 16381;
 * - scope: weight B, at position 16382.
 *
 * Positions stop at 16380 for the title and the body. 16383, the maximum, is not used: PostgreSQL stores only the first
 * occurrence of a word there.
 */
const createWordsFunction = (
  name: string
) => `CREATE OR REPLACE FUNCTION ${name} ("scope" TEXT, "title" TEXT, "body" TEXT, "forms" TEXT)
RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg('''' || "word" || ''':' || least("place", 16380) || "weight", ' '), '')::tsvector FROM (
    SELECT "word", "place", 'A' AS "weight"
      FROM unnest(string_to_array("title", ' ')) WITH ORDINALITY AS t ("word", "place")
    UNION ALL
    SELECT "word", "place" + 1 + coalesce(array_length(string_to_array("title", ' '), 1), 0), 'D'
      FROM unnest(string_to_array(translate("body", E'\\n', ' '), ' ')) WITH ORDINALITY AS b ("word", "place")
    UNION ALL
    SELECT "word", 16381, 'C' FROM unnest(string_to_array("forms", ' ')) AS f ("word")
    UNION ALL
    SELECT "scope", 16382, 'B'
  ) AS "all" WHERE "word" <> ''
$$`

/** Quotes the name of a table or a function, and qualifies it with the schema of the store. */
type Qualify = (name: string) => string

/** Returns the statements that create the column, its index and the search function of a table. */
export const createFullText =
  (qualify: Qualify): Dialect["createFullText"] =>
  (table, { scope, item, title, body, forms }) => [
    createWordsFunction(qualify("lecternWords")),
    `ALTER TABLE ${qualify(table.name)} ADD COLUMN "words" tsvector ` +
      `GENERATED ALWAYS AS (${qualify("lecternWords")}("${scope}", "${title}", "${body}", "${forms}")) STORED`,
    `CREATE INDEX "${table.name}_words" ON ${qualify(table.name)} USING gin ("words") WITH (fastupdate = off)`,
    // Large `tsvector` values are stored out of line (TOAST), which the planner does not include in the cost of a
    // sequential scan, so sequential scans are disabled. The weights rank D, C, B and A: the title counts ten
    // times as much as the body and the forms, the scope does not count.
    `CREATE FUNCTION ${qualify(`${table.name}_search`)} ("asked" tsquery, "ranked" tsquery)
  RETURNS TABLE ("${scope}" TEXT, "${item}" TEXT, "score" DOUBLE PRECISION)
  LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT "${scope}", "${item}", ts_rank('{0.1, 0.1, 0, 1}', "words", "ranked", 1)
    FROM ${qualify(table.name)} WHERE "words" @@ "asked"
  $$`
  ]

/** Returns the name of the index. */
export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}_words`]

/** Returns the search statement. Words contain no quotes, so they are quoted without escaping. */
export const search =
  (qualify: Qualify): Dialect["search"] =>
  (table, _, terms, match, scope, parameter) => {
    const ranked = terms
      .map(({ phrase, prefix, alternatives = [] }) =>
        [
          `(${phrase.map((word) => `'${word}':AD`).join(" <-> ")})`,
          ...alternatives.map((word) => `'${word}':AD`),
          ...(prefix === undefined ? [] : [`'${prefix}':*ACD`])
        ].join(" | ")
      )
      .map((condition) => `(${condition})`)
      .join(match === "all" ? " & " : " | ")
    const matched = scope === undefined ? ranked : `'${scope}':B & (${ranked})`
    return `SELECT * FROM ${qualify(`${table}_search`)}(${parameter(matched)}::tsquery, ${parameter(ranked)}::tsquery)`
  }
