/** The objects of Git: their hashes, and the contents of commits and trees. */
import { createHash } from "node:crypto"
import { NotReadable } from "@lectern/formats/threads"

/** The types of objects, by their numbers in packfiles. */
export const objectTypes = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" } as const
/** The type of an object. */
export type ObjectType = (typeof objectTypes)[keyof typeof objectTypes]

/** An object. */
export interface GitObject {
  readonly type: ObjectType
  readonly bytes: Uint8Array
}

/** The objects of a repository by their hashes. */
export type GitObjects = ReadonlyMap<string, GitObject>

/** The modes of the entries of a tree. */
export const modes = {
  folder: "40000",
  file: "100644",
  executable: "100755",
  link: "120000",
  submodule: "160000"
} as const

/** An entry of a tree. */
export interface TreeEntry {
  readonly mode: string
  readonly name: string
  readonly oid: string
}

/** The length of a hash, in bytes. */
export const hashLength = 20

/** Creates the error of a malformed repository. The message continues "`url` …". */
export const malformed = (): NotReadable =>
  new NotReadable({ message: "points to a Git repository whose objects cannot be read" })

/** Returns the hash of an object. */
export const hashObject = ({ type, bytes }: GitObject): string =>
  createHash("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex")

/** Returns the object with a hash. Throws `NotReadable` if it is missing or has another type. */
const requireObject = (objects: GitObjects, oid: string, type: ObjectType): Uint8Array => {
  const object = objects.get(oid)
  if (object === undefined || object.type !== type) throw malformed()
  return object.bytes
}

/** A commit. */
export interface Commit {
  readonly oid: string
  readonly tree: string
  /** The hashes of the commits before it. */
  readonly parents: ReadonlyArray<string>
  /** When the commit was added, in seconds since 1970. */
  readonly time: number
  readonly message: string
}

/** The maximum number of tags that refer to each other. */
const maximumTags = 10

/** Returns the commit with a hash, or the commit that the annotated tag with the hash refers to. */
export const readCommit = (objects: GitObjects, reference: string): Commit => {
  let oid = reference
  for (let tags = 0; objects.get(oid)?.type === "tag"; tags++) {
    const target = /^object ([0-9a-f]{40})\n/.exec(new TextDecoder().decode(objects.get(oid)?.bytes))?.[1]
    if (target === undefined || tags === maximumTags) throw malformed()
    oid = target
  }
  const text = new TextDecoder().decode(requireObject(objects, oid, "commit"))
  const tree = /^tree ([0-9a-f]{40})\n/.exec(text)?.[1]
  const end = text.indexOf("\n\n")
  if (tree === undefined) throw malformed()
  const header = end < 0 ? text : text.slice(0, end)
  return {
    oid,
    tree,
    parents: Array.from(header.matchAll(/^parent ([0-9a-f]{40})$/gm), ([, parent]) => parent!),
    time: Number(/^committer .*> (\d{1,11}) [+-]\d{4}$/m.exec(header)?.[1] ?? 0),
    message: end < 0 ? "" : text.slice(end + 2).trim()
  }
}

/** Returns the entries of the tree with a hash. */
export const readTree = (objects: GitObjects, oid: string): ReadonlyArray<TreeEntry> => {
  const bytes = requireObject(objects, oid, "tree")
  const entries: Array<TreeEntry> = []
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    const next = end + 1 + hashLength
    if (space < 0 || end < 0 || next > bytes.length) throw malformed()
    entries.push({
      mode: Buffer.from(bytes.subarray(at, space)).toString("latin1"),
      name: new TextDecoder().decode(bytes.subarray(space + 1, end)),
      oid: Buffer.from(bytes.subarray(end + 1, next)).toString("hex")
    })
    at = next
  }
  return entries
}

/** Returns the bytes of a tree. Git compares the names of folders as if they ended with a slash. */
export const encodeTree = (entries: ReadonlyArray<TreeEntry>): Uint8Array => {
  const sortable = entries.map((entry) => ({
    entry,
    key: Buffer.from(entry.mode === modes.folder ? `${entry.name}/` : entry.name)
  }))
  sortable.sort((a, b) => Buffer.compare(a.key, b.key))
  return Buffer.concat(
    sortable.flatMap(({ entry: { mode, name, oid } }) => [
      Buffer.from(`${mode} ${name}\0`),
      Buffer.from(oid, "hex")
    ])
  )
}
