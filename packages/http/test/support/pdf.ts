/** Helpers for the tests of PDFs: a space to export, and images in every format. */
import { crc32, deflateSync } from "node:zlib"
import type { HttpOptions } from "@lectern/http"
import { expect } from "vitest"
import { type ReadPage, readPdf } from "../../../../testing/pdfReader.ts"
import { callForBody } from "../caller.ts"
import { validatePublicResponse } from "../contract.ts"
import { memory, type stores } from "../stores.ts"
import { startServerOn } from "../support.ts"

type Change = { readonly page: { readonly id: string }; readonly id: string }
type Edited = {
  readonly changes: ReadonlyArray<Change>
  readonly insertedFiles?: ReadonlyArray<{ readonly id: string }>
}

/** One minute, in milliseconds. */
export const minute = 60 * 1000

/** Starts a server with a space; returns operations on the space. */
export const startSpace = async (store: (typeof stores)[number] = memory, options: HttpOptions = {}) => {
  const server = await startServerOn(store, options)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, path, body)
  const { id } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title: "Handbook" })
  const at = `/spaces/${id}`
  const edit = (...changes: ReadonlyArray<object>) => call<Edited>("POST", `${at}/content`, { changes })
  /** Inserts a page; returns its id. */
  const insert = async (page: object): Promise<string> =>
    (await edit({ operation: "insert_page", ...page })).changes[0]!.page.id
  const write = (title: string, markdown: string, more: object = {}) =>
    insert({ title, document: { markdown }, ...more })
  const pdfPath = async (path: string): Promise<string> => {
    const body = await call<{ url: string }>("GET", path)
    const operation = path.includes("/change-requests/") ? "getChangeRequestPDF" : "getSpacePDF"
    if (operation === "getChangeRequestPDF")
      expect(validatePublicResponse(operation, 200, body)).toBeUndefined()
    // The test server does not listen at its public URL.
    return body.url.replace("http://127.0.0.1:4400", "")
  }
  const readExportedPdf = async (path: string) => {
    const response = await server.fetch(await pdfPath(path))
    expect([path, response.status]).toEqual([path, 200])
    return readPdf(new Uint8Array(await response.arrayBuffer()))
  }
  return {
    server,
    admin,
    organization,
    token,
    call,
    space: id,
    at,
    edit,
    insert,
    write,
    pdfPath,
    readExportedPdf
  }
}

/** The format of a PNG: bits per sample, color type, interlace method, and additional chunks. */
interface PngFormat {
  readonly depth: number
  readonly color: number
  readonly interlace?: number
  readonly chunks?: ReadonlyArray<readonly [name: string, data: ReadonlyArray<number>]>
}

/** RGBA with 8 bits per sample. */
export const rgba: PngFormat = { depth: 8, color: 6 }
export const samples: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

/** A PNG of one color. */
export const png = (
  width: number,
  height: number,
  { depth, color, interlace = 0, chunks = [] }: PngFormat = rgba
): Buffer => {
  const chunk = (name: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(name), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.length, 0)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, color, 0, 0, interlace], 8)
  const row = Math.ceil((width * depth * samples[color]!) / 8) + 1
  const rows = Buffer.alloc(row * height, 0x80)
  for (let at = 0; at < rows.length; at += row) rows[at] = 0
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    ...chunks.map(([name, data]) => chunk(name, Uint8Array.from(data))),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0))
  ])
}

/** Images in every supported format. */
export const images: Record<string, Buffer> = {
  "colors.png": png(20, 20, { depth: 8, color: 2 }),
  "gray.png": png(20, 20, { depth: 1, color: 0 }),
  "deep.png": png(20, 20, { depth: 16, color: 2 }),
  "clear gray.png": png(20, 20, { depth: 8, color: 4 }),
  "one clear gray.png": png(20, 20, { depth: 2, color: 0, chunks: [["tRNS", [0, 2]]] }),
  "palette.png": png(20, 20, {
    depth: 1,
    color: 3,
    chunks: [
      ["PLTE", [255, 0, 0, 0, 0, 255]],
      ["tRNS", [128]]
    ]
  }),
  "interlaced.png": png(1, 1, { depth: 8, color: 6, interlace: 1 }),
  "point.gif": Buffer.from("R0lGODlhAQABAIAAAP8AAP///yH5BAAAAAAALAAAAAABAAEAAAICRAEAOw==", "base64"),
  "point.webp": Buffer.from("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA", "base64"),
  "point.jpg": Buffer.from(
    [
      "/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAA",
      "EAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAA",
      "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKA",
      "AAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0",
      "AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWi",
      "AAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQA",
      "AAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbA",
      "BlACAASQBuAGMALgAgADIAMAAxADb/2wBDABsSFBcUERsXFhceHBsgKEIrKCUlKFE6PTBCYFVlZF9VXVtqeJmBanGQ",
      "c1tdhbWGkJ6jq62rZ4C8ybqmx5moq6T/2wBDARweHigjKE4rK06kbl1upKSkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpK",
      "SkpKSkpKSkpKSkpKSkpKSkpKSkpKSkpKT/wAARCAACAAIDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/",
      "xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2g",
      "AMAwEAAhEDEQA/AJkAH//Z"
    ].join(""),
    "base64"
  )
}

export const image = (name: string, bytes: Uint8Array) => ({
  operation: "insert_files",
  files: [{ name, contentType: "image/png", base64: Buffer.from(bytes).toString("base64") }]
})

/** The text of a page by its number, in one line. */
export const textOf = ({ pages }: { readonly pages: ReadonlyArray<ReadPage> }, number: number): string =>
  pages[number - 1]!.text.replace(/\s+/g, " ")
