/** Visitors of published sites: nothing that is hidden from a visitor is in any response to them. */
import { GitBookAPI } from "@gitbook/api"
import type { PublishedLookup, Revision } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { SignJWT } from "jose"
import { expect, it } from "vitest"
import { ruleDatabases } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn, type TestServer } from "./support.ts"

/** The conditions of the generated sites, each with its value for claims. */
const conditions: Readonly<Record<string, (claims: Claims) => boolean>> = {
  "visitor.claims.a": ({ a }) => a === true,
  "!visitor.claims.a": ({ a }) => a === false,
  "visitor.claims.a && visitor.claims.b": ({ a, b }) => a === true && b === true,
  "visitor.claims.unsigned.c": ({ c }) => c === true,
  "visitor.claims.a ||": () => false
}

interface Claims {
  readonly a?: boolean | undefined
  readonly b?: boolean | undefined
  /** An unsigned claim. */
  readonly c?: boolean | undefined
}

const meets = (condition: string | null, claims: Claims): boolean =>
  condition === null || conditions[condition]!(claims)

const validConditions = Object.keys(conditions).slice(0, 4)
const partCondition = fc.option(fc.constantFrom(...validConditions), { freq: 2 })
/** Authors can write malformed conditions in Markdown, which hide their blocks. */
const blockCondition = fc.option(fc.constantFrom(...Object.keys(conditions)), { freq: 2 })

const siteArbitrary = fc.array(
  fc.record({
    condition: partCondition,
    spaces: fc.array(
      fc.record({
        condition: partCondition,
        blocks: fc.array(fc.record({ condition: blockCondition, isIncluded: fc.boolean() }), {
          minLength: 1,
          maxLength: 3
        }),
        pages: fc.array(
          fc.record({
            condition: partCondition,
            /** Whether the page is below the one before. */
            isBelow: fc.boolean(),
            /** Whether its condition is set after all pages exist. */
            isSetLater: fc.boolean()
          }),
          { maxLength: 4 }
        )
      }),
      { minLength: 1, maxLength: 2 }
    )
  }),
  { minLength: 2, maxLength: 3 }
)

const claimsArbitrary = fc.record(
  { a: fc.boolean(), b: fc.boolean(), c: fc.boolean() },
  { requiredKeys: [] }
) as fc.Arbitrary<Claims>

type SiteSpace = Site[number]["spaces"][number]
type Site = typeof siteArbitrary extends fc.Arbitrary<infer A> ? A : never

/** Text that occurs only in one place of a site, with the conditions of that place. */
interface Marker {
  readonly text: string
  readonly conditions: ReadonlyArray<string | null>
}

const base64 = (text: string): string => Buffer.from(text).toString("base64")

/** Generates words that no other word is similar to, so that no search corrects one to another. */
const markerWords = () => {
  let count = 0
  return (kind: string): string => {
    count++
    return `${kind}${Buffer.from(String(count * 7919 + 100_000)).toString("hex")}`
  }
}

interface SitePage {
  readonly id: string
  readonly title: string
  readonly path: string
  readonly pages?: ReadonlyArray<SitePage>
}

const flatten = (pages: ReadonlyArray<SitePage>): ReadonlyArray<SitePage> =>
  pages.flatMap((page) => [page, ...flatten(page.pages ?? [])])

/** Builds a published site in a new organization; returns the marker of each part. */
const buildSite = async (server: TestServer, sections: Site) => {
  const admin = await server.core.createUser(`admin-${Math.random()}@example.com`)
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const post = async <A>(path: string, body: unknown) => (await call<A>("", "POST", path, body)).value
  const wordOf = markerWords()
  const markers: Array<Marker> = []
  const site = await post<{ id: string }>(`/orgs/${organization}/sites`, { title: "Docs" })
  const at = `/orgs/${organization}/sites/${site.id}`
  const spaces: Array<string> = []
  const pages: Array<{ readonly space: string; readonly id: string; readonly path: string }> = []

  /** Adds pages with conditions to a space. */
  const addPages = async (space: string, added: SiteSpace["pages"], above: ReadonlyArray<string | null>) => {
    const edit = (change: object) => post(`/spaces/${space}/content`, { changes: [change] })
    const all = async () =>
      flatten(
        (await call<{ pages: ReadonlyArray<SitePage> }>("", "GET", `/spaces/${space}/content/pages`)).value
          .pages
      )
    let last: { readonly id: string; readonly conditions: ReadonlyArray<string | null> } | undefined
    const later: Array<object> = []
    for (const { condition, isBelow, isSetLater } of added) {
      const [title, text]: [string, string] = [wordOf("page"), wordOf("body")]
      const parent: typeof last = isBelow ? last : undefined
      const conditions: ReadonlyArray<string | null> = [...(parent?.conditions ?? above), condition]
      await edit({
        operation: "insert_page",
        title,
        into: parent?.id ?? null,
        document: { markdown: text },
        ...(isSetLater ? {} : { condition })
      })
      const { id } = (await all()).find((page) => page.title === title)!
      if (isSetLater) later.push({ operation: "update_page", page: id, condition })
      markers.push({ text: title, conditions }, { text, conditions })
      last = { id, conditions }
    }
    for (const change of later) await edit(change)
    pages.push(...(await all()).map(({ id, path }) => ({ space, id, path })))
  }

  for (const section of sections) {
    let sectionId: string | undefined
    for (const space of section.spaces) {
      const title = wordOf("space")
      markers.push({ text: title, conditions: [section.condition, space.condition] })
      const { id } = await post<{ id: string }>(`/orgs/${organization}/spaces`, { title })
      spaces.push(id)
      const lines: Array<string> = []
      const changes: Array<unknown> = []
      for (const block of space.blocks) {
        const [text, file] = [wordOf("text"), wordOf("file")]
        const all = [section.condition, space.condition, block.condition]
        markers.push({ text, conditions: all }, { text: file, conditions: all })
        changes.push({
          operation: "insert_files",
          files: [{ ref: file, name: `${file}.txt`, contentType: "text/plain", base64: base64("hi") }]
        })
        const body = `See [${text}](./${file}).`
        const reusable = wordOf("reusable")
        if (block.isIncluded) {
          markers.push({ text: reusable, conditions: all })
          changes.push({
            operation: "insert_reusable_content",
            title: reusable,
            ref: reusable,
            document: { markdown: `Included ${text}.` }
          })
        }
        const included = block.isIncluded ? `\n\n{% include "./${reusable}" %}` : ""
        const whole = body + included
        lines.push(
          block.condition === null ? whole : `{% if ${block.condition} %}\n\n${whole}\n\n{% endif %}`
        )
      }
      changes.push({ operation: "insert_page", title: "Page", document: { markdown: lines.join("\n\n") } })
      await post(`/spaces/${id}/content`, { changes })
      await addPages(id, space.pages, [section.condition, space.condition])
      if (sectionId === undefined) {
        const heading = wordOf("section")
        markers.push({ text: heading, conditions: [section.condition, ...[]] })
        const added = await post<{ id: string; siteSpaces: ReadonlyArray<{ id: string }> }>(
          `${at}/sections`,
          {
            spaceId: id,
            title: heading
          }
        )
        sectionId = added.id
        await call("", "PATCH", `${at}/sections/${sectionId}`, { condition: section.condition })
        await call("", "PATCH", `${at}/site-spaces/${added.siteSpaces[0]!.id}`, {
          condition: space.condition
        })
      } else {
        const added = await post<{ id: string }>(`${at}/site-spaces`, { spaceId: id, sectionId })
        await call("", "PATCH", `${at}/site-spaces/${added.id}`, { condition: space.condition })
      }
    }
  }
  await call("", "PATCH", at, { visibility: "visitor-auth", adaptiveContent: { enabled: true } })
  await post(`${at}/publish`, {})
  const { value: auth } = await call<{ privateKey: string }>("", "GET", `${at}/publishing/auth`)
  const { value: published } = await call<{ urls: { published: string } }>("", "GET", at)
  return {
    organization,
    site: site.id,
    at,
    call,
    spaces,
    pages,
    markers,
    privateKey: auth.privateKey,
    url: published.urls.published
  }
}

type BuiltSite = Awaited<ReturnType<typeof buildSite>>

const signToken = ({ c: _, ...claims }: Claims, key: string): Promise<string> =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("1h")
    .sign(new TextEncoder().encode(key))

/** Calls the API as the open-source renderer does; returns the text of all successful responses. */
const readAsRenderer = async (server: TestServer, built: BuiltSite, claims: Claims): Promise<string> => {
  const received: Array<string> = []
  const jwtToken = await signToken(claims, built.privateKey)
  const { c } = claims
  const anonymous = new GitBookAPI({ endpoint: server.url })
  const lookup = (
    await anonymous.urls
      .resolvePublishedContentByUrl({
        url: built.url,
        redirectOnError: false,
        visitor: { jwtToken, ...(c === undefined ? {} : { unsignedClaims: { c } }) }
      })
      .catch(() => undefined)
  )?.data as PublishedLookup | undefined
  if (lookup === undefined) return ""
  if ("redirect" in lookup) throw new Error("The visitor was redirected.")
  received.push(JSON.stringify({ ...lookup, apiToken: "" }))
  const client = new GitBookAPI({ endpoint: server.url, authToken: lookup.apiToken })
  const read = async <A>(call: () => Promise<{ readonly data: A }>): Promise<A | undefined> => {
    try {
      const { data } = await call()
      received.push(JSON.stringify(data))
      return data
    } catch {
      return undefined
    }
  }
  const { organization, site } = built
  await read(() => client.orgs.getPublishedContentSite(organization, site, {}))
  for (const id of built.spaces) {
    const space = await read(() => client.spaces.getSpaceById(id, {}))
    const revisionId = space?.revision ?? "unknown"
    const revision = (await read(() => client.spaces.getRevisionById(id, revisionId, { metadata: true }))) as
      | Revision
      | undefined
    await read(() => client.spaces.getPageInRevisionByPath(id, revisionId, "page", {}))
    await read(() => client.spaces.getEmbedByUrlInSpace(id, { url: "https://example.com/" }))
    await read(() => client.spaces.listFiles(id, {}))
    for (const page of revision?.pages ?? []) {
      for (const format of ["markdown", "document"] as const) {
        await read(() => client.spaces.getPageInRevisionById(id, revisionId, page.id, { format }))
        await read(() => client.spaces.getPageById(id, page.id, { format }))
      }
      await read(() =>
        client.spaces.getPageDocumentInRevisionById(id, revisionId, page.id, {
          evaluated: "deterministic-only"
        })
      )
      if (page.type === "document") {
        await read(() => client.spaces.getDocumentById(id, page.documentId!, {}))
      }
    }
    for (const page of built.pages.filter(({ space }) => space === id)) {
      await read(() => client.spaces.getPageById(id, page.id, { format: "markdown" }))
      await read(() => client.spaces.getPageInRevisionById(id, revisionId, page.id, { format: "document" }))
      await read(() => client.spaces.getPageByPath(id, page.path, {}))
    }
    for (const { id: reusable } of revision?.reusableContents ?? []) {
      await read(() =>
        client.spaces.getReusableContentDocumentInRevisionById(id, revisionId, reusable, {
          evaluated: "deterministic-only"
        })
      )
    }
  }
  for (const { text } of built.markers) {
    // The query itself is in no response, unless a result contains the word.
    const similar = `${text.slice(0, -1)}z`
    for (const query of [text, similar]) {
      await read(() => client.orgs.searchSiteContent(organization, site, { query, scope: { mode: "all" } }))
    }
  }
  return received.join("\n")
}

const claimsOf = (markers: ReadonlyArray<Marker>, claims: Claims) =>
  Map.groupBy(markers, ({ conditions }) => conditions.every((condition) => meets(condition, claims)))

for (const [store, count] of ruleDatabases.map(
  (store) => [store, store.name === "PostgreSQL" ? 2 : 5] as const
)) {
  it(`a visitor receives only the content that their claims permit, on ${store.name}`, async () => {
    const server = await startServerOn(store)
    await fc.assert(
      fc.asyncProperty(
        siteArbitrary,
        fc.array(claimsArbitrary, { minLength: 2, maxLength: 3 }),
        async (sections, visitors) => {
          const built = await buildSite(server, sections)
          // Visitors alternate, so that a cache that mixes them would be found.
          for (const claims of [...visitors, visitors[0]!]) {
            const received = await readAsRenderer(server, built, claims)
            const expected = claimsOf(built.markers, claims)
            const leaked = (expected.get(false) ?? []).filter(({ text }) => received.includes(text))
            expect([claims, leaked]).toEqual([claims, []])
            const isAdmitted = received !== ""
            const spaces = (expected.get(true) ?? []).filter(({ text }) => text.startsWith("space"))
            // A site whose site-spaces are all hidden has no page to resolve.
            expect(isAdmitted).toBe(spaces.length > 0)
            const missing = (expected.get(true) ?? []).filter(
              ({ text }) => isAdmitted && !text.startsWith("section") && !received.includes(text)
            )
            expect([claims, missing]).toEqual([claims, []])
          }
        }
      ),
      runs(count)
    )
  }, 600_000)
}
