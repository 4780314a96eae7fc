/** The editing API: batches of changes, files, and responses with content. */
import type { ContentPage, EditedContent, File, Revision, Space } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { type Changes, idOf, insert, useEditing } from "./support/editing.ts"

const { call, content, edit, page, scene, tree, validationErrors } = useEditing()

describe("a batch", () => {
  it("applies all changes or none, and reports the index of the invalid change", async () => {
    expect(await validationErrors(insert("Fine"), { operation: "delete_page", page: "nothing" })).toEqual([
      "changes.1.page is not the id of a page of this content"
    ])
    expect(await tree()).toBe("")
  })

  it("reports all validation errors in one response", async () => {
    const errors = await validationErrors(
      { operation: "insert_page", title: "", at: -1, slug: "a/b" },
      {
        operation: "update_page",
        document: { markdown: "a", document: { object: "document", data: {}, nodes: [] } }
      },
      { operation: "insert_files", files: [] },
      { operation: "explode" }
    )
    expect(errors.map((one) => one.split(" ")[0])).toEqual(
      expect.arrayContaining([
        "changes.0.title",
        "changes.0.at",
        "changes.0.slug",
        "changes.1.page",
        "changes.1.document",
        "changes.2.files"
      ])
    )
    expect(errors.at(-1)).toMatch(/^changes\.3 must be a change with one of the operations insert_page, /)
    expect(await validationErrors()).toEqual(["changes must be 1 to 50 changes"])
    expect(await validationErrors(...Array.from({ length: 51 }, () => insert("A")))).toEqual([
      "changes must be 1 to 50 changes"
    ])
  })

  it("reports errors in front matter by field", async () => {
    expect(
      await validationErrors(insert("A", { document: { markdown: "---\nhidden: maybe\nicon: [1]\n---\n" } }))
    ).toEqual([
      "changes.0.document.markdown.icon must be a string",
      "changes.0.document.markdown.hidden must be a boolean"
    ])
    expect(
      await validationErrors(insert("A", { document: { markdown: '---\n"a\n: - b: c\n---\n' } }))
    ).toEqual(["changes.0.document.markdown has front matter that is not valid YAML"])
  })

  it("resolves links to the refs of its additions, before and after their definition", async () => {
    const tags = (page: string, file: string) =>
      `{% content-ref url="${page}" %}\n[b](${page})\n{% endcontent-ref %}\n\n{% file src="${file}" %}\n`
    const text = `[b](./b.md#part) ![shot](./shot) [other](other.md) \`./b.md\` [b]: text\n\n[x]: ./b.md\n\n${tags("b.md", "shot")}`
    const edited = await edit(
      insert("A", { ref: "a", document: { markdown: text } }),
      insert("B", { ref: "b", document: { markdown: "[a](./a.md)" } }),
      {
        operation: "insert_files",
        files: [{ ref: "shot", name: "shot.txt", contentType: "text/plain", base64: "aGk=" }]
      }
    )
    const [a, b] = [idOf(edited, 0), idOf(edited, 1)]
    const file = edited.insertedFiles![0]!.id
    expect((await page(a)).markdown).toBe(
      `[b](/pages/${b}#part) ![shot](/files/${file}) [other](other.md) \`./b.md\` [b]: text\n\n[x]: /pages/${b}\n\n${tags(`/pages/${b}`, `/files/${file}`)}`
    )
    expect((await page(b)).markdown).toBe(`[a](/pages/${a})`)
    expect(edited.changes[0]).toMatchObject({ object: "created_page", ref: "a" })
    expect(await validationErrors(insert("C", { ref: "c" }), insert("D", { ref: "c" }))).toEqual([
      "changes.1.ref is used more than once; refs must be unique in a batch"
    ])
    expect(await validationErrors(insert("C", { ref: "a" }))).toEqual([
      "changes.0.ref is the path of a page; use another ref"
    ])
  })

  it("lists each changed page once, with its final state", async () => {
    const created = await edit(insert("A"), insert("B"))
    const [a, b] = [idOf(created, 0), idOf(created, 1)]
    const edited = await edit(
      { operation: "update_page", page: a, title: "A2" },
      { operation: "update_page", page: b, title: "B2" },
      { operation: "update_page", page: a, title: "A3" },
      { operation: "delete_page", page: b }
    )
    expect(edited.changes.map(({ object }) => object)).toEqual(["updated_page", "deleted_page"])
    const location = (edited.changes[0] as { page: { urls: { location: string } } }).page.urls.location
    const response = await fetch(location.replace("http://127.0.0.1:4400", scene().server.url), {
      headers: { authorization: `Bearer ${scene().token}` }
    })
    expect(((await response.json()) as ContentPage).title).toBe("A3")
  })

  it("is rejected in a locked space, whose change requests remain editable", async () => {
    await call("PATCH", `/spaces/${scene().space.id}`, { editMode: "locked" })
    const response = await call<{ error: { message: string } }>("POST", content(), { changes: [insert("A")] })
    expect([response.status, response.body.error.message]).toEqual([409, expect.stringContaining("locked")])
    await call("POST", `/spaces/${scene().space.id}/change-requests`, {})
    const changeRequest = `/spaces/${scene().space.id}/change-requests/1`
    const proposed = await call<{ number: number }>("POST", `${changeRequest}/content`, {
      changes: [insert("A")]
    })
    expect([proposed.status, proposed.body.number]).toEqual([200, 1])
    const detailed = await call<{ changes: ReadonlyArray<unknown>; changeRequest: { number: number } }>(
      "POST",
      `${changeRequest}/content?compat=false`,
      { changes: [insert("B")] }
    )
    expect([detailed.body.changes.length, detailed.body.changeRequest.number]).toEqual([1, 1])
    expect((await call<{ result: string }>("POST", `${changeRequest}/merge`)).body.result).toBe("merge")
    expect(await tree()).toBe("A B")
  })
})

describe("a file", () => {
  const png =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

  const uploadFile = async (file: object): Promise<File> =>
    (await edit({ operation: "insert_files", files: [file] } as Changes[number])).insertedFiles![0]!

  const downloadFile = (file: File, change = (url: string) => url, init: RequestInit = {}) =>
    fetch(change(file.downloadURL.replace("http://127.0.0.1:4400", scene().server.url)), init)

  it("is served to any client that has its signed URL, with its media type and security headers", async () => {
    const file = await uploadFile({ name: 'a "nice" ☃.png', contentType: "image/png", base64: png })
    expect(file).toMatchObject({ size: 70, dimensions: { width: 1, height: 1 } })
    const response = await downloadFile(file)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).toString("base64")).toBe(png)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "image/png",
      "content-length": "70",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
      "content-disposition":
        "inline; filename=\"a _nice_ _.png\"; filename*=UTF-8''a%20%22nice%22%20%E2%98%83.png"
    })
    const etag = response.headers.get("etag")!
    expect((await downloadFile(file, undefined, { headers: { "if-none-match": etag } })).status).toBe(304)
    expect((await downloadFile(file, undefined, { method: "HEAD" })).status).toBe(200)
    expect((await downloadFile(file, undefined, { method: "POST" })).status).toBe(405)
  })

  it("is served as an attachment if a browser could execute it", async () => {
    const page = Buffer.from("<script>alert(1)</script>").toString("base64")
    for (const contentType of ["text/html", "image/svg+xml", "application/xhtml+xml"]) {
      const file = await uploadFile({ name: "a.html", contentType, base64: page })
      expect((await downloadFile(file)).headers.get("content-disposition")).toMatch(/^attachment/)
    }
  })

  it("returns 404 for a modified URL, and after the deletion of the space", async () => {
    const file = await uploadFile({ name: "a.txt", contentType: "text/plain", base64: "aGk=" })
    for (const change of [
      (url: string) => url.replace("text%2Fplain", "text%2Fhtml"),
      (url: string) => url.replace("a.txt", "b.txt"),
      (url: string) => url.replace(scene().space.id, "another"),
      (url: string) => url.replace(/signature=.*/, "signature="),
      (url: string) => url.replace(/signature=.*/, ""),
      (url: string) => url.slice(0, -1),
      (url: string) => `${url}x`,
      (url: string) => url.replace("a.txt", "%ff"),
      (url: string) => url.replace("/a.txt", "")
    ]) {
      expect((await downloadFile(file, change)).status).toBe(404)
    }
    await call("DELETE", `/spaces/${scene().space.id}`)
    expect((await downloadFile(file)).status).toBe(404)
  })

  it("can be listed, read and deleted, and is validated on insertion", async () => {
    const files: Array<File> = []
    for (const name of ["a", "b", "c"]) {
      files.push(await uploadFile({ name: `${name}.txt`, contentType: "text/plain", base64: "aGk=" }))
    }
    const names: Array<string> = []
    let next = ""
    do {
      const { body } = await call<{ count: number; items: ReadonlyArray<File>; next?: { page: string } }>(
        "GET",
        `${content()}/files?limit=2${next}`
      )
      expect(body.count).toBe(3)
      names.push(...body.items.map(({ name }) => name))
      next = body.next === undefined ? "" : `&page=${body.next.page}`
    } while (next !== "")
    expect(names).toEqual(["c.txt", "b.txt", "a.txt"])
    const found = await call<File>("GET", `${content()}/files/${files[1]!.id}`)
    expect(found.body).toEqual(files[1])
    await edit({ operation: "delete_files", files: [files[1]!.id] })
    expect((await call("GET", `${content()}/files/${files[1]!.id}`)).status).toBe(404)
    const errorsOf = (file: object) =>
      validationErrors({
        operation: "insert_files",
        files: [{ name: "a.txt", contentType: "text/plain", ...file }]
      })
    expect(await errorsOf({})).toEqual(["changes.0.files.0.base64 is required without `url`"])
    expect(await errorsOf({ base64: "§" })).toEqual(["changes.0.files.0.base64 must be valid base64"])
    expect(await errorsOf({ base64: "aGk=", name: "../a" })).toEqual([
      "changes.0.files.0.name must be a name of a file, without slashes"
    ])
    expect(await errorsOf({ base64: "aGk=", contentType: "text/plain\r\nx: y" })).toEqual([
      "changes.0.files.0.contentType must be a media type as in image/png"
    ])
  })
})

describe("a content response", () => {
  it("has an ETag, with which a client receives 304 for unchanged content", async () => {
    const created = await edit(insert("A"))
    for (const path of [
      "content",
      "content/pages",
      `content/page/${idOf(created)}`,
      "content/path/a",
      `revisions/${created.revision}`
    ]) {
      const at = `/v1/spaces/${scene().space.id}/${path}`
      const first = await scene().server.fetch(at, { token: scene().token })
      const etag = first.headers.get("etag")!
      expect([path, etag]).toEqual([path, expect.stringMatching(/^".+"$/)])
      const again = await scene().server.fetch(at, {
        token: scene().token,
        headers: { "if-none-match": etag }
      })
      expect([path, again.status]).toEqual([path, 304])
      expect(await (await scene().server.fetch(at, { token: scene().token })).json()).toEqual(
        await first.json()
      )
      if (path.startsWith("revisions")) continue
      await edit({ operation: "update_page", page: idOf(created), description: path })
      expect(
        (await scene().server.fetch(at, { token: scene().token, headers: { "if-none-match": etag } })).status
      ).toBe(200)
    }
  })

  it("includes git metadata unless `metadata=false`", async () => {
    const git = { oid: "a1b2", path: "docs/a.md" }
    const commit = { oid: "c3d4", message: "Import", createdByService: false, ref: "main" }
    const imported = { changes: [insert("A", { git })], message: "Import", git: commit }
    const { body: created } = await call<EditedContent>("POST", content(), imported)
    expect((await call<Revision>("GET", content())).body.git).toEqual(commit)
    expect(await page(idOf(created), "")).toMatchObject({ git })
    expect(await page(idOf(created), "?metadata=false")).not.toHaveProperty("git")
    const { body } = await call<Revision>("GET", `${content()}?metadata=false`)
    expect(body.pages[0]).not.toHaveProperty("git")
    expect(body).not.toHaveProperty("git")
  })
})

describe("a copy of a space", () => {
  it("has the same content, and does not change with the original", async () => {
    const created = await edit(insert("A", { document: { markdown: "Text." } }))
    const copy = (await call<Space>("POST", `/spaces/${scene().space.id}/duplicate`)).body
    await edit({ operation: "update_page", page: idOf(created), title: "Changed" })
    const theirs = await call<ContentPage & { markdown: string }>(
      "GET",
      `/spaces/${copy.id}/content/page/${idOf(created)}?format=markdown`
    )
    expect(theirs.body).toMatchObject({ title: "A", markdown: "Text." })
    expect((await call("GET", `/spaces/${copy.id}/revisions/${created.revision}`)).status).toBe(404)
  })
})
