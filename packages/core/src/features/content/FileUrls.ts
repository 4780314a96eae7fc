/**
 * Signed URLs of files. They require no token. Each names the viewer that it was created for, and is valid while the file
 * exists and the viewer can read the space: a revoked membership, grant or share link also revokes the URLs.
 */

import {
  Access,
  type Authorization,
  CurrentUser,
  type Identity,
  isFromSso,
  roleOn,
  SystemGrant,
  VisitorAccess
} from "@lectern/access"
import {
  BlobHash,
  dependOnScopes,
  makeLinkBase,
  type Records,
  Signatures,
  type StorageUnavailable
} from "@lectern/kernel"
import { CacheScope, type FileRecord, type SpaceRow, spaces } from "@lectern/kernel/tables"
import * as Placement from "@lectern/model/collections"
import { resource } from "@lectern/model/schema"
import { SiteId } from "@lectern/model/sites"
import { SpaceId } from "@lectern/model/spaces"
import { UserId } from "@lectern/model/users"
import { Clock, Context, Effect, Layer, Schema } from "effect"

/** The parameters of the URL of a file. */
export class Download extends resource<Download>()(
  Schema.Struct({
    /** The space that the file belongs to. */
    space: SpaceId,
    /** The hash of the bytes. */
    hash: BlobHash,
    /** The name that the file is saved under. */
    name: Schema.String,
    /** The media type that the bytes are served as. */
    contentType: Schema.String,
    /** The viewer that the URL was created for: see `viewerOf`. */
    viewer: Schema.String
  })
) {}

/** The path prefix of downloads, followed by the space, the hash and the name. */
export const downloadsPath = "/files/"

/** How long the URLs in a PDF are valid, in seconds: 30 days. A PDF is stored for all users who can read the content. */
const sharedLifetimeSeconds = 30 * 24 * 60 * 60

/** Expiries are multiples of this, so that URLs of equal PDFs are equal. */
const expirySteps = 24 * 60 * 60

const partsOf = ({ space, hash, name, contentType, viewer }: Download) => [
  "file",
  space,
  hash,
  name,
  contentType,
  viewer
]

/**
 * Returns the viewer of URLs for an identity: `user.<id>`, `login.<id>` for a user who has logged in by single sign-on, or
 * `site.<id>.<share key>` for a visitor. `until.<seconds>` is anyone, until that time.
 */
const viewerOf = (identity: Identity | undefined, organization: SpaceRow["organization"]): string => {
  if (identity === undefined || identity.visitor === "anonymous") return "nobody"
  const { id, visitor } = identity
  if (visitor !== undefined) return `site.${visitor.site}.${visitor.shareKey ?? ""}`
  return `${isFromSso(identity, organization) ? "login" : "user"}.${id}`
}

/** The readers of a file: no client, the viewer of its URL, or everyone because a public site shows its space. */
type FileReaders = "nobody" | "viewer" | "everyone"

type ViewedSpace = Pick<SpaceRow, "id" | "organization" | "path" | "level">

const makeFileReaders = Effect.gen(function* () {
  const access = yield* Access
  const visitors = yield* VisitorAccess

  /** Whether a user can read a space. `hasLoggedIn` is whether the URL was created for a single sign-on login. */
  const canUserRead = (user: string, hasLoggedIn: boolean, space: ViewedSpace) =>
    Effect.map(
      access.loadCaller(UserId.make(user), space.organization, [
        space.id,
        ...Placement.ancestorsOf(space.path)
      ]),
      (caller) =>
        caller !== undefined && (hasLoggedIn || !caller.ssoRequired) && roleOn(caller, space) !== null
    )

  /** Returns the visibility of a published site that shows a space to visitors with this share key. */
  const visibilityOn = (site: string, shareKey: string, space: ViewedSpace) =>
    visitors
      .load({
        organization: space.organization,
        site: SiteId.make(site),
        ...(shareKey === "" ? {} : { shareKey })
      })
      .pipe(
        Effect.map(({ structure, link }) => {
          const { published, visibility } = structure.site
          const isAdmitted = published && (visibility !== "share-link" || link?.active === true)
          const isShown = structure.siteSpaces.some((siteSpace) => siteSpace.space === space.id)
          return isAdmitted && isShown ? visibility : undefined
        }),
        Effect.catchTag("NotFound", () => Effect.succeed(undefined))
      )

  /** Returns who can read a space: this viewer, everyone because a public site shows it, or no client. */
  const readersOf = Effect.fnUntraced(function* (
    viewer: string,
    space: ViewedSpace
  ): Effect.fn.Return<FileReaders, StorageUnavailable> {
    const ifRead = (isRead: boolean): FileReaders => (isRead ? "viewer" : "nobody")
    const [kind, id = "", shareKey = ""] = viewer.split(".")
    switch (kind) {
      case "user":
      case "login":
        return ifRead(yield* canUserRead(id, kind === "login", space))
      case "site": {
        const visibility = yield* visibilityOn(id, shareKey, space)
        const isPublic = visibility === "public" || visibility === "unlisted"
        return isPublic ? "everyone" : ifRead(visibility !== undefined)
      }
      case "until":
        return ifRead((yield* Clock.currentTimeMillis) < Number(id) * 1_000)
      default:
        return "nobody"
    }
  })

  return { readersOf }
})

const makeFileUrls = Effect.gen(function* () {
  const signatures = yield* Signatures
  const { grant } = yield* SystemGrant.make("Serves files to visitors who have a signed URL.")
  const linkBase = yield* makeLinkBase
  const { readersOf } = yield* makeFileReaders

  /** Returns who can read the space of a URL that this workspace has signed. */
  const signedReaders = Effect.fnUntraced(function* (
    download: Download,
    signature: string
  ): Effect.fn.Return<FileReaders, StorageUnavailable> {
    if (!(yield* signatures.verify(signature, ...partsOf(download)))) return "nobody"
    const space = yield* grant.records.get(spaces, { id: download.space }, [
      "id",
      "organization",
      "path",
      "level",
      "deletedAt"
    ])
    yield* dependOnScopes([CacheScope.space(download.space)])
    return space === undefined || space.deletedAt !== null
      ? "nobody"
      : yield* readersOf(download.viewer, space)
  })

  const allowSigned: Authorization<
    { readonly file: Download; readonly signature: string },
    { readonly readers: FileReaders },
    never,
    never
  > = {
    rule: { kind: "visitor", why: "a signed URL names the file, for a viewer who can read the space" },
    check: ({ file, signature }) =>
      Effect.map(signedReaders(file, signature), (readers) => ({ readers, grant }))
  }

  const urlsFor = (space: SpaceId, viewer: string) =>
    Effect.zipWith(
      signatures.signer,
      linkBase,
      (sign, base) =>
        ({ hash, name, contentType }: FileRecord): string => {
          const query = new URLSearchParams({
            type: contentType,
            for: viewer,
            signature: sign(...partsOf({ space, hash, name, contentType, viewer }))
          })
          return `${base}${downloadsPath}${space}/${hash}/${encodeURIComponent(name)}?${query}`
        }
    )

  return {
    /**
     * Authorizes a download by the signature of its URL and the access of its viewer. The grant reports who can read
     * the file: no client, if the URL is forged or revoked, which is indistinguishable from that of a missing file.
     */
    allowSigned,

    /** Returns the function that signs URLs of the files of a space for the current user or visitor. */
    in: (space: Pick<SpaceRow, "id" | "organization">) =>
      Effect.withFiber((fiber) =>
        urlsFor(space.id, viewerOf(Context.getOrUndefined(fiber.context, CurrentUser), space.organization))
      ),

    /** Returns the function that signs URLs of the files of a space for everyone, which are valid for 30 days. */
    shared: (space: Pick<SpaceRow, "id">) =>
      Effect.flatMap(Clock.currentTimeMillis, (time) => {
        const until = Math.ceil((time / 1_000 + sharedLifetimeSeconds) / expirySteps) * expirySteps
        return urlsFor(space.id, `until.${until}`)
      }),

    /** The viewer of the URLs that `in` signs, as a part of cache keys. */
    viewer: (space: Pick<SpaceRow, "organization">): Effect.Effect<string> =>
      Effect.withFiber((fiber) =>
        Effect.succeed(viewerOf(Context.getOrUndefined(fiber.context, CurrentUser), space.organization))
      )
  }
})

/** The methods of {@link FileUrls}. */
export interface FileUrlsService extends Effect.Success<typeof makeFileUrls> {}

/** Signs and verifies the URLs of files. */
export class FileUrls extends Context.Service<FileUrls, FileUrlsService>()("@lectern/core/FileUrls") {
  static readonly layer: Layer.Layer<FileUrls, never, Signatures | Records | Access | VisitorAccess> =
    Layer.effect(FileUrls, makeFileUrls)
}
