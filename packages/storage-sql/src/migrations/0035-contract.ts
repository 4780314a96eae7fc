/** The tables and columns of the operations of the public contract. */
import type { SchemaChange } from "../SchemaChange.ts"

export const contractChanges: ReadonlyArray<SchemaChange> = []
