/** The tables and columns in which the authorization of programs of others stores their rows. */
import type { SchemaChange } from "../SchemaChange.ts"

export const programChanges: ReadonlyArray<SchemaChange> = []
