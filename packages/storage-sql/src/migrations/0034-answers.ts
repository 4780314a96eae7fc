/** The tables and columns of results of language models. */
import type { SchemaChange } from "../SchemaChange.ts"

export const modelChanges: ReadonlyArray<SchemaChange> = []
