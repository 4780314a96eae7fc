/** Global setup: starts one PostgreSQL server for the whole run. Tests get its address with `inject("postgres")`. */
import type { TestProject } from "vitest/node"
import { startPostgres } from "../harness/src/postgres.ts"

declare module "vitest" {
  export interface ProvidedContext {
    readonly postgres: string
  }
}

export default async (project: TestProject) => {
  const server = await startPostgres()
  project.provide("postgres", server.url)
  return server.stop
}
