/** Links, as people ask for them: through the API, on every store. */
import type { Link, LinkStats, PageLocation } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { call as send } from "./caller.ts"
import { differences } from "./contract.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

interface List<A> {
  readonly items: ReadonlyArray<A>
  readonly count: number
  readonly next?: { readonly page: string }
  readonly stats: LinkStats
}

const assemble = async (server: TestServer) => {
  const user = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", user)
  const token = await server.tokenOf(user)
  const call = async <A>(method: string, path: string, body?: unknown, operation?: string) => {
    const { status, value } = await send<A>(server, token, method, path, body)
    if (operation !== undefined) expect(differences(operation, status, value)).toBeUndefined()
    return { status, value }
  }
  const spaceOf = async (title: string) =>
    (await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, { title })).value.id
  const edit = async (at: string, ...changes: ReadonlyArray<unknown>) => {
    const { status, value } = await call<{
      changes: ReadonlyArray<{ page: { id: string } }>
      insertedFiles?: ReadonlyArray<{ id: string }>
    }>("POST", `${at}/content`, { changes })
    expect([status, value]).toMatchObject([200, {}])
    return value
  }
  const insert = async (at: string, title: string, markdown = "", more: object = {}) =>
    (await edit(at, { operation: "insert_page", title, document: { markdown }, ...more })).changes[0]!.page.id
  const write = (at: string, page: string, markdown: string) =>
    edit(at, { operation: "update_page", page, document: { markdown } })
  return { user, organization, call, spaceOf, edit, insert, write }
}

/** A place as a short text. */
const placeOf = (location: Link["targetReference"]): string => {
  switch (location.kind) {
    case "page":
      return `page ${location.page.title}${location.internalLocation === undefined ? "" : `#${location.internalLocation.anchor}`}`
    case "file":
      return `file ${location.file.name}`
    case "reusable-content":
      return `reusable ${location.reusableContent.title}`
    case "space":
      return `space ${location.space.title}`
    case "user":
      return `user ${location.user.displayName}`
    case "collection":
      return `collection ${location.collection.title}`
    case "openapi":
      return `openapi ${location.openAPISpec.slug}`
    case "url":
      return `url ${location.url}`
  }
}

const shown = ({ status, targetReference, locationReferences }: Link) =>
  `${status}: ${placeOf(targetReference)} <- ${locationReferences.map(placeOf).sort().join(", ")}`

describe("links", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`are told with what they lead to, and from where, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { user, organization, call, spaceOf, edit, insert, write } = await assemble(server)
        const [space, other] = [await spaceOf("Guide"), await spaceOf("Other")]
        const at = `/spaces/${space}`
        const { value: folder } = await call<{ id: string }>("POST", `/orgs/${organization}/collections`, {
          title: "Folder"
        })
        await call("POST", `/orgs/${organization}/openapi`, { slug: "api", source: { text: "{}" } })
        const { insertedFiles } = await edit(at, {
          operation: "insert_files",
          files: [{ name: "a.png", contentType: "image/png", base64: "iVBORw0KGgo=" }]
        })
        const file = insertedFiles![0]!.id
        await edit(at, { operation: "insert_reusable_content", title: "Note", document: { markdown: "N." } })
        const { value: whole } = await call<{ reusableContents: ReadonlyArray<{ id: string }> }>(
          "GET",
          `${at}/content`
        )
        const target = await insert(at, "Target", "## Somewhere\n\nText.\n\n## Größe\n\nText.")
        const below = await insert(at, "Below", "Here.", { into: target })
        const base = "http://127.0.0.1:4400"
        const source = await insert(
          at,
          "Source",
          [
            `[by id](/pages/${target}) [place](/pages/${target}#somewhere) [no place](/pages/${target}#nowhere)`,
            `[gone](/pages/gone) [by path](target.md) [below](./target/below.md#x) [umlaut](target#gr%C3%B6%C3%9Fe)`,
            `![picture](/files/${file}) ![named](../assets/a.png) ![gone](/files/gone)`,
            `[out](https://example.com/x) [mail](mailto:a@b.c) [app](${base}/s/${other}/page) [lost](${base}/s/lost/)`,
            `[other](/spaces/${other}) [user](/users/${user}) [folder](/collections/${folder.id}) [api](/openapi/api)`,
            "[nobody](/users/nobody) [broken](nothing/here.md) [empty]()",
            '<a href="target">html</a>',
            `{% include "/reusable-contents/${whole.reusableContents[0]!.id}" %}`,
            '{% include "/reusable-contents/gone" %}',
            "## Own\n\n[own](#own) [missing](#missing)"
          ].join("\n\n")
        )
        const list = async (path: string, operation: string) =>
          (await call<List<Link>>("GET", path, undefined, operation)).value
        const all = await list(`${at}/links`, "listSpaceLinks")
        expect(all.items.map(shown).sort()).toEqual(
          [
            "ok: page Target <- page Source",
            "ok: page Target#somewhere <- page Source",
            "ok: page Target#größe <- page Source",
            "ok: page Source#own <- page Source#own",
            "ok: file a.png <- page Source",
            "ok: reusable Note <- page Source",
            "ok: url https://example.com/x <- page Source",
            "ok: url mailto:a@b.c <- page Source",
            "in-app: space Other <- page Source",
            "ok: user admin <- page Source",
            "ok: collection Folder <- page Source",
            "ok: openapi api <- page Source",
            `broken: url /pages/${target}#nowhere <- page Source`,
            "broken: url /pages/gone <- page Source",
            "broken: url ./target/below.md#x <- page Source",
            "broken: url /files/gone <- page Source",
            "broken: url /spaces/lost <- page Source",
            "broken: url /users/nobody <- page Source",
            "broken: url nothing/here.md <- page Source",
            "broken: url  <- page Source",
            "broken: url /reusable-contents/gone <- page Source",
            "broken: url #missing <- page Source#own"
          ].sort()
        )
        expect([all.count, all.stats]).toEqual([22, { total: 22, broken: { total: 10 } }])
        const brokenOnes = await list(`${at}/links?status=broken&limit=3`, "listSpaceLinks")
        expect([brokenOnes.count, brokenOnes.items.length, brokenOnes.stats]).toEqual([10, 3, all.stats])
        expect((await list(`${at}/links?status=in-app`, "listSpaceLinks")).count).toBe(1)
        expect((await call("GET", `${at}/links?status=fine`)).status).toBe(400)

        // A page of its own, and what links to it.
        const own = await list(`${at}/content/page/${source}/links`, "listPageLinksInSpace")
        expect(own.stats).toEqual(all.stats)
        const none = await list(`${at}/content/page/${below}/links`, "listPageLinksInSpace")
        expect(none).toEqual({ items: [], count: 0, stats: { total: 0, broken: { total: 0 } } })
        const backlinks = async (path: string, operation: string) =>
          (await call<List<PageLocation>>("GET", path, undefined, operation)).value.items
        const toPage = await backlinks(`${at}/content/page/${target}/backlinks`, "listSpacePageBacklinks")
        expect(toPage.map(placeOf)).toEqual(["page Source"])
        expect(toPage[0]!.versionContext).toMatchObject({
          type: "revision",
          revision: { object: "revision" }
        })
        const toFile = await backlinks(`${at}/content/files/${file}/backlinks`, "listSpaceFileBacklinks")
        expect(toFile.map(placeOf)).toEqual(["page Source"])
        for (const path of ["page/gone/links", "page/gone/backlinks", "files/gone/backlinks"]) {
          expect([path, (await call("GET", `${at}/content/${path}`)).status]).toEqual([path, 404])
        }

        // A page that moves keeps the links to it that go by id; those by path turn broken.
        const { value: proposal } = await call<{ id: string }>("POST", `${at}/change-requests`, {})
        const proposed = `${at}/change-requests/${proposal.id}`
        await edit(proposed, { operation: "update_page", page: target, slug: "moved" })
        const moved = await list(`${proposed}/links`, "listChangeRequestLinks")
        expect(
          moved.items
            .map(shown)
            .filter((one) => /Target|target/.test(one))
            .sort()
        ).toEqual(
          [
            "broken: url ./target/below.md#x <- page Source",
            "broken: url target <- page Source",
            "broken: url target#gr%C3%B6%C3%9Fe <- page Source",
            "broken: url target.md <- page Source",
            "ok: page Target <- page Source",
            "ok: page Target#somewhere <- page Source"
          ].sort()
        )
        expect(moved.stats).toEqual({ total: 24, broken: { total: 13, changeRequest: 3 } })
        const inProposal = `${proposed}/content`
        const [back] = await backlinks(
          `${inProposal}/page/${target}/backlinks`,
          "listChangeRequestPageBacklinks"
        )
        expect(back!.versionContext).toMatchObject({ type: "changeRequest" })
        expect(
          await backlinks(`${inProposal}/files/${file}/backlinks`, "listChangeRequestFileBacklinks")
        ).toHaveLength(1)
        const ofSource = await list(`${inProposal}/page/${source}/links`, "listPageLinksInChangeRequest")
        expect(ofSource.stats).toEqual(moved.stats)
        await write(at, source, "Nothing.")
        expect((await list(`${at}/links`, "listSpaceLinks")).stats.total).toBe(0)
      } finally {
        await server.close()
      }
    })
  }
})

const step = fc.record({
  page: fc.nat(20),
  into: fc.nat(20),
  does: fc.constantFrom("insert", "insert", "write", "write", "delete", "rename", "move"),
  slug: fc.constantFrom("a", "b", "c"),
  links: fc.array(
    fc.record({
      by: fc.constantFrom("id", "place", "path", "file", "own"),
      page: fc.nat(20),
      heading: fc.constantFrom("one", "two")
    }),
    { maxLength: 3 }
  ),
  headings: fc.uniqueArray(fc.constantFrom("one", "two"), { maxLength: 2 })
})

interface Shown {
  readonly id: string
  readonly path: string
  readonly pages?: ReadonlyArray<Shown>
}
const flat = (pages: ReadonlyArray<Shown>): ReadonlyArray<Shown> =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])])

describe("the report of links", () => {
  for (const { name, make, count } of [
    { ...memory, count: 40 },
    ...stores.map((store) => ({ ...store, count: 10 }))
  ]) {
    it(`is what going through all pages gives, and backlinks are its inverse, on ${name}`, {
      timeout: 200_000
    }, async () => {
      const server = await startServer(await make())
      try {
        const { call, spaceOf, edit } = await assemble(server)
        await fc.assert(
          fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
            const at = `/spaces/${await spaceOf("Story")}`
            const { insertedFiles } = await edit(at, {
              operation: "insert_files",
              files: [{ name: "f.txt", contentType: "text/plain", base64: "YQ==" }]
            })
            const file = insertedFiles![0]!.id
            const seen: Array<string> = []
            const pages = async () =>
              flat((await call<{ pages: ReadonlyArray<Shown> }>("GET", `${at}/content/pages`)).value.pages)
            for (const { page, into, does, slug, links, headings } of steps) {
              const there = await pages()
              const one = there[page % Math.max(1, there.length)]
              // Ids of pages that are gone are linked to as well.
              const idOf = (index: number) => seen[index % Math.max(1, seen.length)] ?? "none"
              const text = [
                ...links.map(({ by, page, heading }) => {
                  const other = there[page % Math.max(1, there.length)]
                  switch (by) {
                    case "id":
                      return `[x](/pages/${idOf(page)})`
                    case "place":
                      return `[x](/pages/${idOf(page)}#${heading})`
                    case "path":
                      return `[x](/${other?.path ?? "none"})`
                    case "file":
                      return page % 2 === 0 ? `![x](/files/${file})` : "![x](/files/none)"
                    default:
                      return `[x](#${heading})`
                  }
                }),
                ...headings.map((heading) => `## ${heading}`)
              ].join("\n\n")
              const document = { markdown: text }
              const change =
                does === "insert" || one === undefined
                  ? {
                      operation: "insert_page",
                      title: `Page ${seen.length}`,
                      slug,
                      ...(into % 2 === 0 || one === undefined ? {} : { into: one.id }),
                      document
                    }
                  : does === "write"
                    ? { operation: "update_page", page: one.id, document }
                    : does === "rename"
                      ? { operation: "update_page", page: one.id, slug }
                      : does === "move"
                        ? { operation: "update_page", page: one.id, into: into % 2 === 0 ? null : idOf(into) }
                        : { operation: "delete_page", page: one.id }
              const { value } = await call<{
                changes?: ReadonlyArray<{ object: string; page: { id: string } }>
              }>("POST", `${at}/content`, { changes: [change] })
              for (const { object, page } of value.changes ?? [])
                if (object === "created_page") seen.push(page.id)
            }

            const there = await pages()
            const byId = new Map(there.map((page) => [page.id, page]))
            const byPath = new Map(there.map((page) => [page.path, page.id]))
            const texts = new Map<string, string>()
            for (const { id } of there) {
              const { value } = await call<{ markdown: string }>(
                "GET",
                `${at}/content/page/${id}?format=markdown`
              )
              texts.set(id, value.markdown)
            }
            const has = (id: string, heading: string) => texts.get(id)?.includes(`## ${heading}`) === true
            const expected = new Map<string, Set<string>>()
            const back = new Map<string, Set<string>>()
            for (const [id, text] of texts) {
              for (const [, url = ""] of text.matchAll(/\]\(([^)]*)\)/g)) {
                const [path = "", heading = ""] = url.split("#")
                const known = /^\/pages\/(.*)$/.exec(path)?.[1]
                const target =
                  path === ""
                    ? id
                    : known !== undefined
                      ? byId.has(known)
                        ? known
                        : undefined
                      : byPath.get(path.slice(1))
                const isFile = path.startsWith("/files/")
                const isThere = isFile
                  ? path === `/files/${file}`
                  : target !== undefined && (heading === "" || has(target, heading))
                const key = !isThere ? `broken ${url}` : isFile ? "file" : `${target}#${heading}`
                expected.set(key, new Set([...(expected.get(key) ?? []), id]))
                if (isThere && target !== id) {
                  const to = isFile ? file : target!
                  back.set(to, new Set([...(back.get(to) ?? []), id]))
                }
              }
            }
            const { value: report } = await call<List<Link>>("GET", `${at}/links?limit=1000`)
            const found = new Map(
              report.items.map(({ status, targetReference: to, locationReferences }) => [
                status === "broken"
                  ? `broken ${(to as { url: string }).url}`
                  : to.kind === "file"
                    ? "file"
                    : `${(to as PageLocation).page.id}#${(to as PageLocation).internalLocation?.anchor ?? ""}`,
                new Set(locationReferences.map((place) => (place as PageLocation).page.id))
              ])
            )
            expect(found).toEqual(expected)
            const broken = [...expected.keys()].filter((key) => key.startsWith("broken")).length
            expect(report.stats).toEqual({ total: expected.size, broken: { total: broken } })
            for (const [path, id] of [...there.map(({ id }) => ["page", id]), ["files", file]] as const) {
              const { value } = await call<List<PageLocation>>(
                "GET",
                `${at}/content/${path}/${id}/backlinks?limit=1000`
              )
              expect(new Set(value.items.map(({ page }) => page.id))).toEqual(back.get(id) ?? new Set())
            }
          }),
          runs(count)
        )
      } finally {
        await server.close()
      }
    })
  }
})
