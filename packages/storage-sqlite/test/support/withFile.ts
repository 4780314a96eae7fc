import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/**
 * Calls `use` with the path of a database file that does not exist, in a temporary folder that is removed afterwards.
 */
export const withFile = async <A>(use: (filename: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-sqlite-"))
  try {
    return await use(join(folder, "lectern.db"))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
