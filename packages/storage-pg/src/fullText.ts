/** Full text in PostgreSQL: a column of words with their places, which the database computes, and an index on it. */
import type { Dialect } from "@lectern/storage-sql"

/**
 * Words are words already, so none of the database's own languages is asked. Words of the body stand behind those of
 * the title, and not next to them; forms stand anywhere.
 */
const vector = `CREATE OR REPLACE FUNCTION "lecternWords" ("title" TEXT, "body" TEXT, "forms" TEXT) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(string_agg('''' || "word" || ''':' || least("place", 16383) || "weight", ' '), '')::tsvector FROM (
    SELECT "word", "place", 'A' AS "weight"
      FROM unnest(string_to_array("title", ' ')) WITH ORDINALITY AS t ("word", "place")
    UNION ALL
    SELECT "word", "place" + 1 + coalesce(array_length(string_to_array("title", ' '), 1), 0), 'D'
      FROM unnest(string_to_array(translate("body", E'\\n', ' '), ' ')) WITH ORDINALITY AS b ("word", "place")
    UNION ALL
    SELECT "word", 16383, 'C' FROM unnest(string_to_array("forms", ' ')) AS f ("word")
  ) AS "words" WHERE "word" <> ''
$$`

export const fullText: Dialect["fullText"] = (table, { title, body, forms }) => [
  vector,
  `ALTER TABLE "${table.name}" ADD COLUMN "words" tsvector ` +
    `GENERATED ALWAYS AS ("lecternWords"("${title}", "${body}", "${forms}")) STORED`,
  `CREATE INDEX "${table.name}_words" ON "${table.name}" USING gin ("words")`
]

/** Words have no quotes in them. By the weights of D, C, B and A, the title counts ten times as much as the rest. */
export const search: Dialect["search"] = (table, names, terms, scope, parameter) => {
  const query = terms
    .map(({ phrase, prefix }) => {
      const one = phrase.map((word) => `'${word}':AD`).join(" <-> ")
      return prefix === undefined ? `(${one})` : `((${one}) | '${prefix}':*)`
    })
    .join(" & ")
  const asked = `${parameter(query)}::tsquery`
  const within = scope === undefined ? "" : ` AND "${names.scope}" = ${parameter(scope)}`
  return (
    `SELECT "${names.scope}", "${names.item}", ts_rank('{0.1, 0.1, 0.1, 1}', "words", ${asked}, 1)::float8 AS "score" ` +
    `FROM "${table}" WHERE "words" @@ ${asked}${within}`
  )
}
