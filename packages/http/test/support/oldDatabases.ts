/** The stored databases of released schemas. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"

const folder = join(import.meta.dirname, "../old-databases")

/** The schemas of the stored databases, in ascending order. */
export const oldSchemas: ReadonlyArray<number> = readdirSync(folder)
  .flatMap((name) => /^schema-(\d{4})\.db\.gz$/.exec(name)?.[1] ?? [])
  .map(Number)
  .sort((a, b) => a - b)

/** Extracts the database of a schema to a folder, and returns its path. */
export const extractOldDatabase = (schema: number, target: string): string => {
  const filename = join(target, "old.db")
  const name = `schema-${String(schema).padStart(4, "0")}.db.gz`
  writeFileSync(filename, gunzipSync(readFileSync(join(folder, name))))
  return filename
}
