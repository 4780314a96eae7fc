/** The tables and columns of answers and translations of a language model. */
import type { SchemaChange } from "../SchemaChange.ts"

export const answersChanges: ReadonlyArray<SchemaChange> = []
