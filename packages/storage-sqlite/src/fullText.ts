/**
 * Full-text search in SQLite: a contentless FTS5 index per table, which triggers maintain. It stores words only; the
 * rows are in the table.
 */
import type { Dialect } from "@lectern/storage-sql"

const quoteNames = (names: ReadonlyArray<string>, prefix = ""): string =>
  names.map((name) => `${prefix}"${name}"`).join(", ")

/** Quotes the name of a table, a trigger or an index, with the prefix of the store. */
type PrefixName = (name: string) => string

/**
 * Creates the index. Core has split and normalized the words, so the `ascii` tokenizer, which splits at spaces, suits
 * every script. An FTS5 index identifies rows by integers, while the keys of tables are text: a table of numbers maps
 * them.
 */
export const createFullText =
  (prefixed: PrefixName): Dialect["createFullText"] =>
  (table, { scope, title, body, forms }) => {
    const [text, numbers] = [prefixed(`${table.name}Text`), prefixed(`${table.name}Numbers`)]
    const indexed = [scope, title, body, forms]
    const numberOf = (row: "old" | "new") =>
      `(SELECT "number" FROM ${numbers} WHERE (${quoteNames(table.key)}) = (${quoteNames(table.key, `${row}.`)}))`
    const insertRow =
      `INSERT INTO ${numbers} (${quoteNames(table.key)}) VALUES (${quoteNames(table.key, "new.")}); ` +
      `INSERT INTO ${text} (rowid, ${quoteNames(indexed)}) VALUES (${numberOf("new")}, ${quoteNames(indexed, "new.")});`
    const deleteRow =
      `DELETE FROM ${text} WHERE rowid = ${numberOf("old")}; ` +
      `DELETE FROM ${numbers} WHERE (${quoteNames(table.key)}) = (${quoteNames(table.key, "old.")});`
    const createTrigger = (event: string, body: string) =>
      `CREATE TRIGGER ${prefixed(`${table.name}_${event.toLowerCase()}`)} AFTER ${event} ON ${prefixed(table.name)} BEGIN ${body} END`
    return [
      `CREATE VIRTUAL TABLE ${text} USING fts5 (${quoteNames(indexed)}, tokenize = 'ascii', content = '', contentless_delete = 1)`,
      `CREATE TABLE ${numbers} ("number" INTEGER PRIMARY KEY, ${quoteNames(table.key)}, UNIQUE (${quoteNames(table.key)}))`,
      createTrigger("INSERT", insertRow),
      createTrigger("DELETE", deleteRow),
      createTrigger("UPDATE", `${deleteRow} ${insertRow}`)
    ]
  }

/** Returns the names of the index and of the table of numbers. */
export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}Text`, `${table}Numbers`]

/**
 * Returns the search statement. Terms become FTS5 strings; they contain no quotes, so nothing is escaped.
 */
export const search =
  (prefixed: PrefixName): Dialect["search"] =>
  (table, names, terms, match, scope, parameter) => {
    const { title, body, forms } = names
    const conditions = terms.map(({ phrase, prefix, alternatives = [] }) => {
      const phrases = [phrase.join(" "), ...alternatives].map((words) => `"${words}"`)
      const phraseMatch = `{${title} ${body}} : ${phrases.length === 1 ? phrases[0]! : `(${phrases.join(" OR ")})`}`
      if (prefix === undefined) return phraseMatch
      const prefixMatch = `{${title} ${body} ${forms}} : "${prefix}" *`
      // The prefix matches the word of the phrase, too.
      return phrases.length === 1 && phrase.length === 1 && phrase[0]!.startsWith(prefix)
        ? prefixMatch
        : `(${phraseMatch} OR ${prefixMatch})`
    })
    const scopeCondition = scope === undefined ? [] : [`${names.scope} : "${scope}"`]
    const matched = match === "all" ? conditions : [`(${conditions.join(" OR ")})`]
    const query = [...scopeCondition, ...matched].join(" AND ")
    const text = prefixed(`${table}Text`)
    // Weights of the columns in the score: the scope counts 0, the title 10, the body and the forms 1.
    return (
      `SELECT n."${names.scope}", n."${names.item}", -bm25(${text}, 0, 10, 1, 1) AS "score" FROM ${text} ` +
      `JOIN ${prefixed(`${table}Numbers`)} n ON n."number" = ${text}.rowid WHERE ${text} MATCH ${parameter(query)}`
    )
  }
