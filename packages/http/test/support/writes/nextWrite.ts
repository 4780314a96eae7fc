/**
 * Generates sequences of writes of every kind, on the resources of the previous writes, with the facts that hold
 * once a write is acknowledged. A writer has its own content, so that no other writer changes those facts.
 */
import { type OperationId, operations } from "@lectern/harness/operations"
import { commentWrites } from "./comments.ts"
import { contentWrites } from "./content.ts"
import { integrationWrites } from "./integrations.ts"
import { peopleWrites } from "./people.ts"
import { siteWrites } from "./sites.ts"
import { spaceWrites } from "./spaces.ts"
import type { Write, WriteKind, WriteKinds, Writer } from "./writes.ts"

const byOperation = {
  ...spaceWrites,
  ...contentWrites,
  ...commentWrites,
  ...siteWrites,
  ...peopleWrites,
  ...integrationWrites
}

/** The operations that writers generate. */
export const generatedOperations = Object.keys(byOperation) as ReadonlyArray<keyof typeof byOperation>

interface NamedKind {
  readonly operation: OperationId
  readonly kind: WriteKind
}

const named = (kinds: WriteKinds): ReadonlyArray<NamedKind> =>
  (Object.keys(kinds) as ReadonlyArray<OperationId>).flatMap((operation) =>
    (kinds[operation] ?? []).map((kind) => ({ operation, kind }))
  )

/** Every kind of write. Edits of content have double weight, as they are the most frequent in practice. */
const kinds = [...named(byOperation), ...named(contentWrites)]

const patterns = new Map(
  operations.map(({ id, method, path }) => [
    id,
    new RegExp(`^${method} ${path.replace("/v1", "").replaceAll(/:\w+/g, "[^/]+")}$`)
  ])
)

/** Generates the next write. Kinds that require missing resources are skipped; some require none. */
export const nextWrite = (writer: Writer): Write => {
  for (;;) {
    const { operation, kind } = kinds[writer.draw(kinds.length)]!
    const write = kind(writer)
    if (write === undefined) continue
    const request = `${write.method} ${write.path.replace(/\?.*/, "")}`
    if (!patterns.get(operation)!.test(request)) throw new Error(`${request} is not ${operation}.`)
    return write
  }
}
