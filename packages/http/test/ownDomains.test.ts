/** Sites at the root of a host name of their own. */
import { GitBookAPI } from "@gitbook/api"
import type { PublishedSiteContent, Site, Space } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { ruleStores, type stores } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const start = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const anonymous = new GitBookAPI({ endpoint: server.url })
  const ownerOf = async (name: string) => {
    const admin = await server.core.createUser(`${name}@example.com`)
    const organization = await server.core.createOrganization(name, admin)
    const call = callerOf(server, await server.tokenOf(admin))
    const publish = async (title: string) => {
      const at = `/orgs/${organization}`
      const { value: space } = await call<Space>("", "POST", `${at}/spaces`, { title })
      const input = { title, spaces: [space.id] }
      const { value: site } = await call<Site>("createSite", "POST", `${at}/sites`, input)
      await call("", "POST", `${at}/sites/${site.id}/publish`, {})
      return {
        id: site.id,
        setProxy: (proxy: string | null) =>
          call<Site>("updateSiteById", "PATCH", `${at}/sites/${site.id}`, { proxy })
      }
    }
    return { publish }
  }
  const resolve = async (url: string) => {
    const sent = anonymous.urls.resolvePublishedContentByUrl({ url, redirectOnError: false })
    return sent.then(
      ({ data }) => data as unknown as PublishedSiteContent,
      () => undefined
    )
  }
  return { server, ownerOf, resolve }
}

for (const store of ruleStores) {
  describe(`on ${store.name}`, () => {
    it("a site has the root of its host name, and another one only a path of it", async () => {
      const { ownerOf, resolve } = await start(store)
      const owner = await ownerOf("acme")
      const [docs, blog] = [await owner.publish("Docs"), await owner.publish("Blog")]
      expect(await resolve("https://docs.example.com/")).toBeUndefined()
      const { value } = await docs.setProxy("Docs.Example.com/")
      expect(value).toMatchObject({
        hostname: "docs.example.com",
        urls: { published: "https://docs.example.com/" }
      })
      expect(value.proxy).toBeUndefined()
      for (const path of ["", "install", "a/b/c"]) {
        expect(await resolve(`https://docs.example.com/${path}`)).toMatchObject({
          site: docs.id,
          pathname: path,
          basePath: "/",
          siteBasePath: "/",
          canonicalUrl: `https://docs.example.com/${path}`
        })
      }

      const taken = await blog.setProxy("docs.example.com")
      expect([taken.status, taken.text]).toEqual([409, expect.stringContaining("HostnameTaken")])
      expect((await blog.setProxy("docs.example.com/blog")).value.proxy?.origin).toBe("docs.example.com/blog")
      expect((await resolve("https://docs.example.com/blog/post"))?.site).toBe(blog.id)
      expect((await resolve("https://docs.example.com/other"))?.site).toBe(docs.id)

      // A host name becomes free when its site releases it.
      expect((await docs.setProxy("docs.example.com/guide")).value.hostname).toBeUndefined()
      expect((await blog.setProxy("docs.example.com")).value.hostname).toBe("docs.example.com")
      expect((await resolve("https://docs.example.com/guide/a"))?.site).toBe(docs.id)
      expect((await blog.setProxy(null)).value.hostname).toBeUndefined()
      expect(await resolve("https://docs.example.com/")).toBeUndefined()
    })

    it("rejects an address that is equal to, above or below one of another organization", async () => {
      const { ownerOf } = await start(store)
      const [acme, other] = [
        await (await ownerOf("acme")).publish("Docs"),
        await (await ownerOf("other")).publish("Blog")
      ]
      const host = "docs.example.com"
      const addresses = [host, `${host}/a`, `${host}/a/b`, `${host}/ab`, "other.example.com/a"]
      const overlap = (one: string, another: string) =>
        one === another || one.startsWith(`${another}/`) || another.startsWith(`${one}/`)
      for (const first of addresses) {
        expect((await acme.setProxy(first)).status).toBe(200)
        for (const second of [...addresses, host.toUpperCase()]) {
          const { status, text } = await other.setProxy(second)
          const isTaken = overlap(first, second.toLowerCase())
          expect([first, second, status]).toEqual([first, second, isTaken ? 409 : 200])
          if (isTaken) expect(text).toContain("HostnameTaken")
        }
        await other.setProxy(null)
      }
    })

    it("rejects one of two overlapping addresses that organizations claim concurrently", async () => {
      const { ownerOf } = await start(store)
      const [acme, other] = [
        await (await ownerOf("acme")).publish("Docs"),
        await (await ownerOf("other")).publish("Blog")
      ]
      const claims = [acme.setProxy("docs.example.com/a"), other.setProxy("docs.example.com")]
      expect((await Promise.all(claims)).map(({ status }) => status).toSorted()).toEqual([200, 409])
    })

    it("rejects an address that is not a host name", async () => {
      const { ownerOf } = await start(store)
      const docs = await (await ownerOf("acme")).publish("Docs")
      for (const proxy of [
        "https://docs.example.com",
        "docs.example.com:443",
        "docs",
        "docs.example.com//",
        "/docs"
      ])
        expect([proxy, (await docs.setProxy(proxy)).status]).toEqual([proxy, 400])
    })
  })
}
