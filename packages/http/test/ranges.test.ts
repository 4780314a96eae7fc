/** Range requests, on every way of serving the API. */

import { createWorkspace, type EmbeddedWorkspace } from "@lectern/core"
import { runs } from "@lectern/harness"
import type { ApiResponse, HttpMiddleware } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { hosts } from "./support/hosts.ts"

const workspace: EmbeddedWorkspace = createWorkspace({ storage: MemoryStorage.layer() })
afterAll(() => workspace.dispose())

const chunks = [3, 1, 0, 6].map((length, index) => new Uint8Array(length).fill(index + 1))
const fileBytes = Buffer.concat(chunks)
const headers = { "accept-ranges": "bytes", etag: '"tag"', "content-type": "application/octet-stream" }

const bodies: Record<string, () => ApiResponse["body"]> = {
  "/bytes": () => fileBytes,
  "/stream": () => ({ stream: Stream.fromArray(chunks), length: fileBytes.length })
}

/** Serves the same bytes from memory and as a stream. */
const downloads: HttpMiddleware = (next) => (request) => {
  const body = bodies[request.url]
  return body === undefined
    ? next(request)
    : Effect.succeed({ status: 200, headers: { ...headers }, body: body() })
}

/** A range, with the bytes that it selects: `undefined` for a header that the server ignores. */
const ranges = fc.oneof(
  fc.tuple(fc.nat(12), fc.nat(12)).map(([first, last]) => ({
    header: `bytes=${first}-${last}`,
    selected: last < first ? undefined : fileBytes.subarray(first, last + 1)
  })),
  fc.nat(12).map((first) => ({ header: `bytes=${first}-`, selected: fileBytes.subarray(first) })),
  fc.nat(12).map((count) => ({
    header: `bytes=-${count}`,
    selected: fileBytes.subarray(Math.max(0, fileBytes.length - count))
  })),
  fc
    .constantFrom("bytes=", "bytes=-", "bytes=1", "bytes=a-b", "items=0-1", "bytes=0-1,3-4", "0-1")
    .map((header) => ({ header, selected: undefined }))
)

for (const { name, start } of hosts) {
  describe(name, () => {
    it("returns one range of bytes and of streams, and ignores the headers that it does not support", async () => {
      const send = await start(workspace, { middleware: [downloads] })
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.keys(bodies)),
          ranges,
          async (path, { header, selected }) => {
            const response = await send(path, { headers: { range: header } })
            const bytes = Buffer.from(await response.arrayBuffer())
            if (selected === undefined) {
              expect([response.status, bytes.equals(fileBytes)]).toEqual([200, true])
            } else if (selected.length === 0) {
              expect([response.status, response.headers.get("content-range")]).toEqual([416, "bytes */10"])
            } else {
              expect([response.status, bytes.equals(selected)]).toEqual([206, true])
              expect(response.headers.get("content-length")).toBe(String(selected.length))
              const first = selected.byteOffset - fileBytes.byteOffset
              const expected = `bytes ${first}-${first + selected.length - 1}/10`
              expect(response.headers.get("content-range")).toBe(expected)
            }
            const head = await send(path, { method: "HEAD", headers: { range: header } })
            expect([head.status, head.headers.get("content-length")]).toEqual([200, "10"])
          }
        ),
        runs(40)
      )
    })

    it("returns the range only of the version that `If-Range` names", async () => {
      const send = await start(workspace, { middleware: [downloads] })
      const statusOf = async (condition: string) => {
        const response = await send("/bytes", { headers: { range: "bytes=0-1", "if-range": condition } })
        await response.arrayBuffer()
        return response.status
      }
      expect(await statusOf('"tag"')).toBe(206)
      expect(await statusOf('"other"')).toBe(200)
      expect(await statusOf('W/"tag"')).toBe(200)
      expect(await statusOf("Sun, 22 Nov 2026 00:00:00 GMT")).toBe(200)
    })
  })
}

describe("an uploaded file", () => {
  const owner = createWorkspace({ storage: MemoryStorage.layer(), publicUrl: "http://host" })
  afterAll(() => owner.dispose())

  /** Uploads a file of 1,000 digits, and returns the path of its download. */
  const upload = async (): Promise<string> => {
    const user = await owner.administration.createUser({
      input: { email: `${crypto.randomUUID()}@example.com` }
    })
    const organization = await owner.administration.createOrganization({
      administrator: user,
      input: { title: "Acme" }
    })
    const { spaces, content } = owner.as(user)
    const space = await spaces.create({ organization, input: { title: "Handbook" } })
    const base64 = Buffer.from("0123456789".repeat(100)).toString("base64")
    const { insertedFiles } = await content.edit({
      content: { space: space.id },
      input: {
        changes: [
          {
            operation: "insert_files",
            files: [{ name: `${"long".repeat(50)}.txt`, contentType: "text/plain", base64 }]
          }
        ]
      }
    })
    return insertedFiles![0]!.downloadURL.replace("http://host", "")
  }

  for (const { name, start } of hosts) {
    it(`is downloaded in parts, on ${name}`, async () => {
      const send = await start(owner)
      const path = await upload()
      const part = await send(path, { headers: { range: "bytes=995-" } })
      expect([part.status, await part.text()]).toEqual([206, "56789"])
      const all = await send(path)
      expect([all.status, all.headers.get("accept-ranges"), (await all.text()).length]).toEqual([
        200,
        "bytes",
        1000
      ])
    })
  }
})
