/** Operations that export content as the files of a repository: Markdown, a table of contents, and files. */

import { type Operation, Operations, type Query } from "@lectern/access"
import { ImportReader } from "@lectern/formats"
import { Ids, type StorageUnavailable } from "@lectern/kernel"
import { spaces } from "@lectern/kernel/tables"
import { slugOf } from "@lectern/markdown/text"
import type { RevisionId } from "@lectern/model/content"
import { ContentOf } from "@lectern/model/content"
import type { Conflict, Gone } from "@lectern/model/errors"
import type { ExportUrl } from "@lectern/model/exports"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect, Layer, Schema } from "effect"
import { ContentAccess, type ContentError } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { archiveRepositories, requireConverter } from "./archiveRepositories.ts"
import { ExportArchives, type ExportDownload } from "./ExportArchives.ts"
import { ExportAddress, ExportUrls } from "./ExportUrls.ts"

/** Operations that export content, on behalf of the `CurrentUser`. */
export interface ExportsOperations {
  /**
   * Returns a signed URL that serves the content as a ZIP archive for an hour: of a space, of a change request, or of a
   * revision. Requires the permission to read the content.
   */
  readonly getUrl: Query<{ content: ContentOf }, ExportUrl, ContentError>
  /**
   * Returns an archive to any client that has its signed URL, without a user. It is produced once for all downloads, which
   * read it while it is produced, and stored for 3 hours; if too many archives are produced, the result is the limit. Returns
   * undefined if the signature is invalid or the content no longer exists. Fails with `Gone` if the URL has expired, and with `Conflict` if the content has more files than an archive can have, or the workspace has no import
   * reader, which parses the originals of imported pages.
   */
  readonly download: Operation<
    { archive: ExportAddress; signature: string },
    ExportDownload | undefined,
    Conflict | Gone | StorageUnavailable,
    never
  >
}

const makeExports = Effect.gen(function* () {
  const { query } = yield* Operations
  const access = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* ExportUrls
  const archives = yield* ExportArchives
  const ids = yield* Ids
  const read = yield* ImportReader

  return {
    getUrl: query(
      "Exports.getUrl",
      { parameters: { content: ContentOf }, authorize: access.allow("read"), audited: true },
      function* (_, { space, revision }) {
        const name = `${slugOf(space.title, "content")}.zip`
        return { url: yield* urls.sign({ space: space.id, revision: revision.id, name }) } satisfies ExportUrl
      }
    ),

    download: query(
      "Exports.download",
      { parameters: { archive: ExportAddress, signature: Schema.String }, authorize: urls.allowSigned },
      function* ({ archive }, { isSigned, grant }) {
        if (!isSigned) return undefined
        const { records } = grant
        const space = yield* records.get(spaces, { id: archive.space as SpaceId }, [
          "id",
          "organization",
          "deletedAt"
        ])
        if (space === undefined || space.deletedAt !== null) return undefined
        const revision = yield* access
          .revisionOf(records, space.id, archive.revision as RevisionId)
          .pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))
        if (revision === undefined) return undefined
        const services = { store, read: yield* requireConverter(read), mark: yield* ids.next }
        return yield* archives.get({
          organization: space.organization,
          content: ["content", revision.root],
          archive: archiveRepositories(services, [{ folder: "", tree: access.treeAt(revision.root) }])
        })
      }
    )
  }
})

/** Operations that export content: see {@link ExportsOperations}. */
export class Exports extends Context.Service<Exports, ExportsOperations>()("@lectern/core/Exports") {
  static readonly layer: Layer.Layer<
    Exports,
    never,
    Operations | ContentAccess | ContentStore | ExportArchives | ExportUrls | Ids
  > = Layer.effect(Exports, makeExports)
}
