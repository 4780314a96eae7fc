/** Compressed responses and requests, on every way of serving the API. */
import { request as nodeRequest } from "node:http"
import { promisify } from "node:util"
import * as zlib from "node:zlib"
import { isFastRun } from "@lectern/harness"
import { type HttpMiddleware, type HttpOptions, toWebHandler, type WebHandler } from "@lectern/http"
import { Effect, Stream } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { negotiateCoding } from "../src/server/messages/codings.ts"
import { createEmbedded } from "./support/embedded.ts"
import { mountPath, socketHosts } from "./support/hosts.ts"

const { workspace, administrator, organization, authorization } = await createEmbedded()
for (let i = 0; i < 20; i++) {
  await workspace.as(administrator).spaces.create({ organization, input: { title: `Space ${i}` } })
}

const decoders = {
  gzip: promisify<zlib.InputType, Uint8Array>(zlib.gunzip),
  br: promisify<zlib.InputType, Uint8Array>(zlib.brotliDecompress),
  zstd: promisify<zlib.InputType, Uint8Array>(zlib.zstdDecompress)
}
const encoders = {
  gzip: promisify<zlib.InputType, Uint8Array>(zlib.gzip),
  br: promisify<zlib.InputType, Uint8Array>(zlib.brotliCompress),
  zstd: promisify<zlib.InputType, Uint8Array>(zlib.zstdCompress)
}
type Coding = keyof typeof decoders
const codings = Object.keys(decoders) as ReadonlyArray<Coding>

interface RawResponse {
  readonly status: number
  readonly headers: Record<string, string | undefined>
  /** The body as it was sent. */
  readonly bytes: Buffer
}

/** Sends a request with Node's client, which does not decompress, unlike `fetch`. */
const makeSend =
  (base: string) =>
  (
    path: string,
    headers: Record<string, string> = {},
    method = "GET",
    body?: Uint8Array
  ): Promise<RawResponse> =>
    new Promise((resolve, reject) => {
      const outgoing = nodeRequest(
        `${base}${path}`,
        { method, headers: { authorization, ...headers } },
        (incoming) => {
          const chunks: Array<Buffer> = []
          incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
          incoming.on("end", () =>
            resolve({
              status: incoming.statusCode!,
              headers: incoming.headers as Record<string, string>,
              bytes: Buffer.concat(chunks)
            })
          )
        }
      )
      outgoing.on("error", reject)
      outgoing.end(body)
    })

const text = "A line of text that repeats. ".repeat(200)

/** Responds with the text as a string, as bytes and as a stream, and with bodies that are not compressed. */
const documents: HttpMiddleware = (next) => (request) => {
  const respond = (
    body: string | Uint8Array | Stream.Stream<Uint8Array>,
    headers: Record<string, string> = {}
  ) =>
    Effect.succeed({
      status: 200,
      headers: { "content-type": "text/plain", "cache-control": "private", etag: '"v1"', ...headers },
      body: Stream.isStream(body) ? { stream: body, length: undefined } : body
    })
  switch (request.url) {
    case "/text":
      return respond(text)
    case "/bytes":
      return respond(Buffer.from(text), { "accept-ranges": "bytes" })
    case "/stream":
      return respond(Stream.fromIterable([Buffer.from(text.slice(0, 10)), Buffer.from(text.slice(10))]))
    case "/short":
      return respond("short")
    case "/image":
      return respond(text, { "content-type": "image/png" })
    case "/secret":
      return respond(text, { "cache-control": "no-store" })
    case "/echo":
      return Effect.match(Stream.runCollect(request.streamBody(10_000)), {
        onSuccess: (chunks) => ({ status: 200, headers: {}, body: Buffer.concat(chunks) }),
        onFailure: ({ _tag }) => ({
          status: _tag === "BodyTooLarge" ? 413 : 400,
          headers: {},
          body: undefined
        })
      })
    default:
      return next(request)
  }
}

/** Calls a web-standard handler without a socket. */
const makeSendToHandler =
  (handler: WebHandler): ReturnType<typeof makeSend> =>
  async (path, headers = {}, method = "GET", body) => {
    const request = new Request(`http://host${path}`, {
      method,
      headers: { authorization, ...headers },
      body: (body as BodyInit | undefined) ?? null
    })
    const response = await handler(request)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      bytes: Buffer.from(await response.arrayBuffer())
    }
  }

const openers = [
  ...socketHosts.map(({ name, start, isMounted }) => ({
    name,
    openHost: async (options: HttpOptions) =>
      makeSend(`${await start(workspace, options)}${isMounted ? mountPath : ""}`)
  })),
  {
    name: "a web-standard handler",
    openHost: async (options: HttpOptions) => makeSendToHandler(toWebHandler(workspace, options))
  }
]

for (const { name, openHost } of openers) {
  describe(name, () => {
    const open = (options: HttpOptions = {}) => openHost({ middleware: [documents], ...options })

    it("compresses text in the coding that the client prefers, with a tag of its own", async () => {
      const send = await open()
      for (const path of ["/text", "/bytes", "/stream"]) {
        const plain = await send(path)
        expect([plain.headers["content-encoding"], plain.bytes.toString()]).toEqual([undefined, text])
        for (const coding of codings) {
          const response = await send(path, { "accept-encoding": coding })
          expect(response.headers["content-encoding"]).toBe(coding)
          expect(response.headers).toMatchObject({ etag: `"v1.${coding}"`, vary: "Accept-Encoding" })
          expect(response.bytes.length).toBeLessThan(text.length / 10)
          expect(Buffer.from(await decoders[coding](response.bytes)).toString()).toBe(text)
          const head = await send(path, { "accept-encoding": coding }, "HEAD")
          expect(head.headers).toMatchObject({ "content-encoding": coding, etag: `"v1.${coding}"` })
          expect([head.headers["content-length"], head.bytes.length]).toEqual([undefined, 0])
        }
      }
    })

    it("does not compress short, compressed, secret and partial bodies", async () => {
      const send = await open()
      const accepting = { "accept-encoding": "gzip, br, zstd" }
      for (const path of ["/short", "/image", "/secret"]) {
        expect((await send(path, accepting)).headers["content-encoding"], path).toBeUndefined()
      }
      const part = await send("/bytes", { ...accepting, range: "bytes=0-2000" })
      expect([part.status, part.headers["content-encoding"], part.bytes.length]).toEqual([
        206,
        undefined,
        2001
      ])
      const uncompressed = await open({ compression: false })
      expect((await uncompressed("/text", accepting)).headers["content-encoding"]).toBeUndefined()
    })

    it("compresses resources, whose tags remain valid in conditions", async () => {
      const send = await open()
      const list = await send(`/v1/orgs/${organization}/spaces`, { "accept-encoding": "br" })
      expect(list.headers["content-encoding"]).toBe("br")
      const { items } = JSON.parse(Buffer.from(await decoders.br(list.bytes)).toString()) as {
        items: ReadonlyArray<{ id: string }>
      }
      const path = `/v1/spaces/${items[0]!.id}`
      const plain = await send(path)
      const tag = plain.headers.etag!
      const inGzip = tag.replace(/"$/, '.gzip"')
      const unchanged = await send(path, { "accept-encoding": "gzip", "if-none-match": inGzip })
      expect([unchanged.status, unchanged.headers.etag]).toEqual([304, inGzip])
      const change = (condition: string) =>
        send(
          path,
          { "if-match": condition, "content-type": "application/json" },
          "PATCH",
          Buffer.from(JSON.stringify({ title: `Changed on ${name}` }))
        )
      expect((await change(inGzip)).status).toBe(200)
      expect((await change(inGzip)).status).toBe(412)
    })

    it.skipIf(isFastRun)("compresses the static documents, with the same bytes every time", async () => {
      const send = await open()
      for (const path of ["/docs", "/openapi.json"]) {
        const plain = await send(path)
        const compressed = await Promise.all(
          codings.map((coding) => send(path, { "accept-encoding": coding }))
        )
        for (const [index, response] of compressed.entries()) {
          const coding = codings[index]!
          expect(response.headers["content-encoding"]).toBe(coding)
          expect(response.bytes.length).toBeLessThan(plain.bytes.length / 3)
          expect(plain.bytes.equals(await decoders[coding](response.bytes))).toBe(true)
          const again = await send(path, { "accept-encoding": coding })
          expect(again.bytes.equals(response.bytes)).toBe(true)
        }
      }
    })

    it("accepts compressed request bodies, up to the limit of decompressed ones", async () => {
      const send = await open({ bodyLimit: 10_000 })
      const create = (coding: string, body: Uint8Array) =>
        send(
          `/v1/orgs/${organization}/spaces`,
          { "content-type": "application/json", "content-encoding": coding },
          "POST",
          body
        )
      const json = (title: string) => Buffer.from(JSON.stringify({ title }))
      for (const coding of codings) {
        const created = await create(coding, await encoders[coding](json(`In ${coding}`)))
        expect([created.status, JSON.parse(created.bytes.toString())]).toMatchObject([
          201,
          { title: `In ${coding}` }
        ])
        const bomb = await encoders[coding](json(" ".repeat(1_000_000)))
        expect(bomb.length).toBeLessThan(10_000)
        expect((await create(coding, bomb)).status).toBe(413)
        expect((await create(coding, json("Not compressed"))).status).toBe(400)
        const echoed = await send(
          "/echo",
          { "content-encoding": coding },
          "POST",
          await encoders[coding](json("x"))
        )
        expect(echoed.bytes.toString()).toBe('{"title":"x"}')
        expect((await send("/echo", { "content-encoding": coding }, "POST", bomb)).status).toBe(413)
        expect((await send("/echo", { "content-encoding": coding }, "POST", json("x"))).status).toBe(400)
      }
      const unsupported = await create("compress", json("x"))
      expect([unsupported.status, unsupported.headers["accept-encoding"]]).toEqual([415, "br, zstd, gzip"])
    })
  })
}

describe("the preferred coding", () => {
  it.each([
    ["gzip", "gzip"],
    ["gzip, deflate, br, zstd", "br"],
    ["gzip;q=1.0, br;q=0.5", "gzip"],
    ["br;q=0, *", "zstd"],
    ["*;q=0", undefined],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["deflate", undefined],
    ["", undefined],
    ["gzip;q=2", undefined],
    ["GZIP", "gzip"]
  ])("of %s is %s", (header, coding) => {
    expect(negotiateCoding(header)).toBe(coding)
  })

  it("has the highest quality of all, for any header", () => {
    const quality = fc.integer({ min: 0, max: 1000 })
    fc.assert(
      fc.property(quality, quality, quality, quality, (gzip, br, zstd, identity) => {
        const qualities = { gzip, br, zstd }
        const header = Object.entries({ ...qualities, identity })
          .map(([name, value]) => `${name};q=${(value / 1000).toFixed(3)}`)
          .join(", ")
        const coding = negotiateCoding(header)
        const highest = Math.max(gzip, br, zstd)
        if (highest === 0 || highest < identity) expect(coding).toBeUndefined()
        else expect(qualities[coding!]).toBe(highest)
      })
    )
  })
})
