import { freshDatabase } from "@lectern/harness/postgres"
import { Redacted } from "effect"
import { inject } from "vitest"

/** The address of a new and empty database. */
export const database = async (): Promise<Redacted.Redacted<string>> =>
  Redacted.make(await freshDatabase(inject("postgres")))
