/** Operations that export a site: its spaces as repositories, in folders. */

import {
  Access,
  type AccessError,
  loadStructure,
  type Operation,
  Operations,
  type Query
} from "@lectern/access"
import { ImportReader } from "@lectern/formats"
import { Ids, type ReadableRecords, type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  isDefault,
  type SiteRow,
  type SiteSpaceRow,
  type SpaceRow,
  type Structure,
  siteSpaces,
  siteSpacesInOrder,
  sites,
  spaces
} from "@lectern/kernel/tables"
import { slugOf } from "@lectern/markdown/text"
import { type Conflict, Forbidden, Gone } from "@lectern/model/errors"
import type { ExportUrl } from "@lectern/model/exports"
import { OrganizationId } from "@lectern/model/organizations"
import { SiteId } from "@lectern/model/sites"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import { Context, Effect, Layer, Schema } from "effect"
import { ContentAccess } from "../content/ContentAccess.ts"
import { ContentStore } from "../content/ContentStore.ts"
import { archiveRepositories, requireConverter } from "./archiveRepositories.ts"
import { ExportArchives, type ExportDownload } from "./ExportArchives.ts"
import { ExportUrls, SiteExportAddress } from "./ExportUrls.ts"

/** Operations that export sites, on behalf of the `CurrentUser`. */
export interface SiteExportsOperations {
  /**
   * Returns a signed URL that serves the current content of all spaces of a site as a ZIP archive for an hour. Requires the
   * role `create`, and the permission to read every space of the site: fails with `Forbidden` otherwise.
   */
  readonly getUrl: Query<{ organization: OrganizationId; site: SiteId }, ExportUrl, AccessError>
  /**
   * Returns an archive to any client that has its signed URL, without a user, as {@link Exports} does. Returns undefined if the signature is invalid or the site no longer exists. Fails with `Gone` if the URL has
   * expired or the spaces of the site have changed, and with `Conflict` if the content has more files than an archive can have,
   * or the workspace has no import reader.
   */
  readonly download: Operation<
    { siteArchive: SiteExportAddress; signature: string },
    ExportDownload | undefined,
    Conflict | Gone | StorageUnavailable,
    never
  >
}

/** A space of a site, with its folder in the archive. */
interface SiteFolder {
  readonly siteSpace: SiteSpaceRow
  readonly space: SpaceRow
  /** A path that ends with a slash. */
  readonly folder: string
}

/** The folder of a site-space: its path, below the path of its section. */
const folderOf = ({ sectionById }: Structure, { section, path }: SiteSpaceRow): string => {
  const parent = section === null ? undefined : sectionById.get(section)
  return parent === undefined ? `${path}/` : `${parent.path}/${path}/`
}

/** Identifies the spaces of a site and their folders. */
const digestOf = (folders: ReadonlyArray<SiteFolder>): string =>
  sha256Hex(folders.map(({ space, folder }) => `${folder} ${space.id}`).join("\n"))

/** The name of the file that describes the site. */
const descriptionFile = "site.json"

/** Describes the structure of the site, for programs that import its folders. */
const describeSite = (structure: Structure, folders: ReadonlyArray<SiteFolder>): Uint8Array =>
  utf8ToBytes(
    `${JSON.stringify(
      {
        title: structure.site.title,
        spaces: folders.map(({ siteSpace, space, folder }) => {
          const section = structure.sectionById.get(siteSpace.section ?? "")
          return {
            folder: folder.slice(0, -1),
            title: space.title,
            path: siteSpace.path,
            default: isDefault(structure, siteSpace),
            ...(section === undefined ? {} : { section: { title: section.title, path: section.path } })
          }
        })
      },
      undefined,
      2
    )}\n`
  )

/** Loads the structure of a site with its spaces, in the order of the site. Spaces in the trash are on no site. */
const loadFolders = Effect.fnUntraced(function* (
  records: ReadableRecords<Table.AnyTable>,
  site: SiteRow
): Effect.fn.Return<
  { readonly structure: Structure; readonly folders: ReadonlyArray<SiteFolder> },
  StorageUnavailable
> {
  const structure = yield* loadStructure(records, site)
  const rows = yield* records.find(spaces, { where: whereOnSite(records, site.id) })
  const spaceById = new Map(rows.map((row) => [row.id, row]))
  const folders = siteSpacesInOrder(structure).flatMap((siteSpace) => {
    const space = spaceById.get(siteSpace.space)
    return space === undefined ? [] : [{ siteSpace, space, folder: folderOf(structure, siteSpace) }]
  })
  return { structure, folders }
})

const whereOnSite = (records: ReadableRecords<Table.AnyTable>, site: SiteId): Where.Where<SpaceRow> =>
  records.inSelect<SpaceRow, "id", typeof siteSpaces, "space">(
    "id",
    siteSpaces,
    "space",
    Where.eq<SiteSpaceRow, "site">("site", site)
  )

const makeSiteExports = Effect.gen(function* () {
  const { query, allow } = yield* Operations
  const access = yield* Access
  const content = yield* ContentAccess
  const store = yield* ContentStore
  const urls = yield* ExportUrls
  const archives = yield* ExportArchives
  const ids = yield* Ids
  const read = yield* ImportReader

  return {
    getUrl: query(
      "SiteExports.getUrl",
      {
        parameters: { organization: OrganizationId, site: SiteId },
        authorize: allow.site("edit"),
        audited: true
      },
      function* (_, { caller, site, records }) {
        const { folders } = yield* loadFolders(records, site)
        const visible = yield* records.count(
          spaces,
          Where.and<SpaceRow>(whereOnSite(records, site.id), yield* access.whereVisible(caller))
        )
        if (visible < folders.length) {
          return yield* new Forbidden({
            reason: "RoleTooLow",
            message: `The site has ${folders.length - visible} spaces that you cannot read. An export requires the role read on each space.`
          })
        }
        const url = yield* urls.sign({
          organization: site.organization,
          site: site.id,
          spaces: digestOf(folders),
          name: `${slugOf(site.title, "site")}.zip`
        })
        return { url } satisfies ExportUrl
      }
    ),

    download: query(
      "SiteExports.download",
      {
        parameters: { siteArchive: SiteExportAddress, signature: Schema.String },
        authorize: urls.allowSignedSite
      },
      function* ({ siteArchive: archive }, { isSigned, grant }) {
        if (!isSigned) return undefined
        const { records } = grant
        const site = yield* records.get(sites, { id: archive.site as SiteId })
        if (site?.organization !== archive.organization) return undefined
        const { structure, folders } = yield* loadFolders(records, site)
        if (digestOf(folders) !== archive.spaces) {
          return yield* new Gone({
            reason: "AddressExpired",
            message: "The spaces of the site have changed since the URL was signed. Request a new one."
          })
        }
        const trees = []
        const roots = []
        for (const { space, folder } of folders) {
          const revision = yield* content
            .revisionOf(records, space.id, space.revision)
            .pipe(Effect.catchTag("NotFound", () => Effect.succeed(undefined)))
          if (revision === undefined) continue
          trees.push({ folder, tree: content.treeAt(revision.root) })
          roots.push(folder, revision.root)
        }
        const services = { store, read: yield* requireConverter(read), mark: yield* ids.next }
        const description = describeSite(structure, folders)
        return yield* archives.get({
          organization: site.organization,
          content: ["site", sha256Hex(description), ...roots],
          archive: archiveRepositories(services, trees, [{ path: descriptionFile, content: description }])
        })
      }
    )
  }
})

/** Operations that export sites: see {@link SiteExportsOperations}. */
export class SiteExports extends Context.Service<SiteExports, SiteExportsOperations>()(
  "@lectern/core/SiteExports"
) {
  static readonly layer: Layer.Layer<
    SiteExports,
    never,
    Operations | Access | ContentAccess | ContentStore | ExportArchives | ExportUrls | Ids
  > = Layer.effect(SiteExports, makeSiteExports)
}
