/** The tables and columns in which provisioning by SCIM stores their rows. */
import type { SchemaChange } from "../SchemaChange.ts"

export const scimChanges: ReadonlyArray<SchemaChange> = []
