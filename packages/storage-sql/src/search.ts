/** Builds the statement of a full-text search. Dialects only differ in the subquery that matches words. */
import type { Table, TextSearch } from "@lectern/core"
import type { Dialect } from "./Dialect.ts"
import { quoteName, Statement } from "./Statement.ts"

/**
 * Returns the statement of a full-text search. Its common table expressions are `hits`, the matching rows with their
 * scores, and `found`, the items with the highest score of their rows. The column `count` is the length of the whole
 * list, independent of `after` and `limit`.
 */
export const searchStatement = (
  dialect: Dialect,
  table: Table.AnyTable,
  { terms, match = "all", scope, where, by, most, after, limit }: TextSearch
): { readonly statement: Statement; readonly text: string } => {
  const fullText = table.fullText!
  const statement = new Statement(dialect)
  const [scopeName, itemName] = [quoteName(fullText.scope), quoteName(fullText.item)]
  // Parameters must be added in the order of their placeholders, since SQLite's `?` are positional.
  const hits = dialect.search(table.name, fullText, terms, match, scope, (value) => statement.value(value))
  const inScope = scope === undefined ? "TRUE" : `${scopeName} = ${statement.value(scope)}`
  // With a fixed scope, the scope need not be compared to group by item.
  const [scopeColumn, groups] =
    scope === undefined || by === "scopes" ? [`${scopeName} AS "scope", `, "1, 2"] : ["", "1"]
  const found =
    `WITH "hits" AS MATERIALIZED (${hits}), "found" AS MATERIALIZED (SELECT ${scopeColumn}${itemName} AS "item", ` +
    `MAX("score") AS "score" FROM "hits" WHERE ${inScope} AND ${statement.where(table, where)} GROUP BY ${groups})`
  const isAfterCursor = (id: string) => {
    if (after === undefined) return "TRUE"
    const [less, same] = [statement.value(after.score), statement.value(after.score)]
    return `("best" < ${less} OR ("best" = ${same} AND ${id} > ${statement.value(after.id)}))`
  }
  if (by === "items") {
    return {
      statement,
      text:
        `${found}, "listed" AS (SELECT *, "score" AS "best" FROM "found") ` +
        `SELECT *, (SELECT COUNT(*) FROM "found") AS "count" FROM "listed" WHERE ${isAfterCursor('"item"')} ` +
        `ORDER BY "best" DESC, "item" LIMIT ${statement.value(limit)}`
    }
  }
  return {
    statement,
    text:
      `${found}, "placed" AS (SELECT *, MAX("score") OVER (PARTITION BY "scope") AS "best", ` +
      `ROW_NUMBER() OVER (PARTITION BY "scope" ORDER BY "score" DESC, "item") AS "place" FROM "found"), ` +
      `"listed" AS (SELECT *, DENSE_RANK() OVER (ORDER BY "best" DESC, "scope") AS "rank" FROM "placed" ` +
      `WHERE ${isAfterCursor('"scope"')}) ` +
      `SELECT "scope", "item", "score", "best", (SELECT COUNT(DISTINCT "scope") FROM "found") AS "count" ` +
      `FROM "listed" WHERE "rank" <= ${statement.value(limit)} AND "place" <= ${statement.value(most)} ` +
      `ORDER BY "rank", "place"`
  }
}
