/** Copies an organization: the order of the steps. */
import { Effect } from "effect"
import { ConfigurationError } from "../settings/Setting.ts"
import type { Item, RequestFailed } from "./ApiClient.ts"
import { type MigrationContext, step, textOf } from "./Context.ts"
import { copyBodies } from "./copyBodies.ts"
import { copyChangeRequests } from "./copyChangeRequests.ts"
import { copyFiles } from "./copyFiles.ts"
import { copyPages, copyReusableContents, laterFields, pageFields } from "./copyPages.ts"
import { copyMembers, copyTeams } from "./copyPeople.ts"
import { copySites } from "./copySites.ts"
import {
  copyPermissions,
  copyPlaces,
  copySpaceSettings,
  organizationPath,
  type Places,
  readPlaces,
  titleOf
} from "./copySpaces.ts"
import { copyGlossary, copySpecs, copyTranslations } from "./copySpecs.ts"
import { readContent, type SourceContent } from "./SourceContent.ts"

/** A space with its copy. */
interface CopiedSpace {
  readonly space: Item
  readonly copy: string
  readonly revision: string
  readonly content: SourceContent
}

/** The lists of the target whose items are not copies, because they existed before. */
const existingLists: Readonly<Record<string, string>> = {
  collection: "collections?nested=true",
  space: "spaces",
  site: "sites",
  team: "teams",
  translation: "translations"
}

/** Fails if an organization cannot be read. */
const requireAccess = (read: Effect.Effect<unknown, RequestFailed>, what: string) =>
  Effect.mapError(
    read,
    ({ message }) =>
      new ConfigurationError({ message: `The organization of the ${what} cannot be read: ${message}` })
  )

const recordExisting = Effect.fnUntraced(function* ({ target, journal }: MigrationContext) {
  const path = organizationPath(journal.migration.toOrganization)
  for (const [kind, list] of Object.entries(existingLists)) {
    if (journal.existing(kind) !== undefined) continue
    const items = yield* requireAccess(target.list(`${path}/${list}`), "target") as Effect.Effect<
      ReadonlyArray<Item>,
      ConfigurationError
    >
    yield* journal.recordExisting(
      kind,
      items.map(({ id }) => id)
    )
  }
})

/** Copies the files, the reusable contents and the pages of a space, without their bodies. */
const copyContent = (context: MigrationContext, space: Item, copy: string) =>
  step(context, `content/${space.id}`, `space ${textOf(space.title)}`, (findings) =>
    Effect.gen(function* () {
      const { journal, source } = context
      const note = `revision/${space.id}`
      // A later run continues with the same revision, also if the source has changed.
      if (journal.noteOf(note) === undefined) yield* journal.note(note, textOf(space.revision))
      const revision = `/spaces/${space.id}/revisions/${journal.noteOf(note)}`
      const content = yield* readContent(source, revision)
      yield* copyFiles(context, space.id, content.files, `/spaces/${copy}/content`, findings)
      yield* copyReusableContents(context, space.id, copy, content.reusableContents)
      const isComplete = content.pages.every(
        ({ page }) => journal.idOf(`page/${space.id}/${page.id}`) !== undefined
      )
      // Reported by every run, also if an earlier one has inserted the pages.
      for (const { page } of content.pages) pageFields(context, space.id, page, findings, laterFields)
      if (!isComplete) yield* copyPages(context, space.id, copy, content.pages)
      return { space, copy, revision, content } satisfies CopiedSpace
    })
  )

const copySpaces = Effect.fnUntraced(function* (context: MigrationContext, { collections, spaces }: Places) {
  const { journal, progress, skipped } = context
  const copied: Array<CopiedSpace> = []
  for (const space of spaces) {
    const copy = journal.idOf(`space/${space.id}`)
    const content = copy === undefined ? undefined : yield* copyContent(context, space, copy)
    if (content !== undefined) copied.push(content)
    yield* progress(`${textOf(space.title)}: ${content?.content.pages.length ?? 0} pages`)
  }
  // Bodies refer to pages of other spaces: they are copied when all pages exist.
  for (const { space, copy, revision, content } of copied) {
    const targetPath = `/spaces/${copy}/content`
    yield* copyBodies(context, { space: space.id, revision, targetPath, title: textOf(space.title) }, content)
    if (!skipped.has("change-requests")) yield* copyChangeRequests(context, space, copy)
    yield* copySpaceSettings(context, space, copy)
  }
  if (skipped.has("permissions")) return
  for (const [kind, items] of [["collection", collections] as const, ["space", spaces] as const]) {
    for (const item of items) {
      const copy = journal.idOf(`${kind}/${item.id}`)
      if (copy === undefined) continue
      const paths = { from: `/${kind}s/${item.id}`, to: `/${kind}s/${copy}` }
      yield* copyPermissions(context, `${kind}/${item.id}`, `${kind} ${titleOf(item)}`, paths)
    }
  }
})

/** Copies an organization. Repeated, it continues an interrupted run, and repeats the steps that failed. */
export const migrateOrganization = Effect.fnUntraced(function* (
  context: MigrationContext
): Effect.fn.Return<void, ConfigurationError> {
  const { source, target, journal, progress, skipped } = context
  const { fromOrganization, toOrganization } = journal.migration
  yield* requireAccess(source.get(organizationPath(fromOrganization)), "source")
  yield* requireAccess(target.get(organizationPath(toOrganization)), "target")
  yield* recordExisting(context)
  const places = yield* requireAccess(readPlaces(context), "source") as Effect.Effect<
    Places,
    ConfigurationError
  >
  yield* copyMembers(context)
  if (!skipped.has("members")) yield* copyTeams(context)
  if (!skipped.has("openapi")) yield* copySpecs(context)
  yield* copyPlaces(context, places)
  yield* progress(`${places.collections.length} collections and ${places.spaces.length} spaces`)
  yield* copySpaces(context, places)
  if (!skipped.has("sites")) yield* copySites(context)
  if (skipped.has("translations")) return
  yield* copyTranslations(context)
  yield* copyGlossary(context)
})
