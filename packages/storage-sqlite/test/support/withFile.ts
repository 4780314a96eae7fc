import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Gives the name of a database file that is not there yet, and removes what has become of it. */
export const withFile = async <A>(use: (filename: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-sqlite-"))
  try {
    return await use(join(folder, "lectern.db"))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
