/**
 * The smart HTTP protocol of Git, version 0: the lines that requests and responses consist of. A line starts with its length
 * in four hexadecimal digits; the length zero separates sections.
 */

/** The two services of a repository: one sends packfiles, one receives them. */
export type GitService = "git-upload-pack" | "git-receive-pack"

/** The hash that denotes a missing reference. */
export const zeroOid = "0".repeat(40)

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The separator of sections. */
export const flushLine: Uint8Array = encoder.encode("0000")

/** Encodes a line. */
export const encodeLine = (text: string): Uint8Array => {
  const bytes = encoder.encode(text)
  return concat([encoder.encode((bytes.length + 4).toString(16).padStart(4, "0")), bytes])
}

/** Concatenates bytes. */
export const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Yields the lines of a response, and `undefined` for separators. Stops at bytes that are not a line. */
function* linesOf(bytes: Uint8Array): Generator<Uint8Array | undefined, void, undefined> {
  for (let at = 0; at + 4 <= bytes.length; ) {
    const digits = decoder.decode(bytes.subarray(at, at + 4))
    if (!/^[0-9a-f]{4}$/i.test(digits)) return
    const length = Number.parseInt(digits, 16)
    if (length < 4) {
      yield undefined
      at += 4
      continue
    }
    if (at + length > bytes.length) return
    yield bytes.subarray(at + 4, at + length)
    at += length
  }
}

/** The references of a repository. */
export interface Advertisement {
  /** The hashes of the references by name, such as `refs/heads/main`. */
  readonly references: ReadonlyMap<string, string>
  readonly capabilities: ReadonlySet<string>
  /** The name of the default branch; undefined if the repository does not declare it. */
  readonly head: string | undefined
}

/** Reads the references of a repository. Returns undefined if the response is not one of this protocol. */
export const readAdvertisement = (bytes: Uint8Array): Advertisement | undefined => {
  const references = new Map<string, string>()
  let capabilities: ReadonlySet<string> | undefined
  let isRepository = false
  for (const line of linesOf(bytes)) {
    const text = line === undefined ? "" : decoder.decode(line).replace(/\n$/, "")
    // An empty repository can have no lines after the name of the service.
    if (text.startsWith("# service=")) isRepository = true
    if (text === "" || text.startsWith("# service=")) continue
    const [reference = "", declared] = text.split("\0")
    capabilities ??= new Set((declared ?? "").split(" "))
    const [, oid, name] = /^([0-9a-f]{40}) (.+)$/.exec(reference) ?? []
    if (oid === undefined || name === undefined) return undefined
    if (oid !== zeroOid) references.set(name, oid)
  }
  capabilities ??= isRepository ? new Set() : undefined
  if (capabilities === undefined) return undefined
  const symbolic = [...capabilities].find((one) => one.startsWith("symref=HEAD:"))
  const head =
    symbolic?.slice("symref=HEAD:".length) ??
    [...references].find(([name, oid]) => name !== "HEAD" && oid === references.get("HEAD"))?.[0]
  return { references, capabilities, head }
}

/** Resolves the name of a branch or a tag, or its full reference. Without a name, the default branch. */
export const resolveReference = (
  { references, head }: Pick<Advertisement, "references" | "head">,
  name: string
): { readonly reference: string; readonly oid: string } | undefined => {
  const candidates =
    name === "" ? [head ?? "HEAD", "HEAD"] : [name, `refs/heads/${name}`, `refs/tags/${name}`]
  for (const reference of candidates) {
    const oid = references.get(reference)
    if (oid !== undefined) return { reference, oid }
  }
  return undefined
}

const agent = "agent=lectern"

/** Returns the names of the capabilities that the server has, as a request declares them. */
const declare = ({ capabilities }: Advertisement, names: ReadonlyArray<string>): string =>
  [...names.filter((name) => capabilities.has(name)), agent].join(" ")

/** A request for objects of a repository. */
export interface UploadRequest {
  /** The hashes of the requested objects. */
  readonly wanted: ReadonlyArray<string>
  /** The number of commits of each line of ancestors, from 1; all of them by default, and where the server cannot limit them. */
  readonly depth?: number | undefined
  /** A commit that is omitted with its ancestors. */
  readonly known?: string | undefined
  /** The objects that the server omits, where it supports that: `blob:none` omits all files, and `tree:0` also all folders. */
  readonly filter?: "blob:none" | "tree:0" | `blob:limit=${number}` | undefined
}

const uploadCapabilities = ["side-band-64k", "ofs-delta", "no-progress"]

/** Encodes a request for objects. */
export const encodeUploadRequest = (
  advertisement: Advertisement,
  { wanted, depth, known, filter }: UploadRequest
): Uint8Array => {
  const { capabilities } = advertisement
  const isShallow = depth !== undefined && capabilities.has("shallow")
  const isFiltered = filter !== undefined && capabilities.has("filter")
  const names = [...uploadCapabilities, ...(isShallow ? ["shallow"] : []), ...(isFiltered ? ["filter"] : [])]
  return concat([
    ...wanted.map((oid, index) =>
      encodeLine(index === 0 ? `want ${oid} ${declare(advertisement, names)}\n` : `want ${oid}\n`)
    ),
    ...(isShallow ? [encodeLine(`deepen ${depth}\n`)] : []),
    ...(isFiltered ? [encodeLine(`filter ${filter}\n`)] : []),
    flushLine,
    ...(known === undefined ? [] : [encodeLine(`have ${known}\n`)]),
    encodeLine("done\n")
  ])
}

/** Returns the bytes of the first band of a response, and the message of its third band, which is for errors. */
const readBands = (
  lines: Iterable<Uint8Array | undefined>
): { readonly data: Uint8Array; readonly error: string } => {
  const data: Array<Uint8Array> = []
  let error = ""
  for (const line of lines) {
    if (line?.[0] === 1) data.push(line.subarray(1))
    else if (line?.[0] === 3) error += decoder.decode(line.subarray(1))
    else if (line !== undefined && line[0] !== 2) error ||= errorOf(line) ?? ""
  }
  return { data: concat(data), error: error.trim() }
}

/** Returns the message of a line that reports an error. */
const errorOf = (line: Uint8Array): string | undefined =>
  /^ERR (.*)/s.exec(decoder.decode(line.subarray(0, 1000)))?.[1]

/** Reads the packfile of a response. Fails with the message of the server. */
export const readUploadResponse = (
  advertisement: Advertisement,
  bytes: Uint8Array
): { readonly pack: Uint8Array } | { readonly error: string } => {
  if (advertisement.capabilities.has("side-band-64k")) {
    const { data, error } = readBands(linesOf(bytes))
    return error === "" && data.length > 0 ? { pack: data } : { error }
  }
  let at = 0
  for (const line of linesOf(bytes)) {
    if (line !== undefined && line[0] === 0x45) return { error: errorOf(line) ?? "" }
    at += line === undefined ? 4 : line.length + 4
  }
  return { pack: bytes.subarray(at) }
}

/** Encodes the request to move a branch from one commit to another. */
export const encodeReceiveRequest = (
  advertisement: Advertisement,
  { branch, before, after, pack }: { branch: string; before: string; after: string; pack: Uint8Array }
): Uint8Array => {
  const names = ["report-status", "side-band-64k"]
  return concat([
    encodeLine(`${before} ${after} ${branch}\0 ${declare(advertisement, names)}`),
    flushLine,
    pack
  ])
}

/** Returns why the server did not move the branch; undefined if it did. */
export const readReceiveResponse = (
  advertisement: Advertisement,
  bytes: Uint8Array,
  branch: string
): string | undefined => {
  if (!advertisement.capabilities.has("report-status")) return undefined
  const bands = advertisement.capabilities.has("side-band-64k")
    ? readBands(linesOf(bytes))
    : { data: bytes, error: "" }
  const lines = [...linesOf(bands.data)].flatMap((line) =>
    line === undefined ? [] : [decoder.decode(line).trim()]
  )
  const rejected = lines.find((line) => line.startsWith(`ng ${branch} `))
  if (rejected !== undefined) return rejected.slice(`ng ${branch} `.length)
  const unpack = lines.find((line) => line.startsWith("unpack "))
  if (unpack !== undefined && unpack !== "unpack ok") return unpack
  return lines.includes(`ok ${branch}`) ? undefined : bands.error || "The server did not confirm the push."
}
