/** Files of others are served with types that no page of the application can execute. */
import type { Space } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { servedType } from "../src/server/routes/servedType.ts"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

/** The content types that the HTML and MIME Sniffing standards execute: all JavaScript types, and others that a page applies. */
const active = [
  ...["ecmascript", "javascript", "x-ecmascript", "x-javascript"].map((name) => `application/${name}`),
  ...["ecmascript", "javascript", "jscript", "livescript", "x-ecmascript", "x-javascript"].map(
    (name) => `text/${name}`
  ),
  ...["1.0", "1.1", "1.2", "1.3", "1.4", "1.5"].map((version) => `text/javascript${version}`),
  "text/css",
  "text/html",
  "application/xhtml+xml",
  "application/xml",
  "text/xml",
  "text/xsl",
  "application/xslt+xml",
  "application/mathml+xml",
  "application/wasm",
  "multipart/x-mixed-replace"
]

/** Returns the type that browsers extract from a header: the last valid one of a list (Fetch standard). */
const extracted = (header: string): string =>
  header
    .split(",")
    .map((part) => part.split(";")[0]!.trim().toLowerCase())
    .filter((type) => /^[^\s/]+\/[^\s/]+$/.test(type))
    .at(-1) ?? ""

it("no spelling of an executable type is served", () => {
  const spelled = fc
    .tuple(
      fc.constantFrom("", " ", "image/png, ", "x,", 'text/plain; a="b", '),
      fc.constantFrom(...active),
      fc.boolean(),
      fc.constantFrom("", ";", "; charset=utf-8", " ", ",", ", image/png; a", "; a=,", "\t")
    )
    .map(([before, type, isUpper, after]) => `${before}${isUpper ? type.toUpperCase() : type}${after}`)
  fc.assert(
    fc.property(spelled, (header) => {
      expect(active).not.toContain(extracted(servedType(header)))
    }),
    runs(1_000)
  )
})

it("types of images and of documents are their own", () => {
  for (const type of [
    "image/svg+xml",
    "image/png",
    "application/pdf",
    "application/json",
    "text/plain; charset=utf-8",
    "application/zip",
    "video/mp4",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
  ]) {
    expect(servedType(type)).toBe(type)
  }
})

it("a script that is uploaded to a space is served as text", async () => {
  const server = await startServerOn(memory)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const space = (await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "Guide" })).value
  const base64 = Buffer.from("alert(1)").toString("base64")
  for (const contentType of active.filter((type) => !type.startsWith("multipart/"))) {
    await call("", "POST", `/spaces/${space.id}/content`, {
      changes: [{ operation: "insert_files", files: [{ name: "a.bin", contentType, base64 }] }]
    })
  }
  const { value } = await call<{ items: ReadonlyArray<{ contentType: string; downloadURL: string }> }>(
    "",
    "GET",
    `/spaces/${space.id}/content/files?limit=100`
  )
  expect(value.items.length).toBeGreaterThan(20)
  for (const { contentType, downloadURL } of value.items) {
    const { pathname, search } = new URL(downloadURL)
    const response = await fetch(`${server.url}${pathname}${search}`)
    expect([contentType, response.status, await response.text()]).toEqual([contentType, 200, "alert(1)"])
    expect(active).not.toContain(extracted(response.headers.get("content-type") ?? ""))
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
    expect(response.headers.get("content-disposition")).toMatch(/^attachment/)
  }
})
