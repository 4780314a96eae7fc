/** Full text in PostgreSQL: a column of words with their places, which the database computes, and an index on it. */
import type { Dialect } from "@lectern/storage-sql"

/**
 * Words are words already, so none of the database's own languages is asked. Words of the body stand behind those of
 * the title, and not next to them; forms stand behind all, and so does the scope, as a word of a weight of its own. None
 * stands at 16383, the last place that there is: what a word has there first is all that is kept of it there.
 */
const words = (
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

/** Qualifies the name of a table or a function with the schema of the store. */
type Qualify = (name: string) => string

export const fullText =
  (qualify: Qualify): Dialect["fullText"] =>
  (table, { scope, item, title, body, forms }) => [
    words(qualify("lecternWords")),
    `ALTER TABLE ${qualify(table.name)} ADD COLUMN "words" tsvector ` +
      `GENERATED ALWAYS AS (${qualify("lecternWords")}("${scope}", "${title}", "${body}", "${forms}")) STORED`,
    `CREATE INDEX "${table.name}_words" ON ${qualify(table.name)} USING gin ("words") WITH (fastupdate = off)`,
    // Words are large, and kept beside their rows: the planner takes looking through all of them for much cheaper than it
    // is. By the weights of D, C, B and A, the title counts ten times as much as the rest, and the scope nothing.
    `CREATE FUNCTION ${qualify(`${table.name}_search`)} ("asked" tsquery, "ranked" tsquery)
  RETURNS TABLE ("${scope}" TEXT, "${item}" TEXT, "score" DOUBLE PRECISION)
  LANGUAGE sql STABLE SET enable_seqscan = off AS $$
    SELECT "${scope}", "${item}", ts_rank('{0.1, 0.1, 0, 1}', "words", "ranked", 1)
    FROM ${qualify(table.name)} WHERE "words" @@ "asked"
  $$`
  ]

export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}_words`]

/** Words have no quotes in them. */
export const search =
  (qualify: Qualify): Dialect["search"] =>
  (table, _, terms, scope, parameter) => {
    const ranked = terms
      .map(({ phrase, prefix }) => {
        const one = phrase.map((word) => `'${word}':AD`).join(" <-> ")
        return prefix === undefined ? `(${one})` : `((${one}) | '${prefix}':*ACD)`
      })
      .join(" & ")
    const asked = scope === undefined ? ranked : `'${scope}':B & ${ranked}`
    return `SELECT * FROM ${qualify(`${table}_search`)}(${parameter(asked)}::tsquery, ${parameter(ranked)}::tsquery)`
  }
