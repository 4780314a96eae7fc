/**
 * Draws writes of every kind, one after another, each on what the ones before have created, with the facts that hold
 * once it is acknowledged. A writer has content of its own, so that no other writer changes those facts.
 */
import { commentWrites } from "./comments.ts"
import { contentWrites } from "./content.ts"
import { integrationWrites } from "./integrations.ts"
import { peopleWrites } from "./people.ts"
import { siteWrites } from "./sites.ts"
import { spaceWrites } from "./spaces.ts"
import type { Write, WriteKind, Writer } from "./writes.ts"

/** Every kind of write. Edits of content are drawn twice as often, as users make them most. */
const kinds: ReadonlyArray<WriteKind> = [
  ...spaceWrites,
  ...contentWrites,
  ...contentWrites,
  ...commentWrites,
  ...siteWrites,
  ...peopleWrites,
  ...integrationWrites
]

/** Draws the next write. Kinds that need what the writer lacks are skipped; some need nothing. */
export const nextWrite = (writer: Writer): Write => {
  for (;;) {
    const write = kinds[writer.draw(kinds.length)]!(writer)
    if (write !== undefined) return write
  }
}
