/**
 * Builds the book with each installed generator of documentation, and records the pages in \`recorded\`.
 *
 * The generators are not dependencies: they are large, and build a website in up to a minute. Install them from Debian
 * (\`python3-sphinx\`, \`python3-sphinx-rtd-theme\`, \`furo\`, \`mkdocs\`, \`mkdocs-material\`, \`docbook-xsl\`, \`docbook-xml\`,
 * \`xsltproc\`) and from npm, in the folders \`vitepress\`, \`docusaurus\`, \`honkit\` and \`typedoc\` of a folder, which is the argument:
 *
 *     node packages/http/test/generators/record.ts /tmp/generators sphinx-furo
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import {
  docbookSources,
  docusaurusSources,
  type Files,
  honkitSources,
  mkdocsSources,
  sphinxSources,
  typedocSources,
  vitepressSources
} from "./sources.ts"

const [folder = "/tmp/generators", ...selected] = process.argv.slice(2)

const run = (cwd: string, command: string, ...parameters: ReadonlyArray<string>): void => {
  execFileSync(command, parameters, { cwd, stdio: ["ignore", "ignore", "inherit"] })
}

/** A generator: its sources, and its command, which writes to the folder that it returns. */
interface Generator {
  readonly sources: () => Files
  readonly build: (source: string) => string
  /** The package that is installed in the folder of generators, in whose folder the sources are. */
  readonly npmPackage?: string
  /** The encoding of its pages, which are recorded as UTF-8. */
  readonly encoding?: "latin1"
  /** The files besides pages that the generator writes the navigation to. */
  readonly data?: string
}

const sphinx = (theme: Parameters<typeof sphinxSources>[0]): Generator => ({
  sources: () => sphinxSources(theme),
  build: (source) => {
    run(source, "sphinx-build", "-q", "-b", "html", ".", "_site")
    return "_site"
  }
})

const mkdocs = (theme: Parameters<typeof mkdocsSources>[0]): Generator => ({
  sources: () => mkdocsSources(theme),
  build: (source) => {
    run(source, "mkdocs", "build", "--quiet")
    return "site"
  }
})

const npx = (source: string, ...parameters: ReadonlyArray<string>): void =>
  run(source, "npx", "--no-install", ...parameters)

const generators: Readonly<Record<string, Generator>> = {
  "sphinx-alabaster": sphinx("alabaster"),
  "sphinx-classic": sphinx("classic"),
  "sphinx-rtd": sphinx("sphinx_rtd_theme"),
  "sphinx-furo": sphinx("furo"),
  mkdocs: mkdocs("mkdocs"),
  "mkdocs-readthedocs": mkdocs("readthedocs"),
  "mkdocs-material": mkdocs("material"),
  docbook: {
    encoding: "latin1",
    sources: docbookSources,
    build: (source) => {
      run(
        source,
        "xsltproc",
        "--stringparam",
        "base.dir",
        "site/",
        "--stringparam",
        "use.id.as.filename",
        "1",
        "--stringparam",
        "chunk.section.depth",
        "3",
        "--stringparam",
        "chunk.first.sections",
        "1",
        "/usr/share/xml/docbook/stylesheet/docbook-xsl/html/chunk.xsl",
        "book.xml"
      )
      return "site"
    }
  },
  vitepress: {
    npmPackage: "vitepress",
    sources: vitepressSources,
    build: (source) => {
      npx(source, "vitepress", "build", ".")
      return ".vitepress/dist"
    }
  },
  docusaurus: {
    npmPackage: "docusaurus",
    sources: docusaurusSources,
    build: (source) => {
      npx(source, "docusaurus", "build")
      return "build"
    }
  },
  honkit: {
    npmPackage: "honkit",
    sources: honkitSources,
    build: (source) => {
      npx(source, "honkit", "build", ".", "_book")
      return "_book"
    }
  },
  typedoc: {
    npmPackage: "typedoc",
    data: "assets/navigation.js",
    sources: typedocSources,
    build: (source) => {
      npx(
        source,
        "typedoc",
        "--entryPoints",
        "src/server.ts",
        "src/client.ts",
        "--out",
        "site",
        "--disableSources",
        "--name",
        "Acme library"
      )
      return "site"
    }
  }
}

for (const [name, { sources, build, npmPackage, data, encoding = "utf8" }] of Object.entries(generators)) {
  if (selected.length > 0 && !selected.includes(name)) continue
  const source = join(folder, npmPackage ?? "", `book-${name}`)
  rmSync(source, { recursive: true, force: true })
  for (const [path, text] of Object.entries(sources())) {
    mkdirSync(dirname(join(source, path)), { recursive: true })
    writeFileSync(join(source, path), text)
  }
  const site = join(source, build(source))
  const paths = (readdirSync(site, { recursive: true }) as ReadonlyArray<string>)
    .filter((path) => path.endsWith(".html") || path === data)
    .sort()
  // Scripts and styles are not read by imports.
  const files = Object.fromEntries(
    paths.map((path) => [
      path,
      readFileSync(join(site, path), encoding).replaceAll(
        /(<(script|style)\b[^>]*>)[\s\S]*?(<\/\2>)/g,
        "$1$3"
      )
    ])
  )
  const recorded = gzipSync(JSON.stringify(files, undefined, 1), { level: 9 })
  mkdirSync(join(import.meta.dirname, "recorded"), { recursive: true })
  writeFileSync(join(import.meta.dirname, "recorded", `${name}.json.gz`), recorded)
  console.log(`${name}: ${paths.length} files, ${recorded.length} bytes`)
}
