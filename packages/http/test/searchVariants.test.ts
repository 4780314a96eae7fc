/** Searches of sites whose variants are translations, some of which a visitor cannot see, on every store. */
// cspell:ignore einstellung einstellungen hafen zugangsschlussel
import { GitBookAPI } from "@gitbook/api"
import type { PublishedSiteContent, Site, SiteSpace, Space } from "@lectern/core"
import { SignJWT } from "jose"
import { describe, expect, it } from "vitest"
import { ruleStores, type stores } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const page = (title: string, markdown: string) => ({
  operation: "insert_page",
  title,
  document: { markdown }
})

/** Publishes a site with an English variant, a Japanese one, and a German one for visitors with the claim `german`. */
const startSite = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const post = async <A>(path: string, body: unknown = {}) => (await call<A>("", "POST", path, body)).value
  const addSpace = async (title: string, ...pages: ReadonlyArray<object>) => {
    const { id } = await post<Space>(`/orgs/${organization}/spaces`, { title })
    await post(`/spaces/${id}/content`, { changes: pages })
    return id
  }
  const english = await addSpace("English", page("Settings", "Change the token of your account."))
  const german = await addSpace(
    "Deutsch",
    page("Einstellungen ändern", "Der Zugangsschlüssel heißt Token. Größe und Straße."),
    page("Über Häfen", "Die Token der Häfen.")
  )
  const japanese = await addSpace("日本語", page("設定の変更", "アカウントの設定を変更します。"))
  const { id: site } = await post<Site>(`/orgs/${organization}/sites`, { title: "Docs", spaces: [english] })
  const at = `/orgs/${organization}/sites/${site}`
  await post(`${at}/site-spaces`, { spaceId: japanese })
  const variant = await post<SiteSpace>(`${at}/site-spaces`, { spaceId: german })
  await call("", "PATCH", `${at}/site-spaces/${variant.id}`, { condition: "visitor.claims.german" })
  await call("", "PATCH", at, { visibility: "visitor-auth", adaptiveContent: { enabled: true } })
  const { urls } = await post<Site>(`${at}/publish`)
  const { value: auth } = await call<{ privateKey: string }>("", "GET", `${at}/publishing/auth`)
  /** Returns the function that searches as a visitor with claims. */
  const visit = async (claims: { readonly german?: boolean }) => {
    const jwtToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("1h")
      .sign(new TextEncoder().encode(auth.privateKey))
    const { data } = await new GitBookAPI({ endpoint: server.url }).urls.resolvePublishedContentByUrl({
      url: urls.published!,
      redirectOnError: false,
      visitor: { jwtToken }
    })
    const { apiToken } = data as unknown as PublishedSiteContent
    const client = new GitBookAPI({ endpoint: server.url, authToken: apiToken })
    return async (query: string, mode: "all" | "default" = "all"): Promise<unknown> =>
      (await client.orgs.searchSiteContent(organization, site, { query, scope: { mode } })).data
  }
  return { visit }
}

/** The titles of the pages of a result, by the title of their space. */
const found = (results: unknown): Record<string, ReadonlyArray<string>> =>
  Object.fromEntries(
    (
      results as {
        readonly items: ReadonlyArray<{
          readonly title: string
          readonly pages: ReadonlyArray<{ readonly title: string }>
        }>
      }
    ).items.map(({ title, pages }) => [title, pages.map((one) => one.title).sort()])
  )

for (const store of ruleStores) {
  describe(`translated variants on ${store.name}`, () => {
    it("are found by words of their language, in any form and with or without diacritics", async () => {
      const { visit } = await startSite(store)
      const search = await visit({ german: true })
      const settings = { Deutsch: ["Einstellungen ändern"] }
      for (const query of [
        "Zugangsschlüssel",
        "zugangsschlussel",
        "GRÖSSE",
        "strasse",
        "einstellung",
        "Einstellung ändern",
        '"zugangsschlüssel heißt"',
        "zugangsschlüsel"
      ]) {
        expect([query, found(await search(query))]).toEqual([query, settings])
      }
      expect(found(await search("hafen"))).toEqual({ Deutsch: ["Über Häfen"] })
      expect(found(await search("設定"))).toEqual({ 日本語: ["設定の変更"] })
      expect(found(await search("アカウント"))).toEqual({ 日本語: ["設定の変更"] })
      expect(found(await search("token"))).toEqual({
        English: ["Settings"],
        Deutsch: ["Einstellungen ändern", "Über Häfen"]
      })
      expect(found(await search("token", "default"))).toEqual({ English: ["Settings"] })
    }, 120_000)

    it("neither occur in the results nor in the counts of visitors who cannot see them", async () => {
      const { visit } = await startSite(store)
      const search = await visit({})
      // Not even the correction of a misspelled word shows that the variant contains the right one.
      for (const query of ["Zugangsschlüssel", "zugangsschlüsel", "hafen", "Über", '"größe und"']) {
        expect([query, await search(query)]).toEqual([query, { count: 0, items: [] }])
      }
      for (const query of ["token", "token zugangsschlüsel"]) {
        const results = await search(query)
        expect(results).toMatchObject({ count: 1 })
        expect(results).not.toHaveProperty("didYouMean")
        expect(found(results)).toEqual({ English: ["Settings"] })
      }
    }, 120_000)
  })
}
