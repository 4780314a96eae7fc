/** The files that pages load: the style sheet, the script and the fonts, with the hash of their content in their names. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

/** A file that never changes under its name. */
export interface AssetFile {
  /** The name, which contains the hash of the content. */
  readonly name: string
  readonly contentType: string
  readonly body: string | Uint8Array
}

const require = createRequire(import.meta.url)

const hashOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 12)

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  woff2: "font/woff2"
}

/** Creates a file whose name contains the hash of its content. */
export const assetFile = (base: string, extension: string, body: string | Uint8Array): AssetFile => ({
  name: `${base}.${hashOf(body)}.${extension}`,
  contentType: contentTypes[extension] ?? "application/octet-stream",
  body
})

/**
 * Removes comments and indentation. Selectors and values keep their spaces, which can be significant: also a line break in a
 * selector, which is a combinator.
 */
export const minifyCss = (css: string): string =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\s*\n\s*/g, " ")
    .replace(/\s*([{};])\s*/g, "$1")
    .replace(/([(,]) /g, "$1")
    .replace(/ \)/g, ")")
    .trim()
    .replace(/;\}/g, "}")
    .replace(/([a-z-]): /g, "$1:")

/** Removes comments on lines of their own and indentation. Line breaks remain, because they can end statements. */
const minifyScript = (source: string): string =>
  source
    .replace(/^[ \t]*\/\*\*[\s\S]*?\*\/[ \t]*\n?/gm, "")
    .replace(/^[ \t]*\/\/.*\n/gm, "")
    .replace(/^[ \t]+/gm, "")
    .replace(/\n{2,}/g, "\n")

const source = (name: string): string =>
  readFileSync(new URL(`../../assets/${name}`, import.meta.url), "utf8")

/** The families of fonts that the package contains, by their names in the customization. */
const fontPackages: Readonly<
  Record<string, { readonly family: string; readonly sheets: ReadonlyArray<string> }>
> = {
  Inter: { family: "Inter Variable", sheets: ["@fontsource-variable/inter/index.css"] },
  IBMPlexMono: {
    family: "IBM Plex Mono",
    sheets: ["@fontsource/ibm-plex-mono/400.css", "@fontsource/ibm-plex-mono/600.css"]
  }
}

/** A font with its declarations, whose URLs are relative to the other assets. */
export interface Font {
  readonly family: string
  readonly css: string
}

/** All files, by name. */
export interface Assets {
  readonly style: AssetFile
  readonly script: AssetFile
  /** The script of pages with operations of an API. */
  readonly requests: AssetFile
  /** The script of pages of sites with scripts, which asks visitors for their consent. */
  readonly consent: AssetFile
  /** The script of pages of sites with answers. */
  readonly ask: AssetFile
  /** Returns a font that the package contains. */
  readonly font: (name: string) => Font | undefined
  /** Returns the file with a name. */
  readonly file: (name: string) => AssetFile | undefined
}

/** Loads the files. Fonts are loaded when a site uses them. */
export const loadAssets = (): Assets => {
  const files = new Map<string, AssetFile>()
  const fonts = new Map<string, Font | undefined>()
  const add = (file: AssetFile): AssetFile => {
    files.set(file.name, file)
    return file
  }
  const loadFont = (name: string): Font | undefined => {
    const font = Object.hasOwn(fontPackages, name) ? fontPackages[name] : undefined
    if (font === undefined) return undefined
    const css = font.sheets.map((sheet) => {
      const path = require.resolve(sheet)
      return readFileSync(path, "utf8")
        .replace(/,\s*url\([^)]*\.woff\)\s*format\([^)]*\)/g, "")
        .replace(/url\(([^)]*\.woff2)\)/g, (_, relative: string) => {
          const file = join(dirname(path), relative.replace(/['"]/g, ""))
          const base = file.replace(/^.*[/\\]/, "").replace(/\.woff2$/, "")
          return `url(${add(assetFile(base, "woff2", readFileSync(file))).name})`
        })
    })
    return { family: font.family, css: css.join("\n") }
  }
  const math = add(
    assetFile(
      "stix-two-math",
      "woff2",
      readFileSync(require.resolve("@fontsource/stix-two-math/files/stix-two-math-latin-400-normal.woff2"))
    )
  )
  return {
    style: add(
      assetFile("reader", "css", minifyCss(source("reader.css")).replace("stix-two-math.woff2", math.name))
    ),
    script: add(assetFile("reader", "js", minifyScript(source("reader.js")))),
    requests: add(assetFile("requests", "js", minifyScript(source("requests.js")))),
    consent: add(assetFile("consent", "js", minifyScript(source("consent.js")))),
    ask: add(assetFile("ask", "js", minifyScript(source("ask.js")))),
    font: (name) => {
      if (!fonts.has(name)) fonts.set(name, loadFont(name))
      return fonts.get(name)
    },
    file: (name) => files.get(name)
  }
}
