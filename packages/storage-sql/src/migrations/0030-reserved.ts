/** Changes nothing: the number is reserved for another branch. */
import type { Migration } from "../Migration.ts"

export const reservedMigration: Migration = { number: 30, name: "reserved", changes: [] }
