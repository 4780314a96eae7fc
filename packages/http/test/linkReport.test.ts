/** The link report equals a full scan of all pages, after any sequence of edits. */
import type { Link, PageLocation } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, ruleDatabases } from "./stores.ts"
import { type List, startContent } from "./support/links.ts"
import { startServerOn } from "./support.ts"

/** How a link names its target. */
const linkTarget = fc.record({
  by: fc.constantFrom("id", "heading", "path", "file", "missingFile", "own"),
  page: fc.nat(20),
  heading: fc.constantFrom("one", "two")
})
type LinkTarget = typeof linkTarget extends fc.Arbitrary<infer A> ? A : never

/** An edit of one page. Numbers select among the pages that exist when the edit runs. */
const edit = fc.record({
  operation: fc.constantFrom("insert", "insert", "write", "write", "delete", "rename", "move"),
  page: fc.nat(20),
  parent: fc.option(fc.nat(20), { nil: undefined, freq: 2 }),
  slug: fc.constantFrom("a", "b", "c"),
  links: fc.array(linkTarget, { maxLength: 3 }),
  headings: fc.uniqueArray(fc.constantFrom("one", "two"), { maxLength: 2 })
})
type Edit = typeof edit extends fc.Arbitrary<infer A> ? A : never

interface PageNode {
  readonly id: string
  readonly path: string
  readonly pages?: ReadonlyArray<PageNode>
}
const flatten = (pages: ReadonlyArray<PageNode>): ReadonlyArray<PageNode> =>
  pages.flatMap((page) => [page, ...flatten(page.pages ?? [])])

const choose = <A>(all: ReadonlyArray<A>, index: number): A | undefined =>
  all[index % Math.max(1, all.length)]

/** The state to which edits apply: the pages that exist, the ids of all pages so far, and a file. */
interface Space {
  readonly pages: ReadonlyArray<PageNode>
  readonly everyId: ReadonlyArray<string>
  readonly file: string
}

const writeLink = ({ by, page, heading }: LinkTarget, { pages, everyId, file }: Space): string => {
  // Links to deleted pages are included.
  const id = choose(everyId, page) ?? "none"
  switch (by) {
    case "id":
      return `[x](/pages/${id})`
    case "heading":
      return `[x](/pages/${id}#${heading})`
    case "path":
      return `[x](/${choose(pages, page)?.path ?? "none"})`
    case "file":
      return `![x](/files/${file})`
    case "missingFile":
      return "![x](/files/none)"
    case "own":
      return `[x](#${heading})`
  }
}

const changeOf = ({ operation, page, parent, slug, links, headings }: Edit, space: Space) => {
  const one = choose(space.pages, page)
  const document = {
    markdown: [
      ...links.map((link) => writeLink(link, space)),
      ...headings.map((heading) => `## ${heading}`)
    ].join("\n\n")
  }
  if (one === undefined || operation === "insert") {
    return {
      operation: "insert_page",
      title: `Page ${space.everyId.length}`,
      slug,
      ...(parent === undefined || one === undefined ? {} : { into: one.id }),
      document
    }
  }
  switch (operation) {
    case "write":
      return { operation: "update_page", page: one.id, document }
    case "rename":
      return { operation: "update_page", page: one.id, slug }
    case "move": {
      const into = parent === undefined ? null : (choose(space.everyId, parent) ?? "none")
      return { operation: "update_page", page: one.id, into }
    }
    case "delete":
      return { operation: "delete_page", page: one.id }
  }
}

/** Scans all pages; returns the pages that contain each link, and the pages that link to each page or file. */
const scanLinks = (pages: ReadonlyArray<PageNode>, texts: ReadonlyMap<string, string>, file: string) => {
  const ids = new Set(pages.map(({ id }) => id))
  const byPath = new Map(pages.map((page) => [page.path, page.id]))
  const links = new Map<string, Set<string>>()
  const backlinks = new Map<string, Set<string>>()
  const add = (to: Map<string, Set<string>>, key: string, id: string) =>
    to.set(key, new Set([...(to.get(key) ?? []), id]))
  const pageAt = (path: string, own: string): string | undefined => {
    if (path === "") return own
    const id = /^\/pages\/(.*)$/.exec(path)?.[1]
    if (id === undefined) return byPath.get(path.slice(1))
    return ids.has(id) ? id : undefined
  }
  for (const [id, text] of texts) {
    for (const [, url = ""] of text.matchAll(/\]\(([^)]*)\)/g)) {
      const [path = "", heading = ""] = url.split("#")
      if (path === `/files/${file}`) {
        add(links, "file", id)
        add(backlinks, file, id)
        continue
      }
      const target = pageAt(path, id)
      const exists =
        target !== undefined && (heading === "" || texts.get(target)?.includes(`## ${heading}`) === true)
      add(links, exists ? `${target}#${heading}` : `broken ${url}`, id)
      if (exists && target !== id) add(backlinks, target, id)
    }
  }
  return { links, backlinks }
}

/** The key of a link in the result of {@link scanLinks}. */
const keyOf = ({ status, targetReference: to }: Link): string => {
  if (status === "broken") return `broken ${(to as { url: string }).url}`
  if (to.kind === "file") return "file"
  const { page, internalLocation } = to as PageLocation
  return `${page.id}#${internalLocation?.anchor ?? ""}`
}

describe("the link report", () => {
  for (const { name, make, count } of [
    { ...memory, count: 40 },
    ...ruleDatabases.map((store) => ({ ...store, count: 10 }))
  ]) {
    it(`equals a full scan of all pages, and backlinks are its inverse, on ${name}`, {
      timeout: 200_000
    }, async () => {
      const server = await startServerOn({ make })
      const { call, spaceOf, edit: editContent } = await startContent(server)
      const property = async (edits: ReadonlyArray<Edit>) => {
        const at = `/spaces/${await spaceOf("Links")}`
        const { insertedFiles } = await editContent(at, {
          operation: "insert_files",
          files: [{ name: "f.txt", contentType: "text/plain", base64: "YQ==" }]
        })
        const file = insertedFiles![0]!.id
        const everyId: Array<string> = []
        const listPages = async () =>
          flatten((await call<{ pages: ReadonlyArray<PageNode> }>("GET", `${at}/content/pages`)).value.pages)
        for (const next of edits) {
          const change = changeOf(next, { pages: await listPages(), everyId, file })
          // Some edits are rejected, such as a move of a page below itself.
          const { value } = await call<{
            changes?: ReadonlyArray<{ object: string; page: { id: string } }>
          }>("POST", `${at}/content`, { changes: [change] })
          for (const { object, page } of value.changes ?? [])
            if (object === "created_page") everyId.push(page.id)
        }

        const pages = await listPages()
        const texts = new Map<string, string>()
        for (const { id } of pages) {
          const path = `${at}/content/page/${id}?format=markdown`
          texts.set(id, (await call<{ markdown: string }>("GET", path)).value.markdown)
        }
        const expected = scanLinks(pages, texts, file)
        const { value: report } = await call<List<Link>>("GET", `${at}/links?limit=1000`)
        const found = new Map(
          report.items.map((link) => [
            keyOf(link),
            new Set(link.locationReferences.map((place) => (place as PageLocation).page.id))
          ])
        )
        expect(found).toEqual(expected.links)
        const broken = [...expected.links.keys()].filter((key) => key.startsWith("broken")).length
        expect(report.stats).toEqual({ total: expected.links.size, broken: { total: broken } })
        for (const [path, id] of [...pages.map(({ id }) => ["page", id]), ["files", file]] as const) {
          const { value } = await call<List<PageLocation>>(
            "GET",
            `${at}/content/${path}/${id}/backlinks?limit=1000`
          )
          expect(new Set(value.items.map(({ page }) => page.id))).toEqual(
            expected.backlinks.get(id!) ?? new Set()
          )
        }
      }
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 10 }), property),
        runs(count)
      )
    })
  }
})
