/** Fonts of an organization on its sites: the style sheet declares them, and the site serves their files. */
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTestSite, type PageServer, startPageServer, type TestSite } from "./support/scene.ts"

let server: PageServer
let site: TestSite

beforeAll(async () => {
  server = await startPageServer()
  site = await createTestSite(server)
})
afterAll(() => server.close())

/** Returns the header of a font, which browsers would reject after it. */
const fontFile = (signature: "wOF2" | "wOFF", length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  const header = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(signature))
  header.setUint32(4, 0x4f54_544f)
  header.setUint32(8, length)
  header.setUint16(12, 1)
  return bytes
}

const upload = async (bytes: Uint8Array): Promise<string> => {
  const { url, key } = await server.workspace.as(server.user).uploads.create({
    organization: server.organization,
    input: { file: { name: "font", type: "", size: bytes.length }, kind: "customization_font" }
  })
  expect((await fetch(url, { method: "PUT", body: bytes as BodyInit })).status).toBe(204)
  return key
}

/** Returns the style sheet of the theme, and the URL that its URLs are relative to. */
const theme = async () => {
  const html = await (await fetch(site.url)).text()
  const url = new URL(/href="([^"]*\/theme\.[\w-]+\.css)"/.exec(html)![1]!, site.url)
  return { url, css: await (await fetch(url)).text() }
}

it("declares the faces of a font, and serves them with the types of their formats from the origin of the site", async () => {
  const as = server.workspace.as(server.user)
  const { organization } = server
  const faces = [
    { weight: 700, bytes: fontFile("wOFF", 90), type: "font/woff" },
    { weight: 400, bytes: fontFile("wOF2", 60), type: "font/woff2" }
  ]
  const fontFaces: Array<{ readonly weight: number; readonly storageKey: string }> = []
  for (const { weight, bytes } of faces) fontFaces.push({ weight, storageKey: await upload(bytes) })
  const font = await as.customFonts.create({ organization, input: { fontFamily: "Acme Sans", fontFaces } })
  const target = { organization, site: site.site }
  const before = await as.siteSettings.getCustomization(target)
  const customize = (chosen: typeof font | "Inter") =>
    as.siteSettings.updateCustomization({
      ...target,
      input: { ...before, styling: { ...before.styling, font: chosen } }
    })
  // Only the id of the font is used: neither a name nor a URL of the request reaches the style sheet.
  await customize({
    ...font,
    fontFamily: '"} body { display: none',
    fontFaces: [{ weight: 400, sources: [{ url: "https://evil.example/font.woff2" }] }]
  })
  const { url, css } = await theme()
  expect(css).toContain('--font:"Acme Sans",')
  expect(css).not.toMatch(/evil|display: ?none/)
  const declared = Array.from(
    css.matchAll(/@font-face\{font-family:"Acme Sans"[^}]*font-weight:(\d+);src:url\(([^)]+)\)/g),
    ([, weight, file]) => ({ weight: Number(weight), file: new URL(file!, url) })
  )
  expect(declared.map(({ weight }) => weight)).toEqual([400, 700])
  for (const { weight, file } of declared) {
    const { bytes, type } = faces.find((face) => face.weight === weight)!
    const response = await fetch(file)
    expect([response.status, response.headers.get("content-type")]).toEqual([200, type])
    expect(response.headers.get("cache-control")).toContain("immutable")
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
    expect(file.origin).toBe(new URL(site.url).origin)
  }
  // A name with another digest, and a file of another format, do not exist.
  const [{ file }] = declared as [(typeof declared)[number]]
  for (const other of [
    file.href.replace(/[0-9a-f]{64}/, "0".repeat(64)),
    file.href.replace(/woff2$/, "woff")
  ]) {
    expect((await fetch(other)).status).toBe(404)
  }

  await as.customFonts.update({ organization, font: font.id, input: { fontFamily: "Acme Text" } })
  expect((await theme()).css).toContain('--font:"Acme Text",')
  await as.customFonts.remove({ organization, font: font.id })
  expect((await theme()).css).toContain('--font:"Inter Variable",')
  expect((await fetch(file)).status).toBe(404)
  await customize("Inter")
})
