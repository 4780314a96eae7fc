/**
 * Fetches the files of a commit. A commit that is larger than the limit is fetched in two parts where the server supports partial
 * clones: small files first, then the large ones that these name.
 */

import type { Fetch } from "@lectern/kernel"
import type { UpstreamFailed, UpstreamTimeout } from "@lectern/model/errors"
import { sha1 } from "@noble/hashes/legacy.js"
import { Effect } from "effect"
import type { ProcessGitPack } from "../conversion/GitPacks.ts"
import type { NotReadable } from "../conversion/NotReadable.ts"
import { type ImportLimitsSettings, unpackedLimit } from "../imports/ImportLimits.ts"
import { fetchPack, type OpenRemote } from "./GitRemote.ts"
import { concat } from "./protocol.ts"

/** The objects of a commit. */
export interface GitSnapshot {
  /** The hash of the commit, or of a tag that refers to it. */
  readonly commit: string
  /** The name of the branch or the tag. */
  readonly reference: string
  /** A packfile with the commit, its folders and its files. */
  readonly pack: Uint8Array
  /** Whether the packfile lacks large files, which no other file names. */
  readonly isPartial: boolean
  /** A packfile with earlier commits and their folders, without files; empty if the server cannot omit files. */
  readonly history: Uint8Array
}

/** A request for the files of a commit. */
export interface SnapshotRequest {
  readonly commit: string
  readonly reference: string
  /** The folder of the documentation; empty for all files. */
  readonly folder: string
  /** The commit of which the content is already known. Without it, the history has `maximumDepth` commits. */
  readonly known?: string | undefined
  /** The paths of files in the folder that are fetched whether another file names them or not. */
  readonly retained?: ReadonlyArray<string>
}

/** The size from which a partial clone omits files, in bytes. Pages are smaller, with few exceptions. */
const smallFileBytes = 256 * 1024

/** The maximum number of commits whose changes are read, in each line of ancestors. */
const maximumDepth = 2_000

/** The maximum size of the history in bytes, compressed. Pages of a repository with a larger one have the date of the import. */
const maximumHistoryBytes = 32 * 1024 * 1024

const packHeaderLength = 12
const packTrailerLength = 20

/** Joins two packfiles to one with the objects of both. */
export const joinPacks = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const packs = [one, other]
  if (packs.some(({ length }) => length < packHeaderLength + packTrailerLength)) return one
  const countOf = (pack: Uint8Array): number =>
    new DataView(pack.buffer, pack.byteOffset, pack.byteLength).getUint32(8)
  const header = one.slice(0, packHeaderLength)
  new DataView(header.buffer).setUint32(8, countOf(one) + countOf(other))
  // Deltas refer to their bases by distances or by hashes, both of which stay.
  const objects = packs.map((pack) => pack.subarray(packHeaderLength, pack.length - packTrailerLength))
  const content = concat([header, ...objects])
  return concat([content, sha1(content)])
}

/** Fetches the small files of a commit, and the large ones that these name. */
const fetchPartial = Effect.fnUntraced(function* (
  fetch: Fetch,
  remote: OpenRemote,
  { commit, folder, retained = [] }: SnapshotRequest,
  limits: Pick<ImportLimitsSettings, "archiveBytes">,
  process: ProcessGitPack
): Effect.fn.Return<Uint8Array, UpstreamFailed | UpstreamTimeout | NotReadable> {
  const filter = `blob:limit=${smallFileBytes}` as const
  const small = yield* fetchPack(fetch, remote, { wanted: [commit], depth: 1, filter }, limits)
  const wanted = yield* process("gitNamedFiles", {
    bytes: small,
    commit,
    folder,
    retained,
    unpackedBytes: unpackedLimit(limits)
  })
  if (wanted.length === 0) return small
  const rest = { archiveBytes: Math.max(0, limits.archiveBytes - small.length) }
  return joinPacks(small, yield* fetchPack(fetch, remote, { wanted }, rest))
})

/** Whether a server sends single files, and commits without them. */
const supportsPartialClones = ({ advertisement: { capabilities } }: OpenRemote): boolean =>
  capabilities.has("filter") && capabilities.has("allow-reachable-sha1-in-want")

/** Fetches the earlier commits with their folders. Returns an empty packfile if the server does not send them. */
const fetchHistory = (
  fetch: Fetch,
  remote: OpenRemote,
  { commit, known }: SnapshotRequest,
  { archiveBytes }: Pick<ImportLimitsSettings, "archiveBytes">
): Effect.Effect<Uint8Array> => {
  const none = Effect.succeed(new Uint8Array())
  if (!remote.advertisement.capabilities.has("filter")) return none
  const limits = { archiveBytes: Math.min(archiveBytes, maximumHistoryBytes) }
  const depth = known === undefined ? maximumDepth : undefined
  // Dates are not necessary for an import.
  return Effect.catch(
    fetchPack(fetch, remote, { wanted: [commit], depth, known, filter: "blob:none" }, limits),
    () => none
  )
}

/** Fetches the files of a commit with its history, without files that are not necessary if the commit is too large otherwise. */
export const fetchSnapshot = Effect.fnUntraced(function* (
  fetch: Fetch,
  remote: OpenRemote,
  request: SnapshotRequest,
  limits: Pick<ImportLimitsSettings, "archiveBytes">,
  process: ProcessGitPack | undefined
): Effect.fn.Return<GitSnapshot, UpstreamFailed | UpstreamTimeout> {
  const { commit, reference } = request
  let isPartial = false
  const pack = yield* fetchPack(fetch, remote, { wanted: [commit], depth: 1 }, limits).pipe(
    Effect.catchIf(
      (error) =>
        error._tag === "UpstreamFailed" &&
        error.reason === "ResponseTooLarge" &&
        process !== undefined &&
        supportsPartialClones(remote),
      (error) => {
        isPartial = true
        // A server that does not send single files leaves the first error true.
        return Effect.mapError(fetchPartial(fetch, remote, request, limits, process!), () => error)
      }
    )
  )
  return { commit, reference, pack, isPartial, history: yield* fetchHistory(fetch, remote, request, limits) }
})

/** Encodes a snapshot, which a resumed run does not fetch again. */
export const encodeSnapshot = ({ commit, reference, pack, isPartial, history }: GitSnapshot): Uint8Array =>
  concat([
    new TextEncoder().encode(`${commit} ${reference} ${isPartial ? "partial" : "whole"} ${pack.length}\n`),
    pack,
    history
  ])

/** Decodes a snapshot. */
export const decodeSnapshot = (bytes: Uint8Array): GitSnapshot => {
  const end = bytes.indexOf(0x0a)
  const header = new TextDecoder().decode(bytes.subarray(0, end))
  const [commit = "", reference = "", extent, length] = header.split(" ")
  const objects = bytes.subarray(end + 1)
  // A run that an earlier version has begun has no length.
  const packLength = length === undefined ? objects.length : Number(length)
  return {
    commit,
    reference,
    pack: objects.subarray(0, packLength),
    isPartial: extent === "partial",
    history: objects.subarray(packLength)
  }
}
