/**
 * Full-text search in PostgreSQL: a GIN index of the words of each row. The rows contain the words as text only; the index
 * computes them when a row is written.
 *
 * Each word in the index starts with a key of its scope. So the words of a scope are words of their own: to look one up and
 * to complete a prefix reads the entries of this scope only, and the time does not depend on the rows of others. GIN
 * collects all matches of a prefix before it intersects them with other words, so that a condition on the scope would not limit
 * them.
 */
import type { Table, TextSearch } from "@lectern/kernel"
import type { Dialect, SearchParameters } from "@lectern/storage-sql"
import { countWords, matchesPhrases, type RankedText } from "./fullTextTerms.ts"

/**
 * The characters between the key of a scope and a word, which state where the word is: in the title, in the title or the
 * headings, in any text, among the forms, or among the audiences. An audience without a name represents any.
 */
const places = { titles: "!", titlesAndHeadings: "#", text: ":", forms: "~", audience: "=" } as const

/** Represents the key of the scope in the query of a search. No word contains it. */
const placeholder = "\u00b7"

/**
 * Returns the expression for the key of a scope: up to 6 characters. Scopes can have the same key, so that a search also
 * compares the scopes of the rows that it finds.
 */
const scopeKey = (scope: string): string => `to_hex(hashtextextended(${scope}, 0) & 16777215)`

/**
 * Returns the statement that creates the function that returns the words of a row for the index. Core has split and
 * normalized the words, so that the default text search configuration is not used. The key follows every space, so that only the
 * first word of the text, which begins with a space, would be empty. It calls functions of the system only, as
 * maintenance of an index runs with an empty search path.
 */
const createWordsFunction = (
  name: string
) => `CREATE OR REPLACE FUNCTION ${name} ("scope" TEXT, "title" TEXT, "headings" TEXT, "body" TEXT, "forms" TEXT, "audience" TEXT)
RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  "key" TEXT := ' ' || ${scopeKey('"scope"')};
  "titles" TEXT := ' ' || translate("title" || ' ' || "headings", E'\\n', ' ');
BEGIN
  RETURN array_to_tsvector(string_to_array(substr(
    replace("titles" || ' ' || translate("body", E'\\n', ' '), ' ', "key" || '${places.text}') ||
    replace("titles", ' ', "key" || '${places.titlesAndHeadings}') ||
    replace(' ' || "title", ' ', "key" || '${places.titles}') ||
    replace(' ' || "forms", ' ', "key" || '${places.forms}') ||
    CASE "audience" WHEN '' THEN '' ELSE
      "key" || '${places.audience}' || replace(' ' || "audience", ' ', "key" || '${places.audience}')
    END, 2), ' '));
END $$`

/** Quotes the name of a table or a function, and qualifies it with the schema of the store. */
type Qualify = (name: string) => string

/** Returns the call of the function that returns the words of a row. */
const wordsOf = (
  qualify: Qualify,
  { scope, title, headings, body, forms, audience }: Table.FullText
): string => {
  const columns = [scope, title, headings, body, forms, audience].map((name) =>
    name === undefined ? "''" : `"rows"."${name}"`
  )
  return `${qualify("lecternIndexedWords")}(${columns.join(", ")})`
}

/**
 * Returns the statement that creates the function that finds the rows of a scope. The planner does not know how few rows have
 * the words of a scope: without these settings, it would scan small tables, and compile the statement for large ones, which
 * takes longer than the search. An index on the scope would find all rows of it; `IS NOT DISTINCT FROM` uses none.
 */
const createFindFunction = (qualify: Qualify, table: string, names: Table.FullText): string => {
  const { scope, tenant, item, title, headings, body, forms } = names
  const columns = [scope, tenant, item, title, headings, body, forms].filter((name) => name !== undefined)
  return `CREATE OR REPLACE FUNCTION ${qualify(`${table}_find`)} ("searched" TEXT, "condition" tsquery)
RETURNS TABLE (${columns.map((name) => `"${name}" TEXT`).join(", ")})
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET jit = off AS $$
  SELECT ${columns.map((name) => `"rows"."${name}"`).join(", ")} FROM ${qualify(table)} AS "rows"
  WHERE ${wordsOf(qualify, names)} @@ "condition" AND "rows"."${scope}" IS NOT DISTINCT FROM "searched"
$$`
}

/** Returns the statements that create the functions and the index of a table. */
export const createFullText =
  (qualify: Qualify): Dialect["createFullText"] =>
  (table, names) => [
    createWordsFunction(qualify("lecternIndexedWords")),
    `CREATE INDEX "${table.name}_words" ON ${qualify(table.name)} USING gin (` +
      `${wordsOf(qualify, names).replaceAll('"rows".', "")}) WITH (fastupdate = off)`,
    // A former table with this name can have had other columns. Its function does not depend on it, and stays.
    `DROP FUNCTION IF EXISTS ${qualify(`${table.name}_find`)} (TEXT, tsquery)`,
    createFindFunction(qualify, table.name, names)
  ]

/** Returns the names of the indexes. */
export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}_words`]

/** Returns the query for a word in a place. Words contain no quotes, so that nothing is escaped. */
const lexeme = (place: keyof typeof places, word: string): string => `'${placeholder}${places[place]}${word}'`

/** The columns of a search. */
type Place = "titles" | "titlesAndHeadings" | "text"

/** Returns the query of the terms of a search. The words of a phrase can be anywhere. */
const termsQuery = ({ terms, match = "all" }: TextSearch, place: Place): string =>
  terms
    .map(({ phrase, prefix, alternatives = [] }) => {
      const phrases = [phrase, ...alternatives].map(
        (words) => `(${words.map((word) => lexeme(place, word)).join(" & ")})`
      )
      const prefixes =
        prefix === undefined
          ? []
          : [`${lexeme(place, prefix)}:*`, ...(place === "text" ? [`${lexeme("forms", prefix)}:*`] : [])]
      return `(${[...phrases, ...prefixes].join(" | ")})`
    })
    .join(match === "all" ? " & " : " | ")

/** Returns the query of the rows that the audiences of a search find. */
const audiencesQuery = (audiences: ReadonlyArray<string>): string => {
  const own = audiences.map((name) => lexeme("audience", name)).join(" | ")
  return `!(${lexeme("audience", "")}${own === "" ? "" : ` & !(${own})`})`
}

/** Exceeds every score of text. */
const titledScore = 1_000_000

/** Returns the parts of the search statement. */
export const search =
  (qualify: Qualify): Dialect["search"] =>
  (table, names, request, { value, list, isSearched }: SearchParameters) => {
    const { scope, item, title, headings, body, forms, audience } = names
    const { audiences = [], titlesOnly = false, titlesFirst, unranked = 0, after, limit } = request
    const textsOf = (place: Place): ReadonlyArray<RankedText> => {
      const titles = [{ column: title, weight: 1 }]
      if (place === "titles") return titles
      const inTitles = headings === undefined ? titles : [...titles, { column: headings, weight: 0.4 }]
      return place === "titlesAndHeadings"
        ? inTitles
        : [...inTitles, { column: body, weight: 0.1 }, { column: forms, weight: 0.1, isForms: true }]
    }
    /** Selects the matching rows, with the columns that are ranked. Values that are stored out of line are not read. */
    const matched = (place: Place) => {
      const condition = `(${termsQuery(request, place)})${audience === undefined ? "" : ` & ${audiencesQuery(audiences)}`}`
      const columns = textsOf(place).map(({ column }) => `"rows"."${column}"`)
      const query = `replace(${value(condition)}, '${placeholder}', "scopes"."key")::tsquery`
      return (
        `SELECT "rows"."${scope}" AS "scope", "rows"."${item}" AS "item", ${columns.join(", ")} ` +
        `FROM "scopes" CROSS JOIN LATERAL ${qualify(`${table}_find`)}("scopes"."scope", ${query}) AS "rows" ` +
        `WHERE ${isSearched()}${matchesPhrases(request, textsOf(place), value)}`
      )
    }
    const tables = [
      `"scopes" AS MATERIALIZED (SELECT "scope", ${scopeKey('"scope" COLLATE "C"')} AS "key" ` +
        `FROM unnest(${list([...new Set(request.scopes)])}::text[]) AS "list" ("scope"))`
    ]
    const keys = { tables, scopeOf: (key: string) => key, itemOf: (key: string) => key }
    const place = titlesOnly ? "titlesAndHeadings" : "text"
    const score = (place: Place) => countWords(request, textsOf(place), value)
    if (request.by !== "items" || titlesOnly || titlesFirst === undefined) {
      tables.push(`"matched" AS MATERIALIZED (${matched(place)})`)
      return { ...keys, hits: `SELECT "scope", "item", ${score(place)} AS "score" FROM "matched"` }
    }
    tables.push(
      `"inTitles" AS MATERIALIZED (${matched("titles")})`,
      `"titled" AS MATERIALIZED (SELECT 1 FROM (SELECT DISTINCT "item" FROM "inTitles") AS "all" LIMIT 1 OFFSET ${titlesFirst - 1})`,
      `"matched" AS MATERIALIZED (${matched(place)})`,
      `"many" AS MATERIALIZED (SELECT 1 FROM "matched" LIMIT 1 OFFSET ${unranked})`
    )
    // Without a score, the first items are among the titles, or need not be ranked.
    const isFirst = after === undefined && limit <= titlesFirst
    const isUnranked = isFirst
      ? `EXISTS (SELECT 1 FROM "titled") OR NOT EXISTS (SELECT 1 FROM "many")`
      : `NOT EXISTS (SELECT 1 FROM "many")`
    return {
      ...keys,
      hits:
        `SELECT "scope", "item", ${titledScore} + ${score("titles")} AS "score" FROM "inTitles" ` +
        `WHERE EXISTS (SELECT 1 FROM "titled") UNION ALL ` +
        `SELECT "scope", "item", CASE WHEN ${isUnranked} THEN -1 ELSE ${score(place)} END FROM "matched"`
    }
  }
