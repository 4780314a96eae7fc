/** Downloads of exports over HTTP: produced once, with a length and ranges afterwards, and bounded. */
import { ExportLimits } from "@lectern/core"
import { Context, Layer } from "effect"
import { expect, it } from "vitest"
import { memory, stores } from "./stores.ts"
import { startImportWorkspace } from "./support/imports.ts"

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}

const startWithPage = async (
  store: Pick<typeof memory, "make">,
  services: Layer.Layer<never> = Layer.empty
) => {
  const opened = await startImportWorkspace(await store.make(), undefined, undefined, services)
  const { server, call, organization, space } = opened
  const insert = (markdown: string) =>
    call("POST", `/spaces/${space}/content`, {
      changes: [{ operation: "insert_page", title: "Page", document: { markdown } }]
    })
  await insert("Text.\n")
  const site = await call<{ id: string }>("POST", `/orgs/${organization}/sites`, {
    title: "Docs",
    spaces: [space]
  })
  const addressOf = async (path: string) => pathOf((await call<{ url: string }>("GET", path)).url)
  const download = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}${path}`, { headers })
    return { response, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  return {
    ...opened,
    insert,
    download,
    addresses: async () => [
      await addressOf(`/spaces/${space}/content/export`),
      await addressOf(`/orgs/${organization}/sites/${site.id}/export`)
    ]
  }
}

for (const store of stores) {
  it(`serves the stored bytes of an export until its content changes, on ${store.name}`, async () => {
    const { addresses, download, insert } = await startWithPage(store)
    for (const address of await addresses()) {
      const first = await download(address)
      expect([first.response.status, first.bytes.subarray(0, 2).toString()]).toEqual([200, "PK"])
      const second = await download(address)
      expect(second.bytes).toEqual(first.bytes)
      expect(second.response.headers.get("content-length")).toBe(String(first.bytes.length))
      const etag = second.response.headers.get("etag")!
      expect(etag).toMatch(/^"[\w-]{43}"$/)
      const part = await download(address, { range: "bytes=2-9" })
      expect([part.response.status, part.bytes]).toEqual([206, first.bytes.subarray(2, 10)])
    }
    const before = await addresses()
    await insert("More.\n")
    const after = await addresses()
    expect(after[0]).not.toBe(before[0])
    expect((await download(after[0]!)).bytes.length).toBeGreaterThan(
      (await download(before[0]!)).bytes.length
    )
  })
}

it("rejects downloads beyond the limits with 429 and 503, and when to retry", async () => {
  const limits = Context.get(Context.empty(), ExportLimits)
  for (const [field, status, reason] of [
    ["unfinishedPerOrganization", 429, "TooManyExports"],
    ["unfinished", 503, "Overloaded"]
  ] as const) {
    const none = Layer.succeed(ExportLimits, { ...limits, [field]: 0 })
    const { addresses, download } = await startWithPage(memory, none)
    for (const address of await addresses()) {
      const { response, bytes } = await download(address)
      expect([response.status, JSON.parse(bytes.toString()).error.reason]).toEqual([status, reason])
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0)
    }
  }
})
