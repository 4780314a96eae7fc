/** An export has no scripts except the scripts of the renderer, for files of authors of any type and name. */
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { strFromU8, unzipSync } from "fflate"
import { SaxesParser } from "saxes"
import { expect, it } from "vitest"
import type { GetUrl } from "../src/export/crawlSite.ts"
import { exportEpub } from "../src/export/exportEpub.ts"
import { exportHtml } from "../src/export/exportHtml.ts"
import { escapeText } from "../src/html/Html.ts"

const site = { root: "https://docs.example.com/", workspace: "https://docs.example.com/api" }

const hostile = "<script>alert(1)</script>"

/** An image with everything that runs scripts, in each way of writing it, and with the parts of a drawing. */
const hostileSvg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "<script>alert(1)</script>">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:h="http://www.w3.org/1999/xhtml"
 viewBox="0 0 9 9" onload="alert(1)" oNclick="alert(1)">
<script>alert(1)</script><SCRIPT href="data:,alert(1)"/><h:script>alert(1)</h:script>
<style>rect { fill: red } a > b {}</style>&x;<![CDATA[<script>alert(1)</script>]]>
<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/>${hostile}</body></foreignObject>
<a xlink:href="javascript:alert(1)"><text>Link</text></a>
<use href="data:image/svg+xml,${encodeURIComponent(hostile)}"/><use xlink:href="#r" href=" javascript:alert(1)"/>
<title><script>alert(1)</script>&lt;script&gt;alert(1)&lt;/script&gt;</title>
<animate attributeName="href" values="javascript:alert(1)"/><set attributeName="onload" to="alert(1)"/>
<linearGradient id="g"><stop offset="1"/></linearGradient><rect id="r" width="9" height="9" onmouseover='alert(1)'/>
</svg>`

const image = (name: string) =>
  `<img src="${escapeText(`${site.workspace}/files/f/${encodeURIComponent(name)}`)}" alt="">`
const link = (name: string) =>
  `<a href="${escapeText(`${site.workspace}/files/f/${encodeURIComponent(name)}`)}">x</a>`

/** A server of a site with one page, which links to files with hostile content. */
const serve =
  (names: ReadonlyArray<string>): GetUrl =>
  async (url) => {
    const respond = (contentType: string, body: string, status = 200) => ({
      status,
      contentType,
      location: undefined,
      body: new TextEncoder().encode(body)
    })
    if (url === site.root || url.endsWith("/404") || url.endsWith("~/search")) {
      const content = names.map((name) => link(name) + image(name)).join("")
      const html = `<!doctype html><html lang="en"><head><title>x</title></head><body><article><div class="content">${content}</div></article></body></html>`
      return respond("text/html; charset=utf-8", html, url.endsWith("/404") ? 404 : 200)
    }
    if (url.endsWith("sitemap.xml"))
      return respond("application/xml", `<urlset><url><loc>${site.root}</loc></url></urlset>`)
    if (!url.startsWith(`${site.workspace}/files/`)) return respond("text/plain", "x", 404)
    if (/svg$/i.test(url)) return respond("image/svg+xml", hostileSvg)
    return respond("text/html", `<!doctype html><a href="${site.root}never">x</a>${hostile}`)
  }

/** The elements and the attributes of a document, which must be well-formed XML. */
const elementsIn = (xml: string) => {
  const found: Array<readonly [name: string, attributes: Readonly<Record<string, string>>]> = []
  const parser = new SaxesParser()
  parser.on("error", (error) => {
    throw error
  })
  parser.on("opentag", ({ name, attributes }) => found.push([name, attributes]))
  parser.write(xml).close()
  return found
}

const checkSvg = (svg: string): void => {
  const elements = elementsIn(svg)
  for (const [name, attributes] of elements) {
    expect(name).toMatch(/^(?:svg|style|title|use|linearGradient|stop|rect|animate)$/)
    for (const [attribute, value] of Object.entries(attributes)) {
      expect(attribute).not.toMatch(/^on/i)
      expect(value).not.toMatch(/javascript:|alert/)
    }
  }
  expect(elements[0]).toEqual(["svg", expect.objectContaining({ viewBox: "0 0 9 9" })])
  expect(elements.map(([name]) => name)).toEqual(expect.arrayContaining(["style", "linearGradient", "rect"]))
  expect(elements).toContainEqual(["use", { "xlink:href": "#r", href: "#r" }])
}

/** The types that browsers execute in the origin of a page, by the parts of names that hosts read as types. */
const active =
  /\.(?:s?html?|xht(?:ml)?|xml|xsl|svgz?|m?js|cjs|mht(?:ml)?|swf|php\d?|jsp|aspx?|htc|wasm)(?:\.|$)/i

const endings =
  "html HTML htm shtml xhtml xht xml xsl js mjs svg SVG svgz mht swf php png pdf txt md unknown".split(" ")

const fileName = fc
  .array(fc.oneof(fc.constantFrom(...endings), fc.constantFrom("a", "ä", "", "a b", "a:b", "%2e")), {
    minLength: 1,
    maxLength: 4
  })
  .map((parts) => parts.join("."))
  .filter((name) => name !== "" && name !== "." && name !== "..")

it("is inert in a static export, where only its pages and its own assets are active", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fileName, { minLength: 1, maxLength: 8 }), async (names) => {
      const files = new Map<string, string>()
      await exportHtml(site, serve(names), async (path, content) => {
        files.set(path, typeof content === "string" ? content : new TextDecoder().decode(content))
      })
      const own = [...files].filter(([path]) => path.startsWith("files/"))
      expect(own).toHaveLength(names.length)
      for (const [path, content] of own) {
        if (/\.svg$/.test(path)) checkSvg(content)
        else expect([path, active.test(path)]).toEqual([path, false])
        expect(path.split("/").at(-1)!.split(".")).toHaveLength(2)
      }
      const html = files.get("index.html")!
      for (const [, href, rest] of html.matchAll(/<a href="(files[^"]*)"([^>]*)>/g)) {
        expect(files.has(decodeURIComponent(href!))).toBe(true)
        expect([href, / download="[^"]/.test(rest!)]).toEqual([href, href!.endsWith(".download")])
      }
      for (const [path, content] of files) {
        if (!path.endsWith(".html")) continue
        for (const [, source] of content.matchAll(/<script\b([^>]*)>/g))
          expect(source).toMatch(/^ defer src="assets\/(?:minisearch|search)\.js"$/)
      }
      expect(files.has("never.html")).toBe(false)
    }),
    runs(100)
  )
})

it("is inert in a book", async () => {
  const { bytes } = await exportEpub(site, serve(["a.svg", "b.html", "c.png"]))
  const files = Object.entries(unzipSync(bytes))
  const images = files.filter(([path]) => path.endsWith(".svg"))
  expect(images).toHaveLength(1)
  checkSvg(strFromU8(images[0]![1]))
  for (const [path, content] of files) {
    expect(path).not.toMatch(/\.(?:html?|js)$/)
    if (path.endsWith(".xhtml")) expect(strFromU8(content)).not.toContain("<script")
  }
})
