/**
 * Derives kinds of writes from the table of operations, for operations without a kind of their own: a request to a resource of
 * the writer with the body of the row, after which the resource still exists. Write a kind by hand for an operation that
 * deletes, that changes the subjects of other facts, or whose resource can disappear with another one.
 */
import { type Operation, operations } from "@lectern/harness/operations"
import {
  byRow,
  type Created,
  exists,
  pickOne,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

/** Path parameters with their values. */
type Ids = Readonly<Record<string, string>>

/** Selects a resource of the writer by the path parameter that names it, with the parameters of the resources above it. */
const resources: Readonly<Record<string, (writer: Writer) => Ids | undefined>> = {
  organizationId: ({ organization }) => ({ organizationId: organization }),
  spaceId: (writer) => idIn(writer, "spaceId", writer.spaces),
  collectionId: (writer) => idIn(writer, "collectionId", writer.collections),
  siteId: (writer) => idIn(writer, "siteId", writer.sites),
  teamId: (writer) => idIn(writer, "teamId", writer.teams),
  inviteId: (writer) => idIn(writer, "inviteId", writer.invites),
  specSlug: (writer) => idIn(writer, "specSlug", writer.specs),
  integrationName: (writer) => idIn(writer, "integrationName", writer.integrations),
  tokenId: (writer) => idIn(writer, "tokenId", writer.tokens),
  samlProviderId: (writer) => idIn(writer, "samlProviderId", writer.samlProviders),
  oidcProviderId: (writer) => idIn(writer, "oidcProviderId", writer.oidcProviders),
  pageId: (writer) =>
    idsOf(pickOne(writer, writer.pages), ({ space, id }) => ({ spaceId: space, pageId: id })),
  siteSpaceId: (writer) => partIn(writer, "siteSpaceId", writer.siteSpaces),
  siteSectionId: (writer) => partIn(writer, "siteSectionId", writer.sections),
  siteSectionGroupId: (writer) => partIn(writer, "siteSectionGroupId", writer.sectionGroups),
  shareLinkId: (writer) => partIn(writer, "shareLinkId", writer.shareLinks),
  siteRedirectId: (writer) => partIn(writer, "siteRedirectId", writer.redirects),
  installationId: (writer) =>
    idsOf(pickOne(writer, writer.installations), ({ integration, id }) => ({
      integrationName: integration,
      installationId: id
    }))
}

const idsOf = <A>(found: A | undefined, toIds: (found: A) => Ids): Ids | undefined =>
  found === undefined ? undefined : toIds(found)

const idIn = (writer: Writer, parameter: string, ids: ReadonlyArray<string>): Ids | undefined =>
  idsOf(pickOne(writer, ids), (id) => ({ [parameter]: id }))

const partIn = (
  writer: Writer,
  parameter: string,
  parts: ReadonlyArray<{ readonly site: string; readonly id: string }>
): Ids | undefined => idsOf(pickOne(writer, parts), ({ site, id }) => ({ siteId: site, [parameter]: id }))

const parametersOf = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/:(\w+)/g), ([, parameter]) => parameter!)

/** Selects a value for each parameter of a path, the innermost resource first. Undefined if the writer lacks a resource. */
const idsFor = (writer: Writer, path: string): Ids | undefined => {
  let ids: Ids = {}
  for (const parameter of parametersOf(path).toReversed()) {
    if (parameter in ids) continue
    const found = resources[parameter]!(writer)
    if (found === undefined) return undefined
    ids = { ...found, ...ids }
  }
  return ids
}

const readablePaths = new Set(operations.flatMap(({ method, path }) => (method === "GET" ? [path] : [])))

/** Returns the path of the innermost resource in a path that a GET request returns. */
const readablePathIn = (path: string): string | undefined => {
  const ends = Array.from(path.matchAll(/:\w+/g), ({ 0: { length }, index }) => index + length)
  return ends
    .toReversed()
    .map((end) => path.slice(0, end))
    .find((prefix) => readablePaths.has(prefix))
}

const filled = (path: string, ids: Ids): string =>
  path.replace("/v1", "").replaceAll(/:(\w+)/g, (_, parameter: string) => ids[parameter]!)

const kindOf =
  ({ id, path }: Operation): WriteKind =>
  (writer) => {
    const ids = idsFor(writer, path)
    if (ids === undefined) return undefined
    const target = readablePathIn(path)
    const itemPath = [...readablePaths].find(
      (other) => other.startsWith(`${path}/:`) && !other.slice(path.length + 1).includes("/")
    )
    const facts = target === undefined ? [] : [exists(filled(target, ids))]
    return {
      ...byRow(writer, id, ids),
      facts,
      done: (body: Created) =>
        itemPath === undefined || typeof body?.id !== "string"
          ? []
          : [exists(filled(itemPath, { ...ids, [parametersOf(itemPath).at(-1)!]: body.id }))]
    }
  }

/** The derived kinds of the operations that `isWritten` does not contain. */
export const deriveWrites = (isWritten: ReadonlySet<string>): WriteKinds =>
  Object.fromEntries(
    operations
      .filter(
        ({ id, isWrite, method, path }) =>
          isWrite &&
          method !== "DELETE" &&
          !isWritten.has(id) &&
          parametersOf(path).every((parameter) => parameter in resources)
      )
      .map((operation) => [operation.id, [kindOf(operation)]])
  )
