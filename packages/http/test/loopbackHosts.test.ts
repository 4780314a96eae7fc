/** Links of a server that browsers reach under several names of this machine. */
import { toWebHandler } from "@lectern/http"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { loopbackBaseUrl } from "../src/server/loopbackBaseUrl.ts"
import { createEmbedded } from "./support/embedded.ts"

const { workspace, organization, authorization } = await createEmbedded("http://127.0.0.1:4400")

const hostNames = ["localhost", "127.0.0.1", "127.0.0.2", "[::1]", "docs.localhost"]

describe("the base URL of a request to this machine", () => {
  it("has the name of the request, and the port and path of the public URL", () => {
    const name = fc.constantFrom(...hostNames)
    const port = fc.integer({ min: 81, max: 65_535 })
    fc.assert(
      fc.property(name, name, port, fc.constantFrom("", "/docs-api"), (own, requested, number, path) => {
        const base = loopbackBaseUrl(`http://${own}:${number}${path}`, `${requested}:${number}`)
        expect(base).toBe(own === requested ? undefined : `http://${requested}:${number}${path}`)
      })
    )
  })

  it("is the public URL for all other hosts and ports, and if the public URL is not of this machine", () => {
    const host = fc.oneof(
      fc.string(),
      fc.webAuthority(),
      fc.constantFrom(
        "localhost:4401",
        "localhost",
        "127.999.0.1:4400",
        "localhost:99999",
        "localhost.evil.example:4400"
      )
    )
    fc.assert(
      fc.property(host, (requested) => {
        expect(loopbackBaseUrl("http://127.0.0.1:4400", requested)).toBeUndefined()
      })
    )
    for (const publicUrl of ["https://docs.example", "http://docs.example:4400", "https://localhost:4400"])
      for (const name of hostNames) expect(loopbackBaseUrl(publicUrl, `${name}:4400`)).toBeUndefined()
  })

  it("is the base of the links of invitations, which open in the browser of the administrator", async () => {
    const handler = toWebHandler(workspace)
    const post = async <A>(host: string, path: string, body: object = {}): Promise<A> => {
      const response = await handler(
        new Request(`http://127.0.0.1:4400/v1/orgs/${organization}${path}`, {
          method: "POST",
          headers: {
            authorization,
            host,
            "content-type": "application/json",
            "x-forwarded-host": "evil.example",
            forwarded: "host=evil.example"
          },
          body: JSON.stringify(body)
        })
      )
      return (await response.json()) as A
    }
    const { users } = await post<{ users: ReadonlyArray<string> }>("127.0.0.1:4400", "/invites", {
      emails: ["bob@example.com"],
      role: "read"
    })
    for (const [host, base] of [
      ["localhost:4400", "http://localhost:4400/"],
      ["127.0.0.1:4400", "http://127.0.0.1:4400/"],
      ["localhost:9999", "http://127.0.0.1:4400/"],
      ["evil.example", "http://127.0.0.1:4400/"]
    ] as const) {
      const { url } = await post<{ url: string }>(host, `/invitations/${users[0]}/renew`)
      expect([host, url]).toEqual([host, expect.stringMatching(new RegExp(`^${base}~/sign-in/`))])
    }
  })

  it("is the base of the links in a response", async () => {
    const handler = toWebHandler(workspace)
    const uploadTo = async (host: string): Promise<unknown> => {
      const response = await handler(
        new Request(`http://127.0.0.1:4400/v1/orgs/${organization}/storage/upload`, {
          method: "POST",
          headers: { authorization, host, "content-type": "application/json" },
          body: JSON.stringify({ file: { name: "a.md", type: "", size: 100 }, kind: "import_file" })
        })
      )
      return response.json()
    }
    for (const [host, base] of [
      ["localhost:4400", "http://localhost:4400/"],
      ["127.0.0.1:4400", "http://127.0.0.1:4400/"],
      ["evil.example:4400", "http://127.0.0.1:4400/"]
    ] as const) {
      expect(await uploadTo(host)).toHaveProperty("url", expect.stringContaining(`${base}uploads/`))
    }
  })
})
