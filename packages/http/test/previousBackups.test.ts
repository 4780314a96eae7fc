/** Backups that the command of earlier schemas wrote, with the format of the folder that it had. */
import { join } from "node:path"
import { createTestDatabase } from "@lectern/harness/postgres"
import { expect, inject, it } from "vitest"
import { runCommand } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { extractOldDatabase } from "./support/oldDatabases.ts"
import { extractVersion, hasCommitOf, previousSchema, runPreviousCommand } from "./support/previousServer.ts"

/** The first schema whose command has `backup`, the last one with only plain blobs, and the latest released one. */
const schemas = [17, 20, previousSchema]

const timeout = 300_000

for (const schema of schemas) {
  it.skipIf(!hasCommitOf(schema))(
    `restores a backup that the command of schema ${schema} wrote, and the doctor finds nothing`,
    { timeout },
    async () => {
      const sources = temporaryFolder()
      extractVersion(schema, sources)
      const database = extractOldDatabase(schema, temporaryFolder())
      const folder = temporaryFolder()
      const flags = ["--to", folder, "--database-url", `sqlite:${database}`]
      expect(runPreviousCommand(sources, ["backup", ...flags])).toContain("Wrote the backup")
      const targets = [
        `sqlite:${join(temporaryFolder(), "restored.db")}`,
        await createTestDatabase(inject("postgres"))
      ]
      for (const target of targets) {
        for (const args of [
          ["restore", "--from", folder, "--dry-run"],
          ["restore", "--from", folder],
          ["doctor"]
        ]) {
          const { code, output, errors } = await runCommand([...args, "--database-url", target])
          expect([args[0], code, code === 0 ? "" : output + errors]).toEqual([args[0], 0, ""])
        }
      }
    }
  )
}
