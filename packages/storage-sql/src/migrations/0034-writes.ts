/** The tables and columns of writes with fewer statements. */
import type { SchemaChange } from "../SchemaChange.ts"

export const writesChanges: ReadonlyArray<SchemaChange> = []
