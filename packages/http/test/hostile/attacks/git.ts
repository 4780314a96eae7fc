/** Attacks by Git repositories: packfiles that a Git server sends to imports. */
import { createHash } from "node:crypto"
import { deflateSync } from "node:zlib"
import type { Attack } from "../Attack.ts"
import type { Scene } from "../scene.ts"

/** The numbers of the types of objects in packfiles. */
const types = { commit: 1, tree: 2, blob: 3, referenceDelta: 7 } as const

const hashOf = (type: string, bytes: Uint8Array): string =>
  createHash("sha1").update(`${type} ${bytes.length}\0`).update(bytes).digest("hex")

/** The header of a packed object: its type, and its size. */
const headerOf = (type: number, size: number): Uint8Array => {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest & 0x7f)
  }
  return Uint8Array.from(bytes)
}

/** A number of 7 bits per byte, the lowest first. */
const sizeOf = (size: number): Uint8Array => {
  const bytes = [size & 0x7f]
  for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80
    bytes.push(rest & 0x7f)
  }
  return Uint8Array.from(bytes)
}

/** A packfile that is written object by object. */
class Pack {
  private readonly objects: Array<Uint8Array> = []

  /** Adds an object. Returns its hash. */
  add(type: "commit" | "tree" | "blob", bytes: Uint8Array): string {
    this.objects.push(Buffer.concat([headerOf(types[type], bytes.length), deflateSync(bytes, { level: 9 })]))
    return hashOf(type, bytes)
  }

  /** Adds an object whose header declares another size. */
  addWithSize(bytes: Uint8Array, size: number): void {
    this.objects.push(Buffer.concat([headerOf(types.blob, size), deflateSync(bytes, { level: 9 })]))
  }

  /** Adds a delta of the object with a hash. */
  addDelta(base: string, delta: Uint8Array): void {
    this.objects.push(
      Buffer.concat([
        headerOf(types.referenceDelta, delta.length),
        Buffer.from(base, "hex"),
        deflateSync(delta)
      ])
    )
  }

  toBytes(): Uint8Array {
    const header = Buffer.alloc(12)
    header.write("PACK")
    header.writeUInt32BE(2, 4)
    header.writeUInt32BE(this.objects.length, 8)
    const body = Buffer.concat([header, ...this.objects])
    return Buffer.concat([body, createHash("sha1").update(body).digest()])
  }
}

const text = (value: string): Uint8Array => Buffer.from(value)

const treeOf = (entries: ReadonlyArray<readonly [mode: string, name: string, oid: string]>): Uint8Array =>
  Buffer.concat(entries.flatMap(([mode, name, oid]) => [text(`${mode} ${name}\0`), Buffer.from(oid, "hex")]))

/** Adds a commit of a tree, and returns its hash. */
const addCommit = (pack: Pack, tree: string): string =>
  pack.add(
    "commit",
    text(`tree ${tree}\nauthor A <a@example.com> 1 +0000\ncommitter A <a@example.com> 1 +0000\n\nText\n`)
  )

/** Adds a commit of one page, so that the rest of the packfile is what costs. */
const addPage = (pack: Pack): string =>
  addCommit(pack, pack.add("tree", treeOf([["100644", "a.md", pack.add("blob", text("# A\n"))]])))

const lineOf = (value: string): string => (value.length + 4).toString(16).padStart(4, "0") + value

let count = 0

const git = (name: string, build: (pack: Pack) => string, costs?: Attack["costs"]): Attack => ({
  parser: "Git",
  name,
  ...(costs === undefined ? {} : { costs }),
  prepare: ({ publish, space }: Scene) => {
    const pack = new Pack()
    const commit = build(pack)
    const folder = `hostile-${count++}.git`
    publish(
      `${folder}/info/refs?service=git-upload-pack`,
      "application/x-git-upload-pack-advertisement",
      `${lineOf("# service=git-upload-pack\n")}0000${lineOf(`${commit} HEAD\0symref=HEAD:refs/heads/main\n`)}${lineOf(`${commit} refs/heads/main\n`)}0000`
    )
    const url = publish(
      `${folder}/git-upload-pack`,
      "application/x-git-upload-pack-result",
      Buffer.concat([text("0008NAK\n"), pack.toBytes()])
    )
    const source = url.slice(0, -"/git-upload-pack".length)
    return {
      requests: [{ method: "POST", path: `${space}/content/import`, body: { url: source, source: "git" } }]
    }
  }
})

/** A delta that copies the start of the base many times: 64 KiB per instruction of 3 bytes. */
const copies = (baseSize: number, times: number): Uint8Array =>
  Buffer.concat([
    sizeOf(baseSize),
    sizeOf(65_536 * times),
    Buffer.concat(Array.from({ length: times }, () => Uint8Array.from([0x80])))
  ])

/** Attacks by packfiles. */
export const gitAttacks: ReadonlyArray<Attack> = [
  git("an object that inflates to more than its size", (pack) => {
    pack.addWithSize(new Uint8Array(300_000_000), 10)
    return addPage(pack)
  }),
  git("an object that declares 16 GiB", (pack) => {
    pack.addWithSize(new Uint8Array(10), 2 ** 34)
    return addPage(pack)
  }),
  // The objects are counted before they are allocated, up to 128 MiB.
  git(
    "deltas that copy their base",
    (pack) => {
      const base = new Uint8Array(65_536)
      const oid = pack.add("blob", base)
      for (let index = 0; index < 100; index++) pack.addDelta(oid, copies(base.length, 300 + index))
      return addPage(pack)
    },
    { cpuMs: 4000, memoryMb: 300 }
  ),
  git("deltas without their base", (pack) => {
    for (let index = 0; index < 20_000; index++) {
      pack.addDelta(hashOf("blob", text(String(index))), Uint8Array.from([1, 1, 0x90, 1]))
    }
    return addPage(pack)
  }),
  git(
    "many empty objects",
    (pack) => {
      for (let index = 0; index < 40_000; index++) pack.add("blob", text(String(index)))
      return addPage(pack)
    },
    { cpuMs: 4000, memoryMb: 200 }
  ),
  git("folders that contain the same folders", (pack) => {
    let oid = pack.add("tree", treeOf([]))
    for (let depth = 0; depth < 60; depth++) {
      oid = pack.add(
        "tree",
        treeOf([
          ["40000", "a", oid],
          ["40000", "b", oid]
        ])
      )
    }
    return addCommit(pack, oid)
  }),
  git(
    "folders that contain the same file",
    (pack) => {
      let oid = pack.add("tree", treeOf([["100644", "a.md", pack.add("blob", text("# A\n"))]]))
      for (let depth = 0; depth < 40; depth++) {
        oid = pack.add(
          "tree",
          treeOf([
            ["40000", "a", oid],
            ["40000", "b", oid]
          ])
        )
      }
      return addCommit(pack, oid)
    },
    { cpuMs: 4000, memoryMb: 300 }
  ),
  git("nested folders of a repository", (pack) => {
    let oid = pack.add("tree", treeOf([]))
    for (let depth = 0; depth < 5000; depth++) oid = pack.add("tree", treeOf([["40000", "a", oid]]))
    return addCommit(pack, oid)
  }),
  git("a commit of a missing tree", (pack) => addCommit(pack, "1".repeat(40))),
  git("a tree without ends", (pack) => addCommit(pack, pack.add("tree", text("4".repeat(500_000)))))
]
