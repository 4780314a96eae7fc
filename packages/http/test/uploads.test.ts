/** Uploads of files of any size with `multipart/form-data`, and of files at URLs. */
import { createHash } from "node:crypto"
import { connect } from "node:net"
import { gzipSync } from "node:zlib"
import {
  blobs,
  Content,
  chunkedBlobs,
  type EditedContent,
  Fetcher,
  UpstreamFailed,
  Where
} from "@lectern/core"
import { allRecords, runs } from "@lectern/harness"
import type { HttpOptions } from "@lectern/http"
import { Clock, Effect, Layer, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { until } from "./support/until.ts"
import { startServerOn } from "./support.ts"

const megabyte = 1024 * 1024

interface Upload {
  readonly name: string
  readonly type?: string
  readonly bytes: Uint8Array
}

const formOf = (files: ReadonlyArray<Upload>, message?: string): FormData => {
  const form = new FormData()
  for (const { name, type, bytes } of files) {
    form.append("files", new Blob([bytes as BlobPart], type === undefined ? {} : { type }), name)
  }
  if (message !== undefined) form.append("message", message)
  return form
}

/** Starts a server with a space, and returns calls of its administrator. */
const startSpace = async (options: HttpOptions = {}, store: Pick<typeof memory, "make"> = memory) => {
  const server = await startServerOn(store, options)
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const created = await server.fetch(`/v1/orgs/${organization}/spaces`, { method: "POST", token, body: "{}" })
  const { id } = (await created.json()) as { id: string }
  const path = `/v1/spaces/${id}/content`
  const send = (body: RequestInit["body"], headers: Record<string, string> = {}, to = path) =>
    fetch(`${server.url}${to}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: body ?? null,
      ...(body instanceof ReadableStream ? { duplex: "half" as const } : {})
    })
  const upload = async (files: ReadonlyArray<Upload>, message?: string) => {
    const response = await send(formOf(files, message))
    const result = (await response.json()) as EditedContent
    expect([response.status, response.status === 200 ? "" : result]).toEqual([200, ""])
    return result.insertedFiles!
  }
  const download = (downloadUrl: string, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(downloadUrl)
    return fetch(`${server.url}${pathname}${search}`, { headers })
  }
  const countRows = () =>
    server.core.runtime.runPromise(
      Effect.gen(function* () {
        const records = yield* allRecords
        return [yield* records.count(blobs, Where.all), yield* records.count(chunkedBlobs, Where.all)]
      })
    )
  return { server, token, path, send, upload, download, countRows }
}

const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: number; reason: string; message: string } }
  return [response.status, error.reason, error.message] as const
}

/** Pseudorandom bytes, so that no two chunks are equal. */
const noiseOf = (length: number, seed = 1): Uint8Array => {
  const bytes = new Uint8Array(length)
  let state = seed
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes[at] = state >>> 24
  }
  return bytes
}

describe.each(ruleStores)("an upload on $name", (store) => {
  it("stores files of any size, and returns every range of them", async () => {
    const { upload, download } = await startSpace({}, store)
    const bytes = noiseOf(3 * megabyte + 5)
    const [large, small, empty] = await upload(
      [
        { name: "large.bin", bytes },
        { name: "small.txt", type: "text/plain", bytes: Buffer.from("small") },
        { name: "empty.txt", type: "text/plain", bytes: new Uint8Array() }
      ],
      "Three files"
    )
    expect([large, small, empty]).toMatchObject([
      { name: "large.bin", size: bytes.length, contentType: "application/octet-stream" },
      { name: "small.txt", size: 5, contentType: "text/plain" },
      { name: "empty.txt", size: 0 }
    ])
    expect(large!.downloadURL).toContain(createHash("sha256").update(bytes).digest("base64url"))
    const whole = await download(large!.downloadURL)
    expect(whole.headers.get("content-length")).toBe(String(bytes.length))
    expect(Buffer.from(await whole.arrayBuffer()).equals(bytes)).toBe(true)
    expect(await (await download(small!.downloadURL)).text()).toBe("small")
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(2 * megabyte)), { minLength: 1, maxLength: 4 }),
        async (ranges) => {
          for (const [start, length] of ranges) {
            const part = await download(large!.downloadURL, { range: `bytes=${start}-${start + length}` })
            expect(part.status).toBe(206)
            const expected = bytes.subarray(start, start + length + 1)
            expect(Buffer.from(await part.arrayBuffer()).equals(expected)).toBe(true)
          }
        }
      ),
      runs(10)
    )
  })

  it("stores equal files once, from forms and from JSON", async () => {
    const { upload, send, countRows } = await startSpace({}, store)
    const bytes = noiseOf(2 * megabyte)
    const small = Buffer.from("the same")
    const [first] = await upload([
      { name: "a.bin", bytes },
      { name: "b.txt", bytes: small }
    ])
    const nodes = async () => (await countRows())[1]
    expect(await nodes()).toBe(1)
    const [again] = await upload([{ name: "other.bin", bytes }])
    expect(again!.id).not.toBe(first!.id)
    expect(await nodes()).toBe(1)
    const file = { name: "c.txt", contentType: "text/plain", base64: small.toString("base64") }
    const changes = [{ operation: "insert_files", files: [file] }]
    const response = await send(JSON.stringify({ changes }), { "content-type": "application/json" })
    expect(response.status).toBe(200)
  })
})

describe("an upload", () => {
  it("plays in browsers: the first request is for all bytes, and others seek", async () => {
    const { upload, download } = await startSpace()
    const bytes = noiseOf(2 * megabyte)
    bytes.set(Buffer.from("ftyp"), 4)
    const [video] = await upload([{ name: "clip.mp4", bytes }])
    expect(video!.contentType).toBe("video/mp4")
    const first = await download(video!.downloadURL, { range: "bytes=0-" })
    expect([first.status, first.headers.get("content-type")]).toEqual([206, "video/mp4"])
    expect(first.headers.get("content-range")).toBe(`bytes 0-${bytes.length - 1}/${bytes.length}`)
    expect(first.headers.get("accept-ranges")).toBe("bytes")
    // The player has the header of the video, and stops to seek to its end.
    await first.body!.cancel()
    const seek = await download(video!.downloadURL, { range: `bytes=${bytes.length - 10}-` })
    expect(Buffer.from(await seek.arrayBuffer()).equals(bytes.subarray(-10))).toBe(true)
    const etag = seek.headers.get("etag")!
    const resumed = await download(video!.downloadURL, { range: "bytes=1-2", "if-range": etag })
    expect(resumed.status).toBe(206)
  })

  it("detects the type and the dimensions of images, and sanitizes names", async () => {
    const { upload, download } = await startSpace()
    const png = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64"
    )
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="4"/>')
    const [first, second, third, fourth] = await upload([
      { name: "../../etc/a.png", bytes: png },
      { name: "b.jpg", type: "image/jpeg", bytes: png },
      { name: "..", type: "image/svg+xml", bytes: svg },
      { name: "d.html", type: "text/html", bytes: Buffer.from("<script>1</script>") }
    ])
    expect([first, second, third, fourth]).toMatchObject([
      { name: "a.png", contentType: "image/png", dimensions: { width: 1, height: 1 } },
      { name: "b.jpg", contentType: "image/png" },
      { name: "file", contentType: "image/svg+xml", dimensions: { width: 3, height: 4 } },
      { name: "d.html", contentType: "text/html" }
    ])
    for (const file of [third!, fourth!]) {
      const response = await download(file.downloadURL)
      expect(response.headers.get("content-disposition")).toMatch(/^attachment;/)
      expect(response.headers.get("content-security-policy")).toContain("sandbox")
    }
  })

  it("adds files to a change request, and is executed once per idempotency key", async () => {
    const { server, token, path, send } = await startSpace()
    const requests = path.replace(/content$/, "change-requests")
    const created = await server.fetch(requests, { method: "POST", token, body: "{}" })
    const { id } = (await created.json()) as { id: string }
    const content = `${requests}/${id}/content`
    const form = () => formOf([{ name: "a.txt", bytes: Buffer.from("a") }])
    const key = { "idempotency-key": "upload-1" }
    const response = await send(form(), key, content)
    expect(response.status).toBe(200)
    const repeated = await send(form(), key, content)
    // The result of the edit contains signed URLs, which are not stored.
    expect((await errorOf(repeated)).slice(0, 2)).toEqual([409, "AlreadyDone"])
    const other = formOf([{ name: "a.txt", bytes: Buffer.from("b") }])
    expect((await errorOf(await send(other, key, content)))[1]).toBe("IdempotencyKeyReused")
    const listed = await server.fetch(`${content}/files`, { token })
    expect(((await listed.json()) as { items: ReadonlyArray<unknown> }).items).toHaveLength(1)
  })
})

describe("garbage collection", () => {
  const hour = 60 * 60 * 1000

  it("retains the chunks of an upload in progress, and deletes the chunks of a killed process after a day", async () => {
    const { server, upload, download, countRows } = await startSpace()
    const run = <A, E>(effect: Effect.Effect<A, E, Content>) =>
      server.core.runtime.runPromise(Effect.provideService(effect, Clock.Clock, server.core.clock))
    const sweep = () => run(Effect.flatMap(Content, (content) => content.sweep))
    const bytes = noiseOf(2 * megabyte)
    const [file] = await upload([{ name: "a.bin", bytes }])
    const before = (await countRows())[0]
    // The first chunk of the upload that never ends is also one of the file.
    const endless = Stream.concat(
      Stream.make(bytes.subarray(0, megabyte), noiseOf(2 * megabyte, 2)),
      Stream.never
    )
    run(Effect.flatMap(Content, (content) => content.storeUpload(endless, undefined))).catch(() => {})
    await until("its chunks are stored", async () => (await countRows())[0] === before! + 2)
    await server.core.advance(23 * hour)
    await sweep()
    expect((await countRows())[0]).toBe(before! + 2)
    await server.core.advance(2 * hour)
    await sweep()
    expect((await countRows())[0]).toBeLessThanOrEqual(before!)
    const response = await download(file!.downloadURL)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it("deletes a file of several chunks with the last revision that contains it", async () => {
    const { server, token, path, upload, countRows } = await startSpace()
    const run = <A, E>(effect: Effect.Effect<A, E, Content>) =>
      server.core.runtime.runPromise(Effect.provideService(effect, Clock.Clock, server.core.clock))
    await upload([{ name: "a.bin", bytes: noiseOf(2 * megabyte) }])
    await server.fetch(path.replace(/\/content$/, ""), { method: "DELETE", token })
    await server.core.advance(8 * 24 * hour)
    await server.core.purge()
    await run(Effect.flatMap(Content, (content) => content.sweep))
    expect(await countRows()).toEqual([0, 0])
  })
})

describe("an adversarial upload", () => {
  const boundary = "--------boundary"
  const type = { "content-type": `multipart/form-data; boundary=${boundary}` }
  const partOf = (name: string, bytes: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n${bytes}\r\n`
  const end = `--${boundary}--\r\n`

  it("is rejected before its bytes are read if the caller cannot edit", async () => {
    const { server, path, countRows } = await startSpace()
    const eve = await server.core.createUser("eve@example.com")
    const before = await countRows()
    let pulled = 0
    const body = new ReadableStream({
      pull: (controller) => {
        pulled++
        if (pulled > 200) controller.close()
        else controller.enqueue(noiseOf(megabyte / 4, pulled))
      }
    })
    const headers = { authorization: `Bearer ${await server.tokenOf(eve)}`, ...type }
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      headers,
      body,
      duplex: "half"
    } as RequestInit)
    expect((await errorOf(response))[1]).toBe("SpaceNotFound")
    expect(await countRows()).toEqual(before)
  })

  it("is rejected if it has 10,000 parts, no files, unknown fields or a broken boundary", async () => {
    const { send, countRows } = await startSpace()
    const many = Array.from({ length: 10_000 }, (_, index) => partOf(`${index}`, "")).join("") + end
    const field = `--${boundary}\r\ncontent-disposition: form-data; name="other"\r\n\r\nx\r\n${end}`
    const before = (await countRows())[1]
    for (const body of [many, end, field, partOf("a", "unfinished"), "no boundary", "", `--${boundary}`]) {
      const [status, reason] = await errorOf(await send(body, type))
      expect([body.slice(0, 40), status, reason]).toEqual([body.slice(0, 40), 400, "InvalidFields"])
    }
    const [status] = await errorOf(await send(end, { "content-type": "multipart/form-data" }))
    expect(status).toBe(415)
    expect((await countRows())[1]).toBe(before)
  })

  it("is rejected once it exceeds the limit, also decompressed and without a length", async () => {
    const { send } = await startSpace({ uploadLimit: 2 * megabyte })
    const large = partOf("a", "a".repeat(3 * megabyte)) + end
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from(partOf("a", "").slice(0, -2))),
      pull: (controller) => controller.enqueue(noiseOf(megabyte / 4))
    })
    for (const [body, headers] of [
      [large, {}],
      [gzipSync(large), { "content-encoding": "gzip" }],
      [endless, {}]
    ] as const) {
      const response = await send(body, { ...type, ...headers }).catch((error: unknown) => {
        // The server has closed the connection while the client still sent.
        if (body === endless) return undefined
        throw error
      })
      if (response !== undefined) expect((await errorOf(response)).slice(0, 2)).toEqual([413, "BodyTooLarge"])
    }
  })

  it("is interrupted if it takes longer than its deadline, or if the client disconnects", async () => {
    const { server, token, path, countRows } = await startSpace({ limits: { uploadTimeoutMs: 300 } })
    const before = (await countRows())[1]
    const open = (length: number) => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1")
      socket.on("error", () => {})
      const head = [
        `POST ${path} HTTP/1.1`,
        "host: x",
        `authorization: Bearer ${token}`,
        `content-type: ${type["content-type"]}`,
        `content-length: ${length}`
      ]
      socket.write(`${head.join("\r\n")}\r\n\r\n${partOf("a", "begin").slice(0, -2)}`)
      return socket
    }
    const slow = open(100_000)
    const received = await new Promise<string>((resolve) =>
      slow.once("data", (data) => resolve(String(data)))
    )
    expect(received).toMatch(/^HTTP\/1\.1 503 /)
    slow.destroy()
    open(100_000).destroy()
    expect((await countRows())[1]).toBe(before)
  })
})

describe("a file at a URL", () => {
  const start = (bytes: Uint8Array, contentType: string) =>
    startSpace(
      {},
      {
        make: async () =>
          Layer.merge(
            await memory.make(),
            Layer.succeed(Fetcher, ({ url }) =>
              url.endsWith("/missing")
                ? Effect.fail(new UpstreamFailed({ reason: "FetchFailed", message: "It is missing." }))
                : Effect.succeed({ url, status: 200, contentType, body: bytes })
            )
          )
      }
    )
  const batchOf = (...files: ReadonlyArray<object>) =>
    JSON.stringify({ changes: [{ operation: "insert_files", files }] })
  const json = { "content-type": "application/json" }

  it("is fetched, and stored as an upload", async () => {
    const bytes = noiseOf(2 * megabyte)
    const { send, download } = await start(bytes, "video/webm")
    const file = { name: "a.webm", url: "https://example.com/a" }
    const response = await send(batchOf(file, { ...file, contentType: "video/mp4" }), json)
    const { insertedFiles } = (await response.json()) as EditedContent
    expect(insertedFiles!.map(({ contentType }) => contentType)).toEqual(["video/webm", "video/mp4"])
    for (const { downloadURL } of insertedFiles!) {
      expect(Buffer.from(await (await download(downloadURL)).arrayBuffer()).equals(bytes)).toBe(true)
    }
  })

  /** Starts a space whose fetcher streams pieces, and never returns a whole body. */
  const startStreaming = (pieces: () => AsyncIterable<Uint8Array>) => {
    const failed = new UpstreamFailed({ reason: "FetchFailed", message: "The response ended early." })
    const fetcher = Object.assign(() => Effect.die("The body must be streamed."), {
      stream: ({ url }: { readonly url: string }) =>
        Effect.succeed({
          url,
          status: 200,
          contentType: "video/webm",
          body: Stream.fromAsyncIterable(pieces(), () => failed)
        })
    })
    return startSpace(
      {},
      { make: async () => Layer.merge(await memory.make(), Layer.succeed(Fetcher, fetcher)) }
    )
  }
  const streamed = batchOf({ name: "a.webm", url: "https://example.com/a" })

  it("is stored while it is received, so that few of its chunks are in memory", async () => {
    const bytes = noiseOf(12 * megabyte + 5)
    const piece = 300_000
    let most = 0
    const { send, download, countRows } = await startStreaming(async function* () {
      const [before] = await countRows()
      for (let at = 0; at < bytes.length; at += piece) {
        const [stored] = await countRows()
        most = Math.max(most, at - (stored! - before!) * megabyte)
        yield bytes.subarray(at, at + piece)
      }
    })
    const response = await send(streamed, json)
    const { insertedFiles } = (await response.json()) as EditedContent
    const [file] = insertedFiles!
    expect(file).toMatchObject({ contentType: "video/webm", size: bytes.length })
    const downloaded = Buffer.from(await (await download(file!.downloadURL)).arrayBuffer())
    expect(downloaded.equals(bytes)).toBe(true)
    expect(most).toBeLessThan(4 * megabyte)
  })

  it("changes nothing if its stream fails", async () => {
    const { send, countRows } = await startStreaming(async function* () {
      yield noiseOf(2 * megabyte)
      throw new Error("The connection is closed.")
    })
    const [, before] = await countRows()
    expect((await errorOf(await send(streamed, json))).slice(0, 2)).toEqual([502, "FetchFailed"])
    expect((await countRows())[1]).toBe(before)
  })

  it("changes nothing if it cannot be fetched, or has bytes as well", async () => {
    const { send, countRows } = await start(Buffer.from("a"), "text/plain")
    const before = await countRows()
    const missing = { name: "a", url: "https://example.com/missing" }
    expect((await errorOf(await send(batchOf(missing), json))).slice(0, 2)).toEqual([502, "FetchFailed"])
    const both = { name: "a", url: "https://example.com/a", base64: "", contentType: "text/plain" }
    expect((await errorOf(await send(batchOf(both), json))).slice(0, 2)).toEqual([400, "InvalidFields"])
    expect(await countRows()).toEqual(before)
  })
})
