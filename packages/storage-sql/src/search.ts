/** The statement that searches a table with full text: the same for all dialects, but for how words are found. */
import type { Table, TextSearch } from "@lectern/core"
import type { Dialect } from "./Dialect.ts"
import { quote, Statement } from "./Statement.ts"

/**
 * What is found comes in steps: `hits` are rows with their scores, `found` are items with the best score of their rows.
 * The count is that of the whole list, whatever `after` and `limit` leave of it.
 */
export const searchStatement = (
  dialect: Dialect,
  table: Table.AnyTable,
  { terms, scope, where, by, most, after, limit }: TextSearch
): { readonly statement: Statement; readonly text: string } => {
  const fullText = table.fullText!
  const statement = new Statement(dialect)
  const [scopeName, itemName] = [quote(fullText.scope), quote(fullText.item)]
  // Some dialects count their parameters: they are asked for in the order in which they stand in the text.
  const hits = dialect.search(table.name, fullText, terms, scope, (value) => statement.value(value))
  const inScope = scope === undefined ? "TRUE" : `${scopeName} = ${statement.value(scope)}`
  // Of one scope it is known which, and items are kept apart by themselves: fewer texts to compare, for each hit.
  const [its, groups] =
    scope === undefined || by === "scopes" ? [`${scopeName} AS "scope", `, "1, 2"] : ["", "1"]
  const found =
    `WITH "hits" AS MATERIALIZED (${hits}), "found" AS MATERIALIZED (SELECT ${its}${itemName} AS "item", ` +
    `MAX("score") AS "score" FROM "hits" WHERE ${inScope} AND ${statement.where(table, where)} GROUP BY ${groups})`
  const behind = (id: string) => {
    if (after === undefined) return "TRUE"
    const [less, same] = [statement.value(after.score), statement.value(after.score)]
    return `("best" < ${less} OR ("best" = ${same} AND ${id} > ${statement.value(after.id)}))`
  }
  if (by === "items") {
    return {
      statement,
      text:
        `${found}, "listed" AS (SELECT *, "score" AS "best" FROM "found") ` +
        `SELECT *, (SELECT COUNT(*) FROM "found") AS "count" FROM "listed" WHERE ${behind('"item"')} ` +
        `ORDER BY "best" DESC, "item" LIMIT ${statement.value(limit)}`
    }
  }
  return {
    statement,
    text:
      `${found}, "placed" AS (SELECT *, MAX("score") OVER (PARTITION BY "scope") AS "best", ` +
      `ROW_NUMBER() OVER (PARTITION BY "scope" ORDER BY "score" DESC, "item") AS "place" FROM "found"), ` +
      `"listed" AS (SELECT *, DENSE_RANK() OVER (ORDER BY "best" DESC, "scope") AS "rank" FROM "placed" ` +
      `WHERE ${behind('"scope"')}) ` +
      `SELECT "scope", "item", "score", "best", (SELECT COUNT(DISTINCT "scope") FROM "found") AS "count" ` +
      `FROM "listed" WHERE "rank" <= ${statement.value(limit)} AND "place" <= ${statement.value(most)} ` +
      `ORDER BY "rank", "place"`
  }
}
