/** Builds the statement of a full-text search. Dialects only differ in the subquery that matches words. */
import type { Table, TextSearch } from "@lectern/kernel"
import type { Dialect } from "./Dialect.ts"
import { Statement } from "./Statement.ts"

/**
 * Returns the statement of a full-text search. Its common table expressions are `hits`, the matching rows with their
 * scores, and `found`, the items with the highest score of their rows. All hits are in the scopes of the search. They
 * identify scopes and items by the keys of the index, and names are read for the first entries only. The column `count` is
 * the length of the whole list, independent of `after` and `limit`.
 */
export const searchStatement = (
  dialect: Dialect,
  table: Table.AnyTable,
  search: TextSearch
): { readonly statement: Statement; readonly text: string } => {
  const { scopes, where, by, most, after, limit } = search
  const statement = new Statement(dialect)
  // Parameters must be added in the order of their placeholders, since SQLite's `?` are positional.
  const {
    tables = [],
    countOf = (count: string) => count,
    hits,
    scopeOf,
    itemOf
  } = dialect.search(table.name, table.fullText!, search, {
    value: (value) => statement.value(value),
    list: (values) => statement.value(dialect.encodeList(values)),
    isSearched: () => statement.where(table, where)
  })
  // With one scope, the scope need not be compared to group by item.
  const groups = scopes.length > 1 || by === "scopes" ? '"scope", "item"' : '"item"'
  const found =
    `WITH ${tables.map((one) => `${one}, `).join("")}"hits" AS MATERIALIZED (${hits}), "found" AS MATERIALIZED (SELECT ${groups}, MAX("score") AS "score" ` +
    `FROM "hits" GROUP BY ${groups})`
  const isAfterCursor = (best: string, name: string) => {
    if (after === undefined) return "TRUE"
    const [less, same] = [statement.value(after.score), statement.value(after.score)]
    return `(${best} < ${less} OR (${best} = ${same} AND ${name} > ${statement.value(after.id)}))`
  }
  if (by === "items") {
    const rest =
      after === undefined
        ? ""
        : `, "rest" AS MATERIALIZED (SELECT * FROM "found" WHERE ${isAfterCursor('"score"', itemOf('"item"'))})`
    const source = after === undefined ? '"found"' : '"rest"'
    return {
      statement,
      text:
        `${found}${rest} SELECT ${itemOf(`${source}."item"`)} AS "item", "score", "score" AS "best", ` +
        `${countOf('(SELECT COUNT(*) FROM "found")')} AS "count" FROM ${source} WHERE "score" >= COALESCE((SELECT "score" ` +
        `FROM ${source} ORDER BY "score" DESC LIMIT 1 OFFSET ${statement.value(limit - 1)}), -1e300) ` +
        `ORDER BY "best" DESC, 1 LIMIT ${statement.limit(limit)}`
    }
  }
  return {
    statement,
    text:
      `${found}, "scored" AS MATERIALIZED (SELECT "scope" AS "key", MAX("score") AS "best" FROM "found" GROUP BY 1), ` +
      `"named" AS MATERIALIZED (SELECT *, ${scopeOf('"key"')} AS "name" FROM "scored"), ` +
      `"listed" AS MATERIALIZED (SELECT *, ROW_NUMBER() OVER (ORDER BY "best" DESC, "name") AS "rank" FROM "named" ` +
      `WHERE ${isAfterCursor('"best"', '"name"')}), ` +
      `"placed" AS (SELECT "listed".*, "item", "score", RANK() OVER (PARTITION BY "key" ORDER BY "score" DESC) AS ` +
      `"place" FROM "found" JOIN "listed" ON "key" = "scope" WHERE "rank" <= ${statement.value(limit)}), ` +
      `"items" AS (SELECT "name" AS "scope", "best", "rank", "score", ${itemOf('"item"')} AS "item" FROM "placed" ` +
      `WHERE "place" <= ${statement.value(most)}), ` +
      `"ordered" AS (SELECT *, ROW_NUMBER() OVER (PARTITION BY "rank" ORDER BY "score" DESC, "item") AS "place" ` +
      `FROM "items") ` +
      `SELECT "scope", "item", "score", "best", (SELECT COUNT(*) FROM "scored") AS "count" FROM "ordered" ` +
      `WHERE "place" <= ${statement.value(most)} ORDER BY "rank", "place"`
  }
}
