/** Lists of links and backlinks over HTTP, on every store. */
import type { Link, PageLocation } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { memory, ruleStores, type stores } from "./stores.ts"
import { describeLink, describeLocation, type List, startContent } from "./support/links.ts"
import { startServerOn } from "./support.ts"

/** Creates a space whose page "Source" has links to all kinds of targets, in all notations. */
const createLinkedSpace = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const { user, organization, call, spaceOf, edit, insert, write } = await startContent(server)
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
  const { value: content } = await call<{ reusableContents: ReadonlyArray<{ id: string }> }>(
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
      `{% include "/reusable-contents/${content.reusableContents[0]!.id}" %}`,
      '{% include "/reusable-contents/gone" %}',
      "## Own\n\n[own](#own) [missing](#missing)"
    ].join("\n\n")
  )
  return {
    call,
    edit,
    write,
    at,
    target,
    below,
    source,
    file,
    note: content.reusableContents[0]!.id,
    list: async (path: string, operation: string) =>
      (await call<List<Link>>("GET", path, undefined, operation)).value,
    backlinks: async (path: string, operation?: string) =>
      (await call<List<PageLocation>>("GET", path, undefined, operation)).value.items
  }
}

/** The same space, with a change request that changes the path of the target. */
const createMovedTarget = async (store: (typeof stores)[number]) => {
  const setup = await createLinkedSpace(store)
  const { value } = await setup.call<{ id: string }>("POST", `${setup.at}/change-requests`, {})
  const proposed = `${setup.at}/change-requests/${value.id}`
  await setup.edit(proposed, { operation: "update_page", page: setup.target, slug: "moved" })
  return { ...setup, proposed, moved: await setup.list(`${proposed}/links`, "listChangeRequestLinks") }
}

describe("links", () => {
  for (const store of ruleStores) {
    it(`are listed with their status, target and location, on ${store.name}`, async () => {
      const { at, target, list } = await createLinkedSpace(store)
      const all = await list(`${at}/links`, "listSpaceLinks")
      expect(all.items.map(describeLink).sort()).toEqual(
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
    })

    it(`are filtered by status, on ${store.name}`, async () => {
      const { call, at, list } = await createLinkedSpace(store)
      const { stats } = await list(`${at}/links`, "listSpaceLinks")
      const broken = await list(`${at}/links?status=broken&limit=3`, "listSpaceLinks")
      expect([broken.count, broken.items.length, broken.stats]).toEqual([10, 3, stats])
      expect((await list(`${at}/links?status=in-app`, "listSpaceLinks")).count).toBe(1)
      expect((await call("GET", `${at}/links?status=fine`)).status).toBe(400)
    })

    it(`are listed for a page, on ${store.name}`, async () => {
      const { at, source, below, list } = await createLinkedSpace(store)
      const { stats } = await list(`${at}/links`, "listSpaceLinks")
      const own = await list(`${at}/content/page/${source}/links`, "listPageLinksInSpace")
      expect(own.stats).toEqual(stats)
      const none = await list(`${at}/content/page/${below}/links`, "listPageLinksInSpace")
      expect(none).toEqual({ items: [], count: 0, stats: { total: 0, broken: { total: 0 } } })
    })

    it(`are listed as backlinks of their target pages and files, on ${store.name}`, async () => {
      const { call, at, target, file, note, backlinks } = await createLinkedSpace(store)
      const toPage = await backlinks(`${at}/content/page/${target}/backlinks`, "listSpacePageBacklinks")
      expect(toPage.map(describeLocation)).toEqual(["page Source"])
      expect(toPage[0]!.versionContext).toMatchObject({
        type: "revision",
        revision: { object: "revision" }
      })
      const toFile = await backlinks(`${at}/content/files/${file}/backlinks`, "listSpaceFileBacklinks")
      expect(toFile.map(describeLocation)).toEqual(["page Source"])
      const toNote = await backlinks(`${at}/content/reusable-contents/${note}/backlinks`)
      expect(toNote.map(describeLocation)).toEqual(["page Source"])
      for (const path of [
        "page/gone/links",
        "page/gone/backlinks",
        "files/gone/backlinks",
        "reusable-contents/gone/backlinks"
      ]) {
        expect([path, (await call("GET", `${at}/content/${path}`)).status]).toEqual([path, 404])
      }
    })

    it(`by id and by path remain valid when a change request moves their target, on ${store.name}`, async () => {
      const { moved } = await createMovedTarget(store)
      expect(
        moved.items
          .map(describeLink)
          .filter((one) => /Target|target/.test(one))
          .sort()
      ).toEqual(
        [
          "ok: page Target <- page Source",
          "ok: page Target#größe <- page Source",
          "ok: page Target#somewhere <- page Source"
        ].sort()
      )
      // A link to a missing heading of a moved page is broken under its new path.
      expect(moved.stats).toEqual({ total: 22, broken: { total: 10, changeRequest: 1 } })
    })

    it(`and backlinks of a change request are derived from its content, on ${store.name}`, async () => {
      const { target, source, file, note, proposed, moved, list, backlinks } = await createMovedTarget(store)
      const content = `${proposed}/content`
      const [backlink] = await backlinks(
        `${content}/page/${target}/backlinks`,
        "listChangeRequestPageBacklinks"
      )
      expect(backlink!.versionContext).toMatchObject({ type: "changeRequest" })
      expect(
        await backlinks(`${content}/files/${file}/backlinks`, "listChangeRequestFileBacklinks")
      ).toHaveLength(1)
      expect(await backlinks(`${content}/reusable-contents/${note}/backlinks`)).toHaveLength(1)
      const ofSource = await list(`${content}/page/${source}/links`, "listPageLinksInChangeRequest")
      expect(ofSource.stats).toEqual(moved.stats)
    })

    it(`are removed with their text, on ${store.name}`, async () => {
      const { at, source, list, write } = await createLinkedSpace(store)
      await write(at, source, "Nothing.")
      expect((await list(`${at}/links`, "listSpaceLinks")).stats.total).toBe(0)
    })
  }
})

describe("links in blocks", () => {
  const setUp = async () => {
    const { call, spaceOf, edit, insert } = await startContent(await startServerOn(memory))
    const at = `/spaces/${await spaceOf("Guide")}`
    const target = await insert(at, "Target", "## Somewhere")
    const links = async () =>
      (await call<List<Link>>("GET", `${at}/links`)).value.items.map(describeLink).sort()
    const reusableIds = async () =>
      (
        await call<{ reusableContents: ReadonlyArray<{ id: string; title: string }> }>("GET", `${at}/content`)
      ).value.reusableContents.map(({ id }) => id)
    return { at, call, edit, insert, target, links, reusableIds }
  }

  it("are listed once each, for every form of block", async () => {
    const { at, insert, target, links } = await setUp()
    const url = (name: string) => `https://example.com/${name}`
    await insert(
      at,
      "Source",
      [
        `{% content-ref url="/pages/${target}" %}\n[target.md](/pages/${target})\n{% endcontent-ref %}`,
        `{% embed url="${url("embed")}" %}`,
        `{% file src="${url("file")}" %}\nCaption [a](${url("caption")})\n{% endfile %}`,
        `{% hint style="info" %}\n<a href="${url("button")}" class="button primary">Go</a>\n{% endhint %}`,
        `{% tabs %}\n{% tab title="A" %}\n[tab](${url("tab")})\n{% endtab %}\n{% endtabs %}`,
        `<details>\n\n<summary>A</summary>\n\n[details](${url("details")})\n\n</details>`,
        `<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody><tr><td>[x]</td><td><a href="${url("card")}">card</a></td><td><a href="${url("cover")}">cover</a></td></tr></tbody></table>`,
        `<figure><picture><source srcset="${url("dark")}" media="(prefers-color-scheme: dark)"><img src="${url("light")}" alt=""></picture><figcaption></figcaption></figure>`,
        `{% openapi src="${url("api.json")}" path="/a" method="get" %}\n[${url("api.json")}](${url("api.json")})\n{% endopenapi %}`,
        '{% openapi-operation spec="gone" path="/a" method="get" %}\n{% endopenapi-operation %}',
        `<section><video src="${url("video")}"></video></section>`
      ].join("\n\n")
    )
    const external = "api.json button caption card cover dark details embed file light tab video".split(" ")
    expect(await links()).toEqual(
      [
        "ok: page Target <- page Source",
        "broken: url /openapi/gone <- page Source",
        ...external.map((name) => `ok: url ${url(name)} <- page Source`)
      ].sort()
    )
  })

  it("find headings by the ids of GitHub and of GitBook", async () => {
    const { at, insert, links } = await setUp()
    await insert(
      at,
      "Source",
      "## 1. Configure Azure AD (optional)\n\n[a](#1-configure-azure-ad-optional) [b](#id-1.-configure-azure-a-d-optional) [c](#id-2)"
    )
    expect(await links()).toEqual([
      "broken: url #id-2 <- page Source#1-configure-azure-ad-optional",
      "ok: page Source#1-configure-azure-ad-optional <- page Source#1-configure-azure-ad-optional"
    ])
  })

  it("of reusable contents are links of the pages that include them", async () => {
    const { at, call, edit, insert, target, links, reusableIds } = await setUp()
    const content = (title: string, markdown: string, more: object = {}) =>
      edit(at, { operation: "insert_reusable_content", title, document: { markdown }, ...more })
    await content("Note", `[a](/pages/${target}) [up](../../target.md) [gone](gone.md) [own](#own)\n\n## Own`)
    const source = await insert(
      at,
      "Source",
      '## Part\n\n{% include "../.gitbook/includes/note.md" %}\n\n[into](#own) [no](#no)'
    )
    expect(await links()).toEqual([
      "broken: url #no <- page Source#part",
      "broken: url gone.md <- page Source#part",
      "ok: page Source#own <- page Source#part",
      "ok: page Target <- page Source#part",
      "ok: reusable Note <- page Source#part"
    ])
    const { value } = await call<List<PageLocation>>("GET", `${at}/content/page/${target}/backlinks`)
    expect(value.items.map(describeLocation)).toEqual(["page Source#part"])
    // Inclusions of a reusable content in itself end.
    const [id] = await reusableIds()
    await edit(at, {
      operation: "update_reusable_content",
      reusableContent: id,
      document: { markdown: `Words\n\n{% include "/reusable-contents/${id}" %}` }
    })
    expect(await links()).toContain("ok: reusable Note <- page Source#part")
    const page = await call<{ markdown: string }>("GET", `${at}/content/page/${source}?format=markdown`)
    expect(page.value.markdown).toBe(
      `## Part\n\nWords\n\n{% include "/reusable-contents/${id}" %}\n\n[into](#own) [no](#no)`
    )
  })
})
