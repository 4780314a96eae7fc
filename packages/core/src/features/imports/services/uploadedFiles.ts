/** Imports files that the user has uploaded: one archive, or up to 20 documents. */

import type { GrantedReader } from "@lectern/access"
import type { FetchedContent, ImportLimitsSettings, ReadPage } from "@lectern/formats"
import { type Fetch, now, type StorageUnavailable, Where } from "@lectern/kernel"
import { type StagedUploadRow, stagedUploads, type UploadedFile } from "@lectern/kernel/tables"
import { InvalidInput, UpstreamFailed } from "@lectern/model/errors"
import type { UploadedFileType } from "@lectern/model/imports"
import { bounds, type ImportSource } from "@lectern/model/imports"
import type { OrganizationId } from "@lectern/model/organizations"
import { unescaped } from "@lectern/model/schema"
import type { UploadKey } from "@lectern/model/uploads"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { fetchDocument } from "../document.ts"
import type { FetchError, ImportContext } from "../ImportContext.ts"
import { openSource } from "../repository/archive.ts"
import { openArchive } from "../repository/openArchive.ts"
import type { FetchedSource } from "./prepareImport.ts"

/**
 * The URL that the names of uploaded files are relative to. It identifies files of earlier imports, as the URL of a source does,
 * and is never fetched: the top-level domain is reserved.
 */
const uploadsBase = "https://uploads.invalid/"

/** Returns the URL that identifies an uploaded file. */
export const urlOfUpload = (name: string): string => uploadsBase + encodeURIComponent(name)

/** Returns the name of the uploaded file with a URL. Returns other URLs and paths unchanged. */
export const nameOfUpload = (url: string): string =>
  url.startsWith(uploadsBase) ? unescaped(url.slice(uploadsBase.length)) : url

const mediaTypes: Readonly<Record<UploadedFileType, string>> = {
  markdown: "text/markdown",
  html: "text/html",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  zip: "application/zip",
  tarball: "application/gzip"
}

const extensions: ReadonlyArray<readonly [pattern: RegExp, type: UploadedFileType]> = [
  [/\.(?:md|markdown)$/i, "markdown"],
  [/\.x?html?$/i, "html"],
  [/\.docx$/i, "docx"],
  [/\.zip$/i, "zip"],
  [/\.(?:tar|tgz|tar\.gz)$/i, "tarball"]
]

/** Returns the format of a file by the extension of its name, or else by its declared media type. */
const typeOfFile = ({ name, contentType }: StagedUploadRow): UploadedFileType | undefined => {
  const byName = extensions.find(([pattern]) => pattern.test(name))
  if (byName !== undefined) return byName[1]
  const declared = contentType.split(";", 1)[0]!.trim().toLowerCase()
  const types: Readonly<Record<string, UploadedFileType>> = {
    ...Object.fromEntries(Object.entries(mediaTypes).map(([type, media]) => [media, type])),
    "application/xhtml+xml": "html",
    "application/x-tar": "tarball"
  }
  return Object.hasOwn(types, declared) ? types[declared] : undefined
}

/** Whether a file is an archive. */
export const isArchive = (type: UploadedFileType): boolean => type === "zip" || type === "tarball"

const maximumBytesOf = (type: UploadedFileType, { archiveBytes }: ImportLimitsSettings): number => {
  if (isArchive(type)) return archiveBytes
  return type === "docx" ? bounds.archiveBytes : bounds.pageBytes
}

/**
 * Returns the files that a user has uploaded for an import, by their keys. Fails with `InvalidInput` if a key is not one of
 * these, if a file is not complete, or if the files cannot be imported together.
 */
export const requireUploads = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  user: UserId,
  keys: ReadonlyArray<UploadKey>,
  limits: ImportLimitsSettings
): Effect.fn.Return<ReadonlyArray<UploadedFile>, InvalidInput | StorageUnavailable> {
  const rows = yield* records.find(stagedUploads, {
    where: Where.and<StagedUploadRow>(
      Where.eq("organization", organization),
      Where.eq("user", user),
      Where.isIn("id", keys),
      Where.gt("expiresAt", yield* now)
    )
  })
  const byKey = new Map(rows.map((row) => [row.id, row]))
  const files: Array<UploadedFile> = []
  for (const [index, key] of keys.entries()) {
    const invalid = (message: string) => InvalidInput.at(`source.files[${index}]`, message)
    const row = byKey.get(key)
    if (row === undefined) {
      return yield* invalid("must be the key of a file that you have uploaded here in the last 24 hours")
    }
    if (row.kind !== "import_file") return yield* invalid("must be the key of a file of the kind import_file")
    if (row.hash === null) return yield* invalid("must be the key of a file that is uploaded completely")
    const type = typeOfFile(row)
    if (type === undefined) {
      return yield* invalid("must be a file of the format Markdown, HTML, docx, zip, tar or tar.gz")
    }
    if (isArchive(type) && keys.length > 1)
      return yield* invalid("must be the only file, as it is an archive")
    const limit = maximumBytesOf(type, limits)
    if (row.size > limit) return yield* invalid(`must be a file of at most ${limit} bytes`)
    if (files.some(({ name }) => name === row.name))
      return yield* invalid("must have another name than others")
    files.push({ key, name: row.name, type, hash: row.hash })
  }
  return files
})

/** Returns the URL that identifies the source of an import of uploaded files. Documents are identified one by one. */
export const urlOfUploads = ([file]: ReadonlyArray<UploadedFile>): string =>
  file !== undefined && isArchive(file.type) ? urlOfUpload(file.name) : uploadsBase

/** Names a file instead of `url`, which is not a field of the request, in the error of a file. */
const named = (name: string) =>
  Effect.mapError((error: FetchError) =>
    error._tag === "InvalidInput" ? InvalidInput.at(name, error.details[0]?.message ?? error.message) : error
  )

/** Restores the relative links of a page, of which the reader has made URLs. */
const withRelativeLinks = (page: ReadPage): ReadPage => ({
  ...page,
  targets: page.targets.map((target) =>
    target.otherwise.startsWith(uploadsBase)
      ? { ...target, otherwise: target.otherwise.slice(uploadsBase.length) || "/" }
      : target
  )
})

/** Returns documents with the links between them. Only images with other URLs are fetched. */
const readDocuments = Effect.fnUntraced(function* (
  context: ImportContext,
  documents: ReadonlyArray<UploadedFile & { readonly bytes: Uint8Array }>
): Effect.fn.Return<FetchedContent, FetchError> {
  const byUrl = new Map(documents.map((file) => [urlOfUpload(file.name), file]))
  const fetch: Fetch = (request) => {
    const file = byUrl.get(request.url)
    if (file !== undefined) {
      const { url } = request
      return Effect.succeed({ url, status: 200, contentType: mediaTypes[file.type], body: file.bytes })
    }
    return request.url.startsWith(uploadsBase)
      ? Effect.fail(new UpstreamFailed({ reason: "FetchFailed", message: "The file is not uploaded." }))
      : context.fetch(request)
  }
  const read: Array<FetchedContent> = []
  for (const { name, type } of documents) {
    const source = type as Extract<ImportSource, "markdown" | "html" | "docx">
    read.push(yield* named(name)(fetchDocument({ ...context, fetch }, source, urlOfUpload(name))))
  }
  return {
    pages: read.flatMap(({ pages }) => pages.map((one) => ({ ...one, page: withRelativeLinks(one.page) }))),
    files: [...new Map(read.flatMap(({ files }) => files.map((file) => [file.resource, file]))).values()],
    total: read.reduce((total, one) => total + one.total, 0),
    skipped: read.flatMap(({ skipped }) =>
      skipped.map((one) => ({ ...one, resource: nameOfUpload(one.resource) }))
    ),
    navigation: [],
    resourceOf: (url) => {
      const [address = ""] = url.split("#", 1)
      if (byUrl.has(address)) return address
      for (const { resourceOf } of read) {
        const resource = resourceOf(url)
        if (resource !== undefined) return resource
      }
      return undefined
    },
    git: undefined
  }
})

/** Reads uploaded files as the source of an import. Fails with `InvalidInput` if a file is no longer stored. */
export const readUploads = Effect.fnUntraced(function* (
  context: ImportContext,
  uploads: ReadonlyArray<UploadedFile>,
  load: (file: UploadedFile) => Effect.Effect<Uint8Array | undefined, StorageUnavailable>,
  source: ImportSource
): Effect.fn.Return<FetchedSource, FetchError> {
  const files: Array<UploadedFile & { readonly bytes: Uint8Array }> = []
  for (const file of uploads) {
    const bytes = yield* load(file)
    if (bytes === undefined) return yield* InvalidInput.at(file.name, "is no longer stored; upload it again")
    files.push({ ...file, bytes })
  }
  const [first] = files
  if (first === undefined || !isArchive(first.type)) {
    return { _tag: "Pages", content: yield* readDocuments(context, files) }
  }
  const opened = openArchive(context, first.bytes)
  const content = Effect.flatMap(opened, (archive) => openSource(context, archive, undefined, source))
  return { _tag: "Repository", content: yield* named(first.name)(content) }
})
