/** The settings of the database that `lectern copy` writes to. */
import { DatabaseUrl } from "./DatabaseUrl.ts"
import { defineSetting } from "./Setting.ts"
import { databasePrefix, databaseSchema } from "./Settings.ts"

/** The database that is written to. */
export const targetUrl = defineSetting({
  flag: "to",
  description: "`lectern copy` only: the URL of the database that is written to, as of --database-url.",
  schema: DatabaseUrl,
  isSecret: true
})

/** The prefix of tables in that database. */
export const targetPrefix = defineSetting({
  ...databasePrefix,
  flag: "to-prefix",
  description:
    "`lectern copy` to SQLite only: the prefix of Lectern's tables in the database that is written to."
})

/** The schema of tables in that database. */
export const targetSchema = defineSetting({
  ...databaseSchema,
  flag: "to-schema",
  description:
    "`lectern copy` to PostgreSQL only: the schema of Lectern's tables in the database that is written to."
})
