/** Every migration of the workspace, in order. */
import type { Migration } from "../Migration.ts"
import { foundation } from "./0001-foundation.ts"

export const migrations: ReadonlyArray<Migration> = [foundation]
