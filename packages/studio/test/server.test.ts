/** The application as files for a server: the document, its policy, and the files of the bundle. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { studio } from "@lectern/studio"
import { beforeAll, describe, expect, it } from "vitest"

beforeAll(() => {
  const script = fileURLToPath(new URL("../../../scripts/bundle-studio.ts", import.meta.url))
  execFileSync(process.execPath, [script], { stdio: "ignore" })
})

const get = (app: ReturnType<typeof studio>, path: string, method = "GET") =>
  app.fetch(new Request(`https://docs.example.com${path}`, { method }))

describe("the document", () => {
  it("is the same for every address below the base path, and names the API", async () => {
    const app = studio({ api: "/docs-api/", basePath: "docs-app/" })
    expect(app.basePath).toBe("/docs-app")
    for (const path of ["/docs-app", "/docs-app/", "/docs-app/spaces/1/a?x=1"]) {
      const response = get(app, path)
      expect(response.status).toBe(200)
      const html = await response.text()
      expect(html).toContain('<meta name="lectern-api" content="/docs-api">')
      expect(html).toContain('<meta name="lectern-base" content="/docs-app">')
      expect(html).toContain('<meta name="lectern-help" content="/docs-api/help">')
    }
    expect(get(app, "/docs-apple").status).toBe(404)
    expect(get(app, "/docs-app", "POST").status).toBe(405)
  })

  it("links the documentation of the host, or none", async () => {
    for (const [help, expected] of [
      ["https://docs.example.com/lectern/", "https://docs.example.com/lectern"],
      ["", ""]
    ] as const) {
      const html = await get(studio({ help }), "/app").text()
      expect(html).toContain(`<meta name="lectern-help" content="${expected}">`)
    }
  })

  it("escapes the options of the host", async () => {
    const html = await get(studio({ api: '/"><script>alert(1)</script>' }), "/app").text()
    expect(html).not.toContain("<script>alert")
  })

  it("has the name, the tokens of design and the navigation that the host sets", async () => {
    const app = studio({
      name: "Portal & more",
      hasNavigation: false,
      tokens: { "--lectern-primary": "light-dark(#7c3aed, #c4b5fd)" }
    })
    const response = get(app, "/app")
    const html = await response.text()
    expect(html).toContain("<title>Portal &amp; more</title>")
    expect(html).toContain('<meta name="lectern-navigation" content="hidden">')
    const nonce = /nonce-([^']+)'/.exec(response.headers.get("content-security-policy")!)![1]
    expect(html).toContain(
      `<style nonce="${nonce}">:root{--lectern-primary:light-dark(#7c3aed, #c4b5fd)}</style>`
    )
    const plain = await get(studio(), "/app").text()
    expect(plain).toContain("<title>Lectern</title>")
    expect(plain).toContain('<meta name="lectern-navigation" content="displayed">')
    expect(plain).not.toContain("<style")
  })

  it("rejects tokens of design that would end their declaration", () => {
    const invalid = [
      ["--primary", "red"],
      ["--lectern-primary:red;--x", "red"],
      ["--lectern-primary", "red;color:red"],
      ["--lectern-primary", "red}</style><script>"],
      ["--lectern-primary", "\\3b"]
    ] as const
    for (const [name, value] of invalid)
      expect(() => studio({ tokens: { [name]: value } }), `${name}: ${value}`).toThrow("token")
  })

  it("permits scripts, styles and requests of its own server only, with a new nonce each time", () => {
    const app = studio()
    const policies = [get(app, "/app"), get(app, "/app")].map(
      ({ headers }) => headers.get("content-security-policy")!
    )
    expect(policies[0]).not.toBe(policies[1])
    for (const policy of policies) {
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self';")
      expect(policy).not.toContain("unsafe")
      expect(policy).toContain("connect-src 'self';")
    }
    const elsewhere = get(studio({ api: "https://api.example.com/base" }), "/app")
    expect(elsewhere.headers.get("content-security-policy")).toContain(
      "connect-src 'self' https://api.example.com;"
    )
  })
})

describe("the files of the bundle", () => {
  it("are named by the document, never change, and have their type", async () => {
    const app = studio()
    const html = await get(app, "/app").text()
    const paths = Array.from(html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g), ([, path]) => path!)
    expect(paths.some((path) => path.endsWith(".js"))).toBe(true)
    expect(paths.some((path) => path.endsWith(".css"))).toBe(true)
    for (const path of paths) {
      expect(path).toMatch(/-[A-Z0-9]{8}\.(js|css)$/)
      const response = get(app, path)
      expect(response.status).toBe(200)
      expect(response.headers.get("cache-control")).toContain("immutable")
      expect(response.headers.get("content-type")).toMatch(path.endsWith(".js") ? /javascript/ : /css/)
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
    }
  })

  it("cannot be left by a path", () => {
    const app = studio()
    for (const name of ["manifest.json", "../server/index.js", "..%2Fmain", "missing-AAAAAAAA.js"]) {
      const response = app.handle({ method: "GET", path: `/app/assets/${name}` })
      expect(response?.status).toBe(404)
    }
  })
})
