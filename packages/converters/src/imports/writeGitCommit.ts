/** Creates a commit of a Git repository, and the packfile that transfers it. */
import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"
import type { GitPackTasks } from "@lectern/formats/threads"
import {
  encodeTree,
  type GitObject,
  type GitObjects,
  hashObject,
  modes,
  objectTypes,
  readCommit,
  readTree,
  type TreeEntry
} from "./gitObjects.ts"
import { readPack } from "./readGitPack.ts"

/** A change of a tree: the hash of a file, `null` for a removed file, or the changes of a folder by name. */
type TreeChange = string | null | TreeChanges
interface TreeChanges extends ReadonlyMap<string, TreeChange> {}

/** Groups changes by folder. */
const nestChanges = (changes: ReadonlyMap<string, string | null>): TreeChanges => {
  const root = new Map<string, TreeChange>()
  for (const [path, change] of changes) {
    const parts = path.split("/")
    const name = parts.pop()!
    let folder = root
    for (const part of parts) {
      const below = folder.get(part)
      if (below instanceof Map) folder = below
      else {
        const created = new Map<string, TreeChange>()
        folder.set(part, created)
        folder = created
      }
    }
    folder.set(name, change)
  }
  return root
}

/** Returns the packfile of objects. */
const encodePack = (objects: Iterable<GitObject>): Uint8Array => {
  const parts: Array<Uint8Array> = []
  let count = 0
  for (const { type, bytes } of objects) {
    const number = Number(Object.entries(objectTypes).find(([, name]) => name === type)![0])
    const header: Array<number> = []
    let rest = Math.floor(bytes.length / 16)
    header.push((number << 4) | (bytes.length & 15) | (rest > 0 ? 0x80 : 0))
    while (rest > 0) {
      const more = Math.floor(rest / 128)
      header.push((rest & 0x7f) | (more > 0 ? 0x80 : 0))
      rest = more
    }
    parts.push(Uint8Array.from(header), deflateSync(bytes))
    count++
  }
  const start = Buffer.alloc(12)
  start.write("PACK", "latin1")
  start.writeUInt32BE(2, 4)
  start.writeUInt32BE(count, 8)
  const content = Buffer.concat([start, ...parts])
  return Buffer.concat([content, createHash("sha1").update(content).digest()])
}

/** Returns text for a line of a commit, without the characters that delimit its parts. */
const inLine = (text: string): string => text.replaceAll(/[<>\p{Cc}]/gu, " ").trim() || "unknown"

/**
 * Creates a commit that replaces and removes files below a folder. Returns its hash with a packfile of the new objects; an
 * undefined hash if the files are unchanged.
 */
export const writeGitCommit = ({
  bytes,
  parent,
  folder,
  files,
  removed,
  message,
  author,
  committer,
  time
}: GitPackTasks["gitCommit"]["in"]): GitPackTasks["gitCommit"]["out"] => {
  const objects: GitObjects = parent === undefined ? new Map<string, GitObject>() : readPack(bytes)
  const created = new Map<string, GitObject>()
  const create = (object: GitObject): string => {
    const oid = hashObject(object)
    if (!objects.has(oid)) created.set(oid, object)
    return oid
  }
  const prefix = folder === "" ? "" : `${folder}/`
  const changes = new Map<string, string | null>()
  for (const path of removed) changes.set(prefix + path, null)
  const blobs = new Map<string, GitObject>()
  for (const { path, bytes } of files) {
    const blob: GitObject = { type: "blob", bytes }
    const oid = hashObject(blob)
    blobs.set(oid, blob)
    changes.set(prefix + path, oid)
  }

  /** Writes a tree with changes. Returns undefined if it becomes empty. */
  const write = (before: string | undefined, below: TreeChanges): string | undefined => {
    const entries = new Map<string, TreeEntry>()
    for (const entry of before === undefined ? [] : readTree(objects, before)) entries.set(entry.name, entry)
    for (const [name, change] of below) {
      const old = entries.get(name)
      const oid =
        typeof change === "string" || change === null
          ? change
          : (write(old?.mode === modes.folder ? old.oid : undefined, change) ?? null)
      // The repository has the files of its parent, which the packfile of the parent can lack.
      if (typeof change === "string" && old?.oid !== change) create(blobs.get(change)!)
      if (oid === null) {
        // A removed file leaves a folder of the same name unchanged.
        if (change !== null || old?.mode !== modes.folder) entries.delete(name)
        continue
      }
      const mode =
        typeof change !== "string"
          ? modes.folder
          : old?.mode === modes.executable
            ? modes.executable
            : modes.file
      entries.set(name, { mode, name, oid })
    }
    return entries.size === 0 ? undefined : create({ type: "tree", bytes: encodeTree([...entries.values()]) })
  }
  const head = parent === undefined ? undefined : readCommit(objects, parent)
  const tree = write(head?.tree, nestChanges(changes)) ?? create({ type: "tree", bytes: new Uint8Array() })
  if (tree === head?.tree) return { commit: undefined, bytes: new Uint8Array() }
  const sign = ({ name, email }: { readonly name: string; readonly email: string }) =>
    `${inLine(name)} <${inLine(email)}> ${time} +0000`
  const text = [
    `tree ${tree}`,
    ...(head === undefined ? [] : [`parent ${head.oid}`]),
    `author ${sign(author)}`,
    `committer ${sign(committer)}`,
    "",
    `${message.replaceAll("\0", " ").trim()}\n`
  ].join("\n")
  const commit = create({ type: "commit", bytes: new TextEncoder().encode(text) })
  return { commit, bytes: encodePack(created.values()) }
}
