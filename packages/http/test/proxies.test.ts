/** The client of a request that proxies forward. Clients can send the same headers, so a wrong rule is a vulnerability. */
import type { TrustedProxies } from "@lectern/http"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeClientResolver } from "../src/server/proxies.ts"
import { makeBaseUrlResolver } from "../src/server/requestBaseUrl.ts"

const resolve = (trusted: TrustedProxies, peer: string | undefined, headers: Record<string, string>) =>
  makeClientResolver(trusted)(peer, (name) => headers[name])

const address = fc
  .tuple(...Array.from({ length: 4 }, () => fc.integer({ min: 1, max: 254 })))
  .map((parts) => parts.join("."))
/** A header as a client can send it: addresses, or garbage. */
const spoofed = fc.array(fc.oneof(address, fc.constantFrom("unknown", "", "10.0.0.1", "x y", "[::1]")), {
  maxLength: 4
})

describe("the client of a request", () => {
  it("is the connection if no proxy is trusted, for all headers of the client", () => {
    fc.assert(
      fc.property(address, spoofed, (peer, entries) => {
        const headers = {
          "x-forwarded-for": entries.join(", "),
          forwarded: entries.map((entry) => `for=${entry}`).join(", "),
          "x-forwarded-proto": "https",
          "x-forwarded-host": "evil.example"
        }
        expect(resolve([], peer, headers)).toBe(peer)
        expect(resolve(["203.0.113.9"], "10.9.9.9", headers)).toBe("10.9.9.9")
      })
    )
  })

  it("is the address that the trusted proxies have added, after all entries of the client", () => {
    const proxies = fc.array(
      fc.integer({ min: 1, max: 254 }).map((last) => `10.0.0.${last}`),
      { minLength: 1, maxLength: 3 }
    )
    const client = address.filter((text) => !text.startsWith("10."))
    fc.assert(
      fc.property(spoofed, client, proxies, (entries, real, [peer, ...others]) => {
        const added = [real, ...others]
        const list = [...entries, ...added].join(", ")
        expect(resolve(["10.0.0.0/8"], peer, { "x-forwarded-for": list })).toBe(real)
        expect(resolve(added.length, peer, { "x-forwarded-for": list })).toBe(real)
        const forwarded = [
          ...entries.map((text) => `for="${text}"`),
          ...added.map((text) => `for=${text}`)
        ].join(", ")
        expect(resolve(["10.0.0.0/8"], peer, { forwarded })).toBe(real)
        expect(resolve(added.length, peer, { forwarded })).toBe(real)
      })
    )
  })

  it("is the proxy if the two kinds of headers report different clients", () => {
    const headers = { forwarded: "for=6.6.6.6", "x-forwarded-for": "192.0.2.7" }
    expect(resolve(["10.0.0.1"], "10.0.0.1", headers)).toBe("10.0.0.1")
    expect(resolve(["10.0.0.1"], "10.0.0.1", { ...headers, forwarded: "for=192.0.2.7" })).toBe("192.0.2.7")
  })

  it.each([
    ["for=192.0.2.60;proto=https;host=docs.example", "192.0.2.60"],
    ['For="[2001:db8:cafe::17]:4711"; Proto=http ;Host="docs.example:8080"', "2001:db8:cafe::17"],
    ["for=192.0.2.43, for=198.51.100.17;by=10.0.0.1", "198.51.100.17"],
    ["for=_hidden", "10.0.0.1"],
    ["proto=https", "10.0.0.1"],
    ["192.0.2.60", "10.0.0.1"]
  ])("parses Forwarded: %s", (forwarded, client) => {
    expect(resolve(["10.0.0.1"], "::ffff:10.0.0.1", { forwarded })).toBe(client)
  })
})

describe("the base URL of links", () => {
  const baseUrlOf = (hosts: ReadonlyArray<string>, headers: Record<string, string>, peer = "10.0.0.1") =>
    makeBaseUrlResolver(["10.0.0.0/8"], hosts)(peer, (name) => headers[name], "/api")

  it("has a public host and a path without special meaning, for all headers", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: "binary", maxLength: 10 }),
      fc.constantFrom(
        "b.example",
        "evil.example",
        "b.example@evil.example",
        "b.example.evil",
        "B.example:80"
      ),
      fc.constantFrom("/kb", "//evil.example", "/../x", "/%2f", "https", "javascript", 'host="evil.example"')
    )
    const value = fc.oneof(
      text,
      fc.tuple(text, text).map(([first, second]) => `${first}, ${second}`)
    )
    fc.assert(
      fc.property(
        fc.record(
          {
            forwarded: fc.oneof(
              value,
              value.map((host) => `for=192.0.2.1;host="${host}"`)
            ),
            host: value,
            "x-forwarded-host": value,
            "x-forwarded-proto": value,
            "x-forwarded-prefix": value
          },
          { requiredKeys: [] }
        ),
        (headers) => {
          const base = baseUrlOf(["b.example"], headers as Record<string, string>)
          if (base === undefined) return
          expect(base).toMatch(/^https?:\/\/b\.example(?:\/[\w.~-]+)*\/api$/)
          expect(new URL(base).href).toBe(base)
          expect(baseUrlOf(["b.example"], headers as Record<string, string>, "192.0.2.9")).toBeUndefined()
          expect(baseUrlOf([], headers as Record<string, string>)).toBeUndefined()
        }
      )
    )
  })

  it.each<[hosts: ReadonlyArray<string>, headers: Record<string, string>, base: string | undefined]>([
    [["b.example"], { host: "b.example" }, "http://b.example/api"],
    [
      ["b.example:8443"],
      { host: "b.example:8443", "x-forwarded-proto": "https" },
      "https://b.example:8443/api"
    ],
    [["b.example"], { host: "b.example:8443" }, undefined],
    [["*.b.example"], { host: "b.example" }, undefined],
    [["*.b.example"], { host: "evil-b.example" }, undefined],
    [["*.b.example"], { host: "X.B.example" }, "http://x.b.example/api"],
    [["*"], { host: "[2001:db8::1]:80" }, "http://[2001:db8::1]:80/api"],
    [["*"], { "x-forwarded-host": "spoofed.example, b.example" }, "http://b.example/api"],
    [["*"], { forwarded: "host=spoofed.example, for=192.0.2.1;host=b.example" }, "http://b.example/api"],
    [["*"], { forwarded: "host=spoofed.example", "x-forwarded-host": "b.example" }, undefined],
    [["*"], { host: "b.example", "x-forwarded-prefix": "/a/../b" }, undefined],
    [["*"], {}, undefined]
  ])("is derived for the hosts %j from %j", (hosts, headers, base) => {
    expect(baseUrlOf(hosts, headers)).toBe(base)
  })

  it.each(["b example", "https://b.example", "*.", "a,b", "*b.example"])("rejects the host %s", (host) => {
    expect(() => makeBaseUrlResolver([], [host])).toThrow(RangeError)
  })
})
