/** The tables and columns of the reader. */
import type { SchemaChange } from "../SchemaChange.ts"

export const readersChanges: ReadonlyArray<SchemaChange> = []
