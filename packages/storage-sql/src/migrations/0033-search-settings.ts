/** The tables and columns in which settings of searches of a site store their rows. */
import type { SchemaChange } from "../SchemaChange.ts"

export const searchSettingChanges: ReadonlyArray<SchemaChange> = []
