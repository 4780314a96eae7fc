/** The one way out: what the fetcher fetches, and what nobody makes it fetch. */
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
const here = (path: string) => `http://127.0.0.1:${port}${path}`
const textOf = (answer: Awaited<ReturnType<typeof fetch>>) =>
  "body" in answer ? new TextDecoder().decode(answer.body) : answer.message

describe("the fetcher", () => {
  it("answers the body, with its type, where it came from in the end", async () => {
    routes["/page"] = (request, response) => {
      response.writeHead(200, { "content-type": "Text/HTML; charset=utf-8" })
      response.end(`accept ${request.headers.accept}, from ${request.headers.host}`)
    }
    routes["/moved"] = (_, response) => response.writeHead(301, { location: "/page" }).end()
    const answer = await fetch(here("/moved"), allowed, { accept: "text/html" })
    expect(answer).toMatchObject({ url: here("/page"), status: 200, contentType: "text/html" })
    expect(textOf(answer)).toBe(`accept text/html, from 127.0.0.1:${port}`)
  })

  it("undoes what a body is compressed by", async () => {
    for (const [name, compress] of [
      ["gzip", gzipSync],
      ["deflate", deflateSync],
      ["br", brotliCompressSync]
    ] as const) {
      routes["/compressed"] = (_, response) =>
        response.writeHead(200, { "content-encoding": name }).end(compress("the text"))
      expect([name, textOf(await fetch(here("/compressed")))]).toEqual([name, "the text"])
    }
    routes["/compressed"] = (_, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end("no gzip at all")
    expect(await fetch(here("/compressed"))).toMatchObject({ error: "UpstreamFailed" })
    routes["/compressed"] = (_, response) => response.writeHead(200, { "content-encoding": "zstd" }).end("x")
    expect(await fetch(here("/compressed"))).toMatchObject({ error: "UpstreamFailed" })
  })

  it("takes no more than it was told to, compressed or not", async () => {
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
    expect(textOf(await fetch(here("/fits")))).toHaveLength(100_000)
    for (const path of ["/large", "/bomb", "/endless"]) {
      expect([path, await fetch(here(path))]).toEqual([
        path,
        { error: "UpstreamFailed", message: "The response is larger than 100000 bytes." }
      ])
    }
  })

  it("takes no more of a compressed body than of any other, whatever comes out of it", async () => {
    // The header of a gzip file has a name in it, which may go on for ever: nothing is decompressed meanwhile.
    routes["/name"] = (_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" })
      response.write(Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]))
      const timer = setInterval(() => response.write("x".repeat(20_000)), 5)
      response.once("close", () => clearInterval(timer))
    }
    expect(await fetch(here("/name"))).toEqual({
      error: "UpstreamFailed",
      message: "The response is larger than 100000 bytes."
    })
  })

  it("gives up in time, on slow heads and on slow bodies", async () => {
    routes["/silent"] = () => {}
    routes["/dripping"] = (_, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write("x"), 20)
      response.once("close", () => clearInterval(timer))
    }
    for (const path of ["/silent", "/dripping"]) {
      expect(await fetch(here(path), allowed, { timeoutMillis: 200 })).toMatchObject({
        error: "UpstreamTimeout"
      })
    }
    await until("no connection is open", () => open === 0)
  })

  it("lets go where it is interrupted", async () => {
    const fiber = Effect.runFork(
      nodeFetcher(allowed)({ url: here("/silent"), maximumBytes: 1, timeoutMillis: 60_000 })
    )
    await until("one connection is open", () => open === 1)
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(Exit.isFailure(await Effect.runPromise(Fiber.await(fiber)))).toBe(true)
    await until("no connection is open", () => open === 0)
  })

  it("answers what is no success, no answer and no end as failures", async () => {
    routes["/broken"] = (request) => void request.socket.destroy()
    routes["/half"] = (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write("x", () => response.destroy())
    }
    const talker = createSocketServer((socket) => void socket.end("This is no HTTP.\r\n\r\n"))
    const other = await listen(talker)
    for (const url of [
      here("/nothing"),
      here("/broken"),
      here("/half"),
      `http://127.0.0.1:${other}/`,
      "http://127.0.0.1:1/"
    ]) {
      expect([url, await fetch(url)]).toMatchObject([url, { error: "UpstreamFailed" }])
    }
    talker.close()
  })

  it("follows five redirects, never in circles for ever, and none to what is not safe", async () => {
    for (let i = 1; i <= 6; i++) {
      routes[`/hop${i}`] = (_, response) => response.writeHead(302, { location: `/hop${i - 1}` }).end()
    }
    routes["/hop0"] = (_, response) => response.end("there")
    routes["/circle"] = (_, response) => response.writeHead(302, { location: "/circle" }).end()
    expect(textOf(await fetch(here("/hop5")))).toBe("there")
    expect(await fetch(here("/hop6"))).toMatchObject({ message: "The URL redirects more than 5 times." })
    expect(await fetch(here("/circle"))).toMatchObject({
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
      expect([location, await fetch(here("/away"))]).toMatchObject([location, { error: "UpstreamFailed" }])
    }
  })
})

describe("private places", () => {
  const before = () => connections
  it("are not reached, however they are written", async () => {
    const count = before()
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
    expect(before()).toBe(count)
  })

  it("are not reached by names that stand for them, alone or beside public ones", async () => {
    const count = before()
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
    expect(before()).toBe(count)
  })

  it("are not reached by a name that stands for another place the next time", async () => {
    let asked = 0
    const resolve = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1", family: 4 }]
    // It is allowed by its first address, and that is the one that is connected to.
    const answer = await fetch(`http://example.test:${port}/page`, { allow: ["127.0.0.0/8"], resolve })
    expect([textOf(answer), asked]).toEqual([`accept */*, from example.test:${port}`, 1])
  })

  it("are not told from names that nobody knows", async () => {
    const told = async (addresses: ReadonlyArray<string>) =>
      fetch("http://intranet.test/", {
        resolve: async () => addresses.map((address) => ({ address, family: 4 }))
      })
    expect(await told([])).toEqual(await told(["10.0.0.1"]))
  })

  it("are reached where they are allowed: by network, by address, by name, with a port", async () => {
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
      const answer = await fetch(`http://wiki.test:${port}/page`, { allow: [allow], resolve })
      expect([allow, "body" in answer]).toEqual([allow, isReached])
    }
  })

  it("are all that is not of the public network", () => {
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
      // A private address where RFC 6052 puts it behind this prefix, a public one in the last bytes.
      "64:ff9b:1:7f00:0:100:808:808"
    ])
      expect([text, isPublicAddress(text)]).toEqual([text, false])
  })

  it("that keep the secrets of a cloud are only opened by their very address", () => {
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

  it("are not opened by an entry that means nothing, which is refused", () => {
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

  it("on public addresses are not reached by ports that no web server is on", async () => {
    const resolve = async () => [{ address: "93.184.216.34", family: 4 }]
    expect(await fetch("http://example.com:25/", { resolve })).toMatchObject({
      message: "The address is not publicly routable."
    })
  })

  it("are not reached by other protocols, nor with names and passwords", async () => {
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
