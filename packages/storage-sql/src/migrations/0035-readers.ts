/** The tables and columns of what readers see. */
import type { SchemaChange } from "../SchemaChange.ts"

export const readersChanges: ReadonlyArray<SchemaChange> = []
