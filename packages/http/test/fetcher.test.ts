/** The fetcher: responses, limits and timeouts, and protection against requests to private networks (SSRF). */
import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, createServer as createSocketServer, type Server } from "node:net"
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib"
import type { Fetched, FetchRequest } from "@lectern/core"
import { runs } from "@lectern/harness"
import { createDestinationFilter, isPublicAddress, type NodeFetcherOptions, nodeFetcher } from "@lectern/http"
import { Effect, Exit, Fiber } from "effect"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { until } from "./support/until.ts"

let port: number
let connections = 0
let open = 0
const routes: Record<string, RequestListener> = {}
const server = createServer((request, response) => {
  const route = routes[request.url!]
  if (route === undefined) response.writeHead(404).end()
  else route(request, response)
})
server.on("connection", (socket) => {
  connections++
  open++
  socket.once("close", () => open--)
})
const listen = (one: Server | typeof server) =>
  new Promise<number>((resolve) =>
    one.listen(0, "127.0.0.1", () => resolve((one.address() as AddressInfo).port))
  )
beforeAll(async () => {
  port = await listen(server)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const allowed: NodeFetcherOptions = { allow: ["127.0.0.1"] }

const fetch = (
  url: string,
  options: NodeFetcherOptions = allowed,
  request: Partial<FetchRequest> = {}
): Promise<Fetched | { readonly error: string; readonly message: string }> =>
  Effect.runPromise(
    nodeFetcher(options)({ url, maximumBytes: 100_000, timeoutMillis: 60_000, ...request }).pipe(
      Effect.catch((error) => Effect.succeed({ error: error._tag, message: error.message }))
    )
  )
const urlOf = (path: string) => `http://127.0.0.1:${port}${path}`
const bodyOrMessage = (response: Awaited<ReturnType<typeof fetch>>) =>
  "body" in response ? new TextDecoder().decode(response.body) : response.message

describe("the fetcher", () => {
  it("returns the body with its media type and the URL after redirects", async () => {
    routes["/page"] = (request, response) => {
      response.writeHead(200, { "content-type": "Text/HTML; charset=utf-8" })
      response.end(`accept ${request.headers.accept}, from ${request.headers.host}`)
    }
    routes["/moved"] = (_, response) => response.writeHead(301, { location: "/page" }).end()
    const response = await fetch(urlOf("/moved"), allowed, { accept: "text/html" })
    expect(response).toMatchObject({ url: urlOf("/page"), status: 200, contentType: "text/html" })
    expect(bodyOrMessage(response)).toBe(`accept text/html, from 127.0.0.1:${port}`)
  })

  it("decompresses gzip, deflate and Brotli, and rejects invalid and unknown encodings", async () => {
    for (const [name, compress] of [
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync]
    ] as const) {
      routes["/compressed"] = (_, response) =>
        response.writeHead(200, { "content-encoding": name }).end(compress("the text"))
      expect([name, bodyOrMessage(await fetch(urlOf("/compressed")))]).toEqual([name, "the text"])
    }
    routes["/compressed"] = (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip at all")
    expect(await fetch(urlOf("/compressed"))).toMatchObject({ error: "UpstreamFailed" })
    routes["/compressed"] = (_, response) => response.writeHead(200, { "content-encoding": "zstd" }).end("x")
    expect(await fetch(urlOf("/compressed"))).toMatchObject({ error: "UpstreamFailed" })
  })

  it("returns at most `maximumBytes` of a body, before and after decompression", async () => {
    routes["/large"] = (_, response) => response.end("x".repeat(100_001))
    routes["/fits"] = (_, response) => response.end("x".repeat(100_000))
    routes["/bomb"] = (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(50_000_000)))
    routes["/endless"] = (_, response) => {
      const write = () => {
        while (!response.destroyed && response.write(Buffer.alloc(10_000))) {}
      }
      response.on("drain", write)
      write()
    }
    expect(bodyOrMessage(await fetch(urlOf("/fits")))).toHaveLength(100_000)
    for (const path of ["/large", "/bomb", "/endless"]) {
      expect([path, await fetch(urlOf(path))]).toEqual([
        path,
        { error: "UpstreamFailed", message: "The response is larger than 100000 bytes." }
      ])
    }
  })

  it("receives at most `maximumBytes` of a compressed body, even if nothing is decompressed from them", async () => {
    // The header of a gzip file contains a name of any length, during which nothing is decompressed.
    routes["/name"] = (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" })
      response.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]))
      const timer = setInterval(() => response.write("x".repeat(20_000)), 5)
      response.once("close", () => clearInterval(timer))
    }
    expect(await fetch(urlOf("/name"))).toEqual({
      error: "UpstreamFailed",
      message: "The response is larger than 100000 bytes."
    })
  })

  it("fails after `timeoutMillis` if the headers or the body are slow", async () => {
    routes["/silent"] = () => {}
    routes["/dripping"] = (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write("x"), 20)
      response.once("close", () => clearInterval(timer))
    }
    for (const path of ["/silent", "/dripping"]) {
      expect(await fetch(urlOf(path), allowed, { timeoutMillis: 200 })).toMatchObject({
        error: "UpstreamTimeout"
      })
    }
    await until("no connection is open", () => open === 0)
  })

  it("closes the connection on interruption", async () => {
    const fiber = Effect.runFork(
      nodeFetcher(allowed)({ url: urlOf("/silent"), maximumBytes: 1, timeoutMillis: 60_000 })
    )
    await until("one connection is open", () => open === 1)
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(Exit.isFailure(await Effect.runPromise(Fiber.await(fiber)))).toBe(true)
    await until("no connection is open", () => open === 0)
  })

  it("fails on error statuses, on invalid and on incomplete responses", async () => {
    routes["/broken"] = (request) => void request.socket.destroy()
    routes["/half"] = (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("x", () => response.destroy())
    }
    const invalidServer = createSocketServer((socket) => void socket.end("This is no HTTP.\r\n\r\n"))
    const other = await listen(invalidServer)
    for (const url of [
      urlOf("/nothing"),
      urlOf("/broken"),
      urlOf("/half"),
      `http://127.0.0.1:${other}/`,
      "http://127.0.0.1:1/"
    ]) {
      expect([url, await fetch(url)]).toMatchObject([url, { error: "UpstreamFailed" }])
    }
    invalidServer.close()
  })

  it("follows at most 5 redirects, and none to a private or invalid URL", async () => {
    for (let i = 1; i <= 6; i++) {
      routes[`/hop${i}`] = (_, response) => response.writeHead(302, { location: `/hop${i - 1}` }).end()
    }
    routes["/hop0"] = (_, response) => response.end("there")
    routes["/circle"] = (_, response) => response.writeHead(302, { location: "/circle" }).end()
    expect(bodyOrMessage(await fetch(urlOf("/hop5")))).toBe("there")
    expect(await fetch(urlOf("/hop6"))).toMatchObject({ message: "The URL redirects more than 5 times." })
    expect(await fetch(urlOf("/circle"))).toMatchObject({
      message: "The URL redirects more than 5 times."
    })
    for (const location of [
      "file:///etc/passwd",
      "http://169.254.169.254/latest/meta-data",
      "http://[::1]:1/",
      "http://localhost.:80/",
      "//10.0.0.1/",
      "http://user:password@127.0.0.1/"
    ]) {
      routes["/away"] = (_, response) => response.writeHead(302, { location }).end()
      expect([location, await fetch(urlOf("/away"))]).toMatchObject([location, { error: "UpstreamFailed" }])
    }
  })
})

describe("addresses that are not public", () => {
  const connectionCount = () => connections
  it("are not reachable in any notation", async () => {
    const count = connectionCount()
    for (const host of [
      "127.0.0.1",
      "0.0.0.0",
      "localhost",
      "127.1",
      "0x7f.1",
      "2130706433",
      "0177.0.0.1",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:7f00:1]",
      "[64:ff9b::127.0.0.1]",
      "[2002:7f00:1::]",
      "[fe80::1]",
      "[fc00::1]",
      "10.0.0.1",
      "172.16.0.1",
      "192.168.0.1",
      "100.64.0.1",
      "169.254.169.254",
      "224.0.0.1",
      "255.255.255.255",
      "１２７.0.0.1"
    ]) {
      expect([host, await fetch(`http://${host}:${port}/page`, {})]).toMatchObject([
        host,
        { error: "UpstreamFailed" }
      ])
    }
    expect(connectionCount()).toBe(count)
  })

  it("are not reachable by names that resolve to them, even if a name also has public addresses", async () => {
    const count = connectionCount()
    for (const addresses of [
      ["127.0.0.1"],
      ["93.184.216.34", "127.0.0.1"],
      ["::1"],
      ["::ffff:127.0.0.1"],
      []
    ]) {
      const resolve = async () =>
        addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
      expect(await fetch(`http://example.com:${port}/page`, { resolve })).toMatchObject({
        error: "UpstreamFailed"
      })
    }
    expect(connectionCount()).toBe(count)
  })

  it("are not reachable by DNS rebinding: a name is resolved once per request", async () => {
    let lookups = 0
    const resolve = async () => [{ address: lookups++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }]
    // The check and the connection use the same address.
    const response = await fetch(`http://example.test:${port}/page`, { allow: ["127.0.0.0/8"], resolve })
    expect([bodyOrMessage(response), lookups]).toEqual([`accept */*, from example.test:${port}`, 1])
  })

  it("fail with the same error as names that do not exist", async () => {
    const resolvingTo = async (addresses: ReadonlyArray<string>) =>
      fetch("http://intranet.test/", {
        resolve: async () => addresses.map((address) => ({ address, family: 4 }))
      })
    expect(await resolvingTo([])).toEqual(await resolvingTo(["10.0.0.1"]))
  })

  it("are reachable if they are allowed: by network, by address, or by name, with or without a port", async () => {
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }]
    for (const [allow, isReached] of [
      ["127.0.0.0/8", true],
      ["127.0.0.1", true],
      ["wiki.test", true],
      [`wiki.test:${port}`, true],
      ["wiki.test:1", false],
      ["other.test", false],
      ["10.0.0.0/8", false],
      ["::1", false]
    ] as const) {
      const response = await fetch(`http://wiki.test:${port}/page`, { allow: [allow], resolve })
      expect([allow, "body" in response]).toEqual([allow, isReached])
    }
  })

  it("include every address outside the public internet", () => {
    const octet = fc.nat(255)
    const address = fc.tuple(octet, octet, octet, octet)
    const isPrivate = ([a, b, c]: readonly [number, number, number, number]) =>
      a === 0 ||
      a === 10 ||
      a === 127 ||
      a >= 224 ||
      (a === 100 && b >= 64 && b < 128) ||
      (a === 169 && b === 254) ||
      (a === 172 && b >= 16 && b < 32) ||
      (a === 192 && b === 168) ||
      (a === 192 && b === 0 && (c === 0 || c === 2)) ||
      (a === 198 && (b === 18 || b === 19)) ||
      (a === 198 && b === 51 && c === 100) ||
      (a === 203 && b === 0 && c === 113)
    const risky = fc.oneof(
      address,
      fc.tuple(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 255), octet, octet, octet)
    )
    fc.assert(
      fc.property(risky, (parts) => {
        const text = parts.join(".")
        if (isPrivate(parts)) {
          expect([text, isPublicAddress(text)]).toEqual([text, false])
          expect(isPublicAddress(`::ffff:${text}`)).toBe(false)
          expect(isPublicAddress(`64:ff9b::${text}`)).toBe(false)
        }
      }),
      runs(2_000)
    )
    for (const text of ["8.8.8.8", "93.184.216.34", "2606:4700::1111"])
      expect([text, isPublicAddress(text)]).toEqual([text, true])
    for (const text of [
      "",
      "x",
      "fe80::1%eth0",
      "2606:4700::1111%eth0",
      "2001:db8::1",
      "ff02::1",
      "::7f00:1",
      "4000::1",
      // With this prefix, RFC 6052 embeds a private address here; the last bytes are a public address.
      "64:ff9b:1:7f00:0:100:808:808"
    ])
      expect([text, isPublicAddress(text)]).toEqual([text, false])
  })

  it("of cloud metadata services are allowed only by their exact address", () => {
    for (const address of ["169.254.169.254", "168.63.129.16", "100.100.100.200", "fd00:ec2::254"]) {
      const isIn = (entry: string, port = 80) => createDestinationFilter([entry])("cloud.test", port, address)
      expect(isPublicAddress(address)).toBe(false)
      for (const entry of ["0.0.0.0/0", "::/0", "169.254.0.0/16", "cloud.test"]) {
        expect([entry, isIn(entry)]).toEqual([entry, false])
      }
      expect(isIn(address)).toBe(true)
      const inBrackets = address.includes(":") ? `[${address}]` : address
      expect([isIn(`${inBrackets}:80`), isIn(`${inBrackets}:81`)]).toEqual([true, false])
    }
    expect(createDestinationFilter(["0.0.0.0/0"])("x", 80, "::ffff:169.254.169.254")).toBe(false)
  })

  it("are not allowed by invalid entries, which throw a RangeError", () => {
    for (const entry of [
      "10.0.0.0/99",
      "10.0.0.0/8x",
      "http://wiki.test/",
      "a b",
      "",
      "wiki.test:0",
      "wiki.test:99999",
      "10.0.0.1:99999",
      "[wiki]",
      "[::1",
      "*"
    ]) {
      expect(() => createDestinationFilter([entry])).toThrow(RangeError)
    }
  })

  it("include ports that are not for HTTP", async () => {
    const resolve = async () => [{ address: "93.184.216.34", family: 4 }]
    expect(await fetch("http://example.com:25/", { resolve })).toMatchObject({
      message: "The address is not publicly routable. The operator can allow it with LECTERN_FETCH_ALLOW."
    })
  })

  it("are not reachable by other protocols, or with credentials in the URL", async () => {
    for (const url of [
      "ftp://example.com/",
      "file:///etc/passwd",
      "gopher://127.0.0.1/",
      "data:text/plain,x",
      "no address",
      "http://a:b@127.0.0.1/"
    ]) {
      expect([url, await fetch(url)]).toMatchObject([url, { error: "UpstreamFailed" }])
    }
  })
})
