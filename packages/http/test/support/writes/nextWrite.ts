/**
 * Generates writes of every kind, each on resources that earlier writes created, with the facts that hold once it is
 * acknowledged. Every writer has resources of its own, so that no other writer changes these facts.
 */
import { type OperationId, operations } from "@lectern/harness/operations"
import { commentWrites } from "./comments.ts"
import { contentWrites } from "./content.ts"
import { contentInstallationWrites } from "./contentInstallations.ts"
import { deriveWrites } from "./derivedWrites.ts"
import { gitWrites } from "./git.ts"
import { importRunWrites } from "./importRuns.ts"
import { integrationWrites } from "./integrations.ts"
import { notificationWrites } from "./notifications.ts"
import { peopleWrites } from "./people.ts"
import { permissionWrites } from "./permissions.ts"
import { placeWrites } from "./places.ts"
import { sessionWrites } from "./sessions.ts"
import { siteAdministrationWrites } from "./siteAdministration.ts"
import { siteStructureWrites } from "./siteStructure.ts"
import { siteWrites } from "./sites.ts"
import { spaceWrites } from "./spaces.ts"
import { teamWrites } from "./teams.ts"
import { tokenWrites } from "./tokens.ts"
import { webhookWrites } from "./webhooks.ts"
import { oneIn, type Write, type WriteKind, type WriteKinds, type Writer } from "./writes.ts"

const writtenByHand = {
  ...spaceWrites,
  ...contentWrites,
  ...commentWrites,
  ...siteWrites,
  ...siteStructureWrites,
  ...siteAdministrationWrites,
  ...peopleWrites,
  ...teamWrites,
  ...permissionWrites,
  ...integrationWrites,
  ...contentInstallationWrites,
  ...gitWrites,
  ...importRunWrites,
  ...webhookWrites,
  ...tokenWrites,
  ...sessionWrites,
  ...placeWrites,
  ...notificationWrites
}

/** The operations on files that are uploaded before, which writers do not send. */
export const writesOfUploads: ReadonlyArray<OperationId> = [
  "createCustomFont",
  "updateCustomFont",
  "deleteCustomFont"
]

const byOperation: WriteKinds = {
  ...deriveWrites(new Set([...Object.keys(writtenByHand), ...writesOfUploads])),
  ...writtenByHand
}

/** The operations that writers generate. */
export const generatedOperations: ReadonlyArray<string> = Object.keys(byOperation)

interface NamedKind {
  readonly operation: OperationId
  readonly kind: WriteKind
}

const named = (kinds: WriteKinds): ReadonlyArray<NamedKind> =>
  (Object.keys(kinds) as ReadonlyArray<OperationId>).flatMap((operation) =>
    (kinds[operation] ?? []).map((kind) => ({ operation, kind }))
  )

/** All kinds of writes. Edits of content are listed twice, because they are the most frequent writes of users. */
const kinds = [...named(byOperation), ...named(contentWrites)]

const patterns = new Map(
  operations.map(({ id, method, path }) => [
    id,
    new RegExp(`^${method} ${path.replace("/v1", "").replaceAll(/:\w+/g, "[^/]+")}$`)
  ])
)

/** A write with its operation. */
export interface GeneratedWrite extends Write {
  readonly operation: OperationId
}

/** Returns the kinds in random order, or sorted by how often their operation was generated. */
const kindsInOrder = (writer: Writer): ReadonlyArray<NamedKind> => {
  const start = writer.draw(kinds.length)
  const rotated = [...kinds.slice(start), ...kinds.slice(0, start)]
  if (oneIn(writer, 2)) return rotated
  const countOf = ({ operation }: NamedKind) => writer.generated.get(operation) ?? 0
  return rotated.sort((a, b) => countOf(a) - countOf(b))
}

/**
 * Generates the next write. Skips kinds that require a resource that the writer lacks; some kinds require none. Half of the
 * writes call the operation that was generated least often, so that a few hundred writes cover all operations.
 */
export const nextWrite = (writer: Writer): GeneratedWrite => {
  for (const { operation, kind } of kindsInOrder(writer)) {
    const write = kind(writer)
    if (write === undefined) continue
    const request = `${write.method} ${write.path.replace(/\?.*/, "")}`
    if (!patterns.get(operation)!.test(request)) throw new Error(`${request} is not ${operation}.`)
    writer.generated.set(operation, (writer.generated.get(operation) ?? 0) + 1)
    return { ...write, operation }
  }
  throw new Error("No write can be generated, although some require no resource.")
}
