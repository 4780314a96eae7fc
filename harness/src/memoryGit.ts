/**
 * A Git server in memory, as a fetcher: the smart HTTP protocol over one repository that tests change without starting
 * `git`. It shares no code with the reader and the writer of packfiles that it tests.
 */
import { createHash } from "node:crypto"
import { deflateSync, inflateSync } from "node:zlib"
import { type Fetch, UpstreamFailed } from "@lectern/core"
import { Effect } from "effect"

/** An object of a repository. */
interface StoredObject {
  readonly type: string
  readonly bytes: Buffer
}

/** A commit of a {@link MemoryGit}, with all of its files. */
export interface MemoryCommit {
  readonly oid: string
  readonly parent: string | undefined
  readonly author: string
  readonly committer: string
  readonly message: string
  readonly files: ReadonlyMap<string, string>
}

/** A file, or a folder by the names of its entries. */
type Entry = string | Map<string, Entry>

const zero = "0".repeat(40)
const typeNumbers: Readonly<Record<string, number>> = { commit: 1, tree: 2, blob: 3 }

const line = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes])
}

/** Splits a body into its lines, and the bytes after the first separator that no line follows. */
const readLines = (bytes: Buffer): { readonly lines: ReadonlyArray<string>; readonly rest: Buffer } => {
  const lines: Array<string> = []
  let at = 0
  while (at + 4 <= bytes.length && /^[0-9a-f]{4}$/.test(bytes.toString("latin1", at, at + 4))) {
    const length = Number.parseInt(bytes.toString("latin1", at, at + 4), 16)
    if (length > 0) lines.push(bytes.toString("utf8", at + 4, at + length).replace(/\n$/, ""))
    at += Math.max(length, 4)
  }
  return { lines, rest: bytes.subarray(at) }
}

/** Encodes bytes in the first band of a response. */
const inBand = (bytes: Buffer): Buffer => {
  const parts: Array<Buffer> = []
  for (let at = 0; at < bytes.length; at += 60_000) {
    const part = bytes.subarray(at, at + 60_000)
    parts.push(Buffer.from((part.length + 5).toString(16).padStart(4, "0")), Buffer.from([1]), part)
  }
  return Buffer.concat([...parts, Buffer.from("0000")])
}

const encodePack = (objects: ReadonlyArray<StoredObject>): Buffer => {
  const head = Buffer.from("PACK\0\0\0\u0002\0\0\0\0", "latin1")
  head.writeUInt32BE(objects.length, 8)
  const parts: Array<Buffer> = [head]
  for (const { type, bytes } of objects) {
    const header = [(typeNumbers[type]! << 4) | (bytes.length & 15)]
    for (let rest = bytes.length >> 4; rest > 0; rest >>= 7) {
      header[header.length - 1]! |= 0x80
      header.push(rest & 0x7f)
    }
    parts.push(Buffer.from(header), deflateSync(bytes))
  }
  const content = Buffer.concat(parts)
  return Buffer.concat([content, createHash("sha1").update(content).digest()])
}

/** Reads a packfile without deltas. */
const decodePack = (pack: Buffer): ReadonlyArray<StoredObject> => {
  const objects: Array<StoredObject> = []
  let at = 12
  for (let count = pack.readUInt32BE(8); count > 0; count--) {
    const type = Object.keys(typeNumbers).find((name) => typeNumbers[name] === ((pack[at]! >> 4) & 7))
    if (type === undefined) throw new Error("The packfile has a delta.")
    while (pack[at++]! >= 0x80);
    const { buffer, engine } = inflateSync(pack.subarray(at), { info: true }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
    objects.push({ type, bytes: buffer })
    at += engine.bytesWritten
  }
  return objects
}

/** Starts a repository without commits. */
export const makeMemoryGit = (url = "https://git.example.com/docs.git") => {
  const objects = new Map<string, StoredObject>()
  const references = new Map<string, string>()
  const hooks: {
    /** Called with the path of a request before it is processed, and before its response is returned. */
    around?: (path: string, when: "request" | "response") => Promise<void>
    /** Called after a reference was moved. */
    moved?: (reference: string, oid: string) => void
  } = {}

  const add = (type: string, bytes: Buffer): string => {
    const oid = createHash("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex")
    objects.set(oid, { type, bytes })
    return oid
  }

  const writeFolder = (folder: Map<string, Entry>): string => {
    const entries = [...folder].map(([name, entry]) => {
      const isFolder = typeof entry !== "string"
      const oid = isFolder ? writeFolder(entry) : add("blob", Buffer.from(entry))
      const bytes = Buffer.concat([
        Buffer.from(`${isFolder ? "40000" : "100644"} ${name}\0`),
        Buffer.from(oid, "hex")
      ])
      return { key: Buffer.from(isFolder ? `${name}/` : name), bytes }
    })
    entries.sort((a, b) => Buffer.compare(a.key, b.key))
    return add("tree", Buffer.concat(entries.map(({ bytes }) => bytes)))
  }

  /** Visits the entries of a tree. */
  const walk = (tree: string, above: string, visit: (oid: string, path?: string) => void): void => {
    visit(tree)
    const { bytes } = objects.get(tree)!
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(0, at)
      const [mode, ...name] = bytes.toString("utf8", at, end).split(" ")
      const oid = bytes.toString("hex", end + 1, end + 21)
      const path = above + name.join(" ")
      if (mode === "40000") walk(oid, `${path}/`, visit)
      else visit(oid, path)
      at = end + 21
    }
  }

  const headerOf = (oid: string) => {
    const text = objects.get(oid)!.bytes.toString()
    const field = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(text.split("\n\n")[0]!)?.[1]
    return {
      tree: field("tree")!,
      parent: field("parent"),
      author: (field("author") ?? "").replace(/ <.*$/, ""),
      committer: (field("committer") ?? "").replace(/ <.*$/, ""),
      message: text.slice(text.indexOf("\n\n") + 2).trim()
    }
  }

  /** Returns a commit and its ancestors, the newest first. */
  const ancestors = (oid: string | undefined): ReadonlyArray<string> => {
    const found: Array<string> = []
    for (let at = oid; at !== undefined && objects.has(at); at = headerOf(at).parent) found.push(at)
    return found
  }

  const read = (oid: string): MemoryCommit => {
    const { tree, ...header } = headerOf(oid)
    const files = new Map<string, string>()
    walk(tree, "", (blob, path) => {
      if (path !== undefined) files.set(path, objects.get(blob)!.bytes.toString())
    })
    return { oid, ...header, files }
  }

  const upload = (body: Buffer): Buffer => {
    const { lines } = readLines(body)
    const valuesOf = (name: string) =>
      lines.flatMap((one) => (one.startsWith(`${name} `) ? [one.split(" ")[1]!] : []))
    const [want = ""] = valuesOf("want")
    const isShallow = valuesOf("deepen").length > 0
    const known = new Set(valuesOf("have").flatMap((oid) => ancestors(oid)))
    const sent = new Set<string>()
    for (const oid of isShallow ? [want] : ancestors(want)) {
      if (known.has(oid)) continue
      sent.add(oid)
      walk(headerOf(oid).tree, "", (one) => sent.add(one))
    }
    return Buffer.concat([
      ...(isShallow && headerOf(want).parent !== undefined ? [line(`shallow ${want}\n`)] : []),
      ...(isShallow ? [Buffer.from("0000")] : []),
      line("NAK\n"),
      inBand(encodePack([...sent].map((oid) => objects.get(oid)!)))
    ])
  }

  const move = (reference: string, oid: string): void => {
    references.set(reference, oid)
    hooks.moved?.(reference, oid)
  }

  const receive = (body: Buffer): Buffer => {
    const { lines, rest } = readLines(body)
    const [before = "", after = "", reference = ""] = lines[0]!.split("\0")[0]!.split(" ")
    for (const { type, bytes } of decodePack(rest)) add(type, bytes)
    const isCurrent = (references.get(reference) ?? zero) === before
    if (isCurrent) move(reference, after)
    const status = isCurrent ? `ok ${reference}\n` : `ng ${reference} fetch first\n`
    return inBand(Buffer.concat([line("unpack ok\n"), line(status), Buffer.from("0000")]))
  }

  const advertise = (service: string): Buffer => {
    const capabilities = "report-status side-band-64k shallow ofs-delta symref=HEAD:refs/heads/main"
    const lines = [...references].map(([name, oid], index) =>
      line(`${oid} ${name}${index === 0 ? `\0${capabilities}` : ""}\n`)
    )
    const none = line(`${zero} capabilities^{}\0${capabilities}\n`)
    return Buffer.concat([
      line(`# service=${service}\n`),
      Buffer.from("0000"),
      ...(lines.length === 0 ? [none] : lines),
      Buffer.from("0000")
    ])
  }

  const respond = async (requestUrl: string, body: Uint8Array | undefined): Promise<Buffer> => {
    const path = requestUrl.slice(url.length)
    await hooks.around?.(path, "request")
    const service = path.split("=")[1]
    const bytes = Buffer.from(body ?? [])
    const response =
      service !== undefined
        ? advertise(service)
        : path === "/git-upload-pack"
          ? upload(bytes)
          : receive(bytes)
    await hooks.around?.(path, "response")
    return response
  }

  const fetch: Fetch = (request) =>
    Effect.tryPromise({
      try: async () => ({
        url: request.url,
        status: 200,
        contentType: "application/x-git-result",
        body: new Uint8Array(await respond(request.url, request.post?.body))
      }),
      catch: (error) => new UpstreamFailed({ reason: "FetchFailed", message: String(error) })
    })

  /** Returns the latest commit of a branch. */
  const latest = (branch = "main"): MemoryCommit | undefined => {
    const oid = references.get(`refs/heads/${branch}`)
    return oid === undefined ? undefined : read(oid)
  }

  return {
    url,
    fetch,
    hooks,
    latest,
    /** Returns the commits of `main`, the newest first. */
    log: (): ReadonlyArray<MemoryCommit> => ancestors(references.get("refs/heads/main")).map(read),
    /** Pushes a commit that writes files, and removes the files that are `undefined`. Returns its hash. */
    commit: (changes: Readonly<Record<string, string | undefined>>, message = "Change"): string => {
      const parent = latest()
      const files = new Map(parent?.files)
      for (const [path, content] of Object.entries(changes)) {
        if (content === undefined) files.delete(path)
        else files.set(path, content)
      }
      const root = new Map<string, Entry>()
      for (const [path, content] of files) {
        const parts = path.split("/")
        let folder = root
        for (const part of parts.slice(0, -1)) {
          const below = folder.get(part) ?? new Map<string, Entry>()
          if (typeof below === "string") throw new Error(`${part} is a file and a folder.`)
          folder.set(part, below)
          folder = below
        }
        folder.set(parts.at(-1)!, content)
      }
      const signature = "Tester <tester@example.com> 1767225600 +0000"
      const text = [
        `tree ${writeFolder(root)}`,
        ...(parent === undefined ? [] : [`parent ${parent.oid}`]),
        `author ${signature}`,
        `committer ${signature}`,
        "",
        `${message}\n`
      ].join("\n")
      const oid = add("commit", Buffer.from(text))
      move("refs/heads/main", oid)
      return oid
    }
  }
}

/** A Git server in memory: see {@link makeMemoryGit}. */
export type MemoryGit = ReturnType<typeof makeMemoryGit>
