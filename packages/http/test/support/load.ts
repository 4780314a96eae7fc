/**
 * What clients write, of every kind there is: drawn one after the other, each on what the ones before have made, and
 * with what has to be seen from when it is acknowledged on. A writer has content of its own, so that nobody else
 * changes what it looks for.
 */
import { contents } from "./writes/contents.ts"
import { edits } from "./writes/edits.ts"
import { others } from "./writes/others.ts"
import { people } from "./writes/people.ts"
import { sites } from "./writes/sites.ts"
import { talk } from "./writes/talk.ts"
import type { Kind, Write, Writer } from "./writes/Write.ts"

export { type Draw, drawing, type Fact, makeWriter, type Write, type Writer } from "./writes/Write.ts"

/** Every kind of write: what people do most comes up most. */
const kinds: ReadonlyArray<Kind> = [...contents, ...edits, ...edits, ...talk, ...sites, ...people, ...others]

/** Draws the next write. There always is one: what needs what is not there is passed over. */
export const nextWrite = (writer: Writer): Write => {
  for (;;) {
    const write = kinds[writer.draw(kinds.length)]!(writer)
    if (write !== undefined) return write
  }
}
