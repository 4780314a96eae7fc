/** Replaces the function of the search index on PostgreSQL by one that takes half of the time, with the same words. */
import { raw, type SchemaChange } from "../SchemaChange.ts"

/** The changes of the schema. */
export const writesChanges: ReadonlyArray<SchemaChange> = [
  raw({
    sqlite: () => [],
    postgres: (table) => [
      `CREATE OR REPLACE FUNCTION ${table("lecternIndexedWords")} ("scope" TEXT, "title" TEXT, "headings" TEXT, "body" TEXT, "forms" TEXT, "audience" TEXT)
RETURNS tsvector LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
DECLARE
  "key" TEXT := ' ' || to_hex(hashtextextended("scope", 0) & 16777215);
  "titles" TEXT := ' ' || translate("title" || ' ' || "headings", E'\\n', ' ');
BEGIN
  RETURN array_to_tsvector(string_to_array(substr(
    replace("titles" || ' ' || translate("body", E'\\n', ' '), ' ', "key" || ':') ||
    replace("titles", ' ', "key" || '#') ||
    replace(' ' || "title", ' ', "key" || '!') ||
    replace(' ' || "forms", ' ', "key" || '~') ||
    CASE "audience" WHEN '' THEN '' ELSE
      "key" || '=' || replace(' ' || "audience", ' ', "key" || '=')
    END, 2), ' '));
END $$`
    ]
  })
]
