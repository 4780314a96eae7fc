/** Communicates with Git repositories over HTTP, through the fetcher of the workspace. */

import type { Fetch } from "@lectern/kernel"
import { UpstreamFailed, type UpstreamTimeout } from "@lectern/model/errors"
import { bounds } from "@lectern/model/imports"
import { unescaped } from "@lectern/model/schema"
import { Effect } from "effect"
import { Base64 } from "effect/encoding"
import type { ImportLimitsSettings } from "../imports/ImportLimits.ts"
import {
  type Advertisement,
  encodeReceiveRequest,
  encodeUploadRequest,
  type GitService,
  readAdvertisement,
  readReceiveResponse,
  readUploadResponse,
  type UploadRequest,
  zeroOid
} from "./protocol.ts"

/** A repository, with the credentials for HTTP basic authentication. */
export interface GitRemote {
  /** The URL without credentials. */
  readonly url: string
  readonly credentials?: { readonly username: string; readonly password: string }
}

/** A repository whose references are known. */
export interface OpenRemote {
  readonly advertisement: Advertisement
  /** The URL of the repository, after redirects. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

type RemoteError = UpstreamFailed | UpstreamTimeout

const failed = (message: string) => new UpstreamFailed({ reason: "FetchFailed", message })

/** Splits a URL into the remote and the credentials that the URL contains. */
export const parseRemote = (url: string): GitRemote => {
  const parsed = new URL(url)
  const { username, password } = parsed
  parsed.username = ""
  parsed.password = ""
  parsed.hash = ""
  parsed.search = ""
  const remote = parsed.href.replace(/\/+$/, "")
  return username === "" && password === ""
    ? { url: remote }
    : {
        url: remote,
        credentials: { username: unescaped(username), password: unescaped(password) }
      }
}

/** Requests the references of a repository. */
export const openRemote = Effect.fnUntraced(function* (
  fetch: Fetch,
  { url, credentials }: GitRemote,
  service: GitService
): Effect.fn.Return<OpenRemote, RemoteError> {
  const headers: Readonly<Record<string, string>> =
    credentials === undefined
      ? {}
      : { authorization: `Basic ${Base64.encode(`${credentials.username}:${credentials.password}`)}` }
  const suffix = `/info/refs?service=${service}`
  const response = yield* fetch({
    url: url + suffix,
    headers,
    accept: `application/x-${service}-advertisement`,
    maximumBytes: bounds.gitReferencesBytes,
    timeoutMillis: bounds.documentMillis
  })
  const advertisement = response.contentType === "text/html" ? undefined : readAdvertisement(response.body)
  if (advertisement === undefined) {
    return yield* failed("The URL is not that of a Git repository that can be read over HTTP.")
  }
  const isMoved = response.url !== url + suffix && response.url.endsWith(suffix)
  const base = isMoved ? response.url.slice(0, -suffix.length) : url
  return { advertisement, url: base, headers: new URL(base).origin === new URL(url).origin ? headers : {} }
})

const post = (
  fetch: Fetch,
  remote: OpenRemote,
  service: GitService,
  body: Uint8Array,
  maximumBytes: number
): Effect.Effect<Uint8Array, RemoteError> =>
  Effect.map(
    fetch({
      url: `${remote.url}/${service}`,
      headers: remote.headers,
      post: { body, headers: { "content-type": `application/x-${service}-request` }, isResponseRead: true },
      accept: `application/x-${service}-result`,
      maximumBytes,
      timeoutMillis: bounds.documentMillis
    }),
    (response) => response.body
  )

const tooLarge = (archiveBytes: number) =>
  new UpstreamFailed({
    reason: "ResponseTooLarge",
    message: `The files of the commit are larger than ${Math.floor(archiveBytes / 1024 / 1024)} MiB, compressed. Remove large files from the branch, or have the operator of the server raise the limit with \`--import-max-archive-size\`, which is at most 512 MiB.`
  })

/** Fetches a packfile, of at most the size of an archive. */
export const fetchPack = Effect.fnUntraced(function* (
  fetch: Fetch,
  remote: OpenRemote,
  request: UploadRequest,
  { archiveBytes }: Pick<ImportLimitsSettings, "archiveBytes">
): Effect.fn.Return<Uint8Array, RemoteError> {
  const body = encodeUploadRequest(remote.advertisement, request)
  const bytes = yield* post(fetch, remote, "git-upload-pack", body, archiveBytes).pipe(
    Effect.mapError((error) =>
      error._tag === "UpstreamFailed" && error.reason === "ResponseTooLarge" ? tooLarge(archiveBytes) : error
    )
  )
  const response = readUploadResponse(remote.advertisement, bytes)
  if ("pack" in response) return response.pack
  return yield* failed(`The Git server rejected the request: ${response.error || "it sent no files"}.`)
})

/** Fetches a commit with its folders, and without its files if the server can omit them. Returns a packfile. */
export const fetchFolders = (
  fetch: Fetch,
  remote: OpenRemote,
  oid: string,
  limits: Pick<ImportLimitsSettings, "archiveBytes">
): Effect.Effect<Uint8Array, RemoteError> =>
  fetchPack(fetch, remote, { wanted: [oid], depth: 1, filter: "blob:none" }, limits)

/**
 * Fetches a commit with its ancestors, except for the commit `known` and its ancestors. Returns a packfile, without files and folders if
 * the server can omit them.
 */
export const fetchAncestors = (
  fetch: Fetch,
  remote: OpenRemote,
  oid: string,
  known: string | undefined,
  limits: Pick<ImportLimitsSettings, "archiveBytes">
): Effect.Effect<Uint8Array, RemoteError> => {
  const request = { wanted: [oid], known }
  const all = fetchPack(fetch, remote, request, limits)
  return remote.advertisement.capabilities.has("filter")
    ? // A server can reject some kinds of filters.
      Effect.catch(fetchPack(fetch, remote, { ...request, filter: "tree:0" }, limits), () => all)
    : all
}

/** Moves a branch to a new commit. Returns why the server rejected it; undefined if it did not. */
export const pushCommit = Effect.fnUntraced(function* (
  fetch: Fetch,
  remote: OpenRemote,
  move: {
    readonly branch: string
    readonly before: string | undefined
    readonly after: string
    readonly pack: Uint8Array
  }
): Effect.fn.Return<string | undefined, RemoteError> {
  const body = encodeReceiveRequest(remote.advertisement, { ...move, before: move.before ?? zeroOid })
  const bytes = yield* post(fetch, remote, "git-receive-pack", body, bounds.configBytes)
  return readReceiveResponse(remote.advertisement, bytes, move.branch)
})
