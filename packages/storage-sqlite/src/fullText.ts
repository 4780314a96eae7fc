/**
 * Full text in SQLite: an FTS5 index beside the table, which triggers keep. It holds words alone; what they are of is
 * in the table.
 */
import type { Dialect } from "@lectern/storage-sql"

const quoted = (names: ReadonlyArray<string>, prefix = ""): string =>
  names.map((name) => `${prefix}"${name}"`).join(", ")

/** Quotes the name of a table, a trigger or an index, with the prefix of the store. */
type Named = (name: string) => string

/**
 * Words are words already: the tokenizer only has to take them apart, whatever their script. The rows of such an index
 * are named by numbers, which the table, whose key is text, has to be given.
 */
export const fullText =
  (named: Named): Dialect["fullText"] =>
  (table, { scope, title, body, forms }) => {
    const [text, numbers] = [named(`${table.name}Text`), named(`${table.name}Numbers`)]
    const indexed = [scope, title, body, forms]
    const numberOf = (row: "old" | "new") =>
      `(SELECT "number" FROM ${numbers} WHERE (${quoted(table.key)}) = (${quoted(table.key, `${row}.`)}))`
    const put =
      `INSERT INTO ${numbers} (${quoted(table.key)}) VALUES (${quoted(table.key, "new.")}); ` +
      `INSERT INTO ${text} (rowid, ${quoted(indexed)}) VALUES (${numberOf("new")}, ${quoted(indexed, "new.")});`
    const drop =
      `DELETE FROM ${text} WHERE rowid = ${numberOf("old")}; ` +
      `DELETE FROM ${numbers} WHERE (${quoted(table.key)}) = (${quoted(table.key, "old.")});`
    const when = (event: string, body: string) =>
      `CREATE TRIGGER ${named(`${table.name}_${event.toLowerCase()}`)} AFTER ${event} ON ${named(table.name)} BEGIN ${body} END`
    return [
      `CREATE VIRTUAL TABLE ${text} USING fts5 (${quoted(indexed)}, tokenize = 'ascii', content = '', contentless_delete = 1)`,
      `CREATE TABLE ${numbers} ("number" INTEGER PRIMARY KEY, ${quoted(table.key)}, UNIQUE (${quoted(table.key)}))`,
      when("INSERT", put),
      when("DELETE", drop),
      when("UPDATE", `${drop} ${put}`)
    ]
  }

export const fullTextNames: Dialect["fullTextNames"] = (table) => [`${table}Text`, `${table}Numbers`]

/** Every term is a string to FTS5, and none has a quote in it. */
export const search =
  (named: Named): Dialect["search"] =>
  (table, names, terms, scope, parameter) => {
    const { title, body, forms } = names
    const all = terms.map(({ phrase, prefix }) => {
      const one = `{${title} ${body}} : "${phrase.join(" ")}"`
      if (prefix === undefined) return one
      const going = `{${title} ${body} ${forms}} : "${prefix}" *`
      // What begins so has the word itself among it.
      return phrase.length === 1 && phrase[0]!.startsWith(prefix) ? going : `(${one} OR ${going})`
    })
    const query = [...(scope === undefined ? [] : [`${names.scope} : "${scope}"`]), ...all].join(" AND ")
    const text = named(`${table}Text`)
    // The scope says nothing of how well a row fits, and the title more than the rest.
    return (
      `SELECT n."${names.scope}", n."${names.item}", -bm25(${text}, 0, 10, 1, 1) AS "score" FROM ${text} ` +
      `JOIN ${named(`${table}Numbers`)} n ON n."number" = ${text}.rowid WHERE ${text} MATCH ${parameter(query)}`
    )
  }
