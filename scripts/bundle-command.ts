/**
 * Bundles the `lectern` command into `packages/http/dist/bundle`, from the compiled packages. The bundle has only the used parts of
 * its dependencies, without comments: it starts faster and takes less memory than 1,400 modules. Worker threads and assets
 * remain in their packages. `main.ts` runs the bundle unless a package was compiled after it.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "esbuild"

const packages = fileURLToPath(new URL("../packages", import.meta.url))
const outdir = join(packages, "http/dist/bundle")

/** Makes `import.meta.url` of the packages that of their own files, which assets and threads are relative to. */
const originalUrls: Plugin = {
  name: "original-urls",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]packages[/\\][a-z-]+[/\\]dist[/\\].*\.js$/ }, ({ path }) => {
      const code = readFileSync(path, "utf8")
      if (!code.includes("import.meta.url")) return undefined
      const original = JSON.stringify(relative(outdir, path).split(sep).join("/"))
      return {
        contents: code.replaceAll("import.meta.url", `new URL(${original}, import.meta.url).href`),
        resolveDir: dirname(path),
        loader: "js"
      }
    })
  }
}

/**
 * Makes `node:http` a CommonJS module. The import of a module of Node reads all of its exports, and three of `node:http` load the
 * HTTP client of `fetch`, which takes 10 MB.
 */
const lazyHttp: Plugin = {
  name: "lazy-http",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(node:)?http$/ }, ({ kind }) =>
      kind === "require-call"
        ? { path: "node:http", external: true }
        : { path: "node:http", namespace: "builtin" }
    )
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`
    }))
  }
}

/**
 * Escapes the characters outside of ASCII, which remain in regular expressions only. V8 stores the source of a module with two
 * bytes per character otherwise.
 */
const escapeUnicode = (code: string): string =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

rmSync(outdir, { recursive: true, force: true })
const { outputFiles } = await build({
  entryPoints: { lectern: join(packages, "http/dist/cli/lectern.js") },
  outdir,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22.19",
  // Identifiers remain, so that stack traces are readable.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  write: false,
  logLevel: "warning",
  // CommonJS modules in the bundle call `require` for modules of Node.
  banner: {
    js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);'
  },
  // Optional packages of dependencies, which are not installed.
  external: ["pg-native", "@electric-sql/pglite"],
  plugins: [originalUrls, lazyHttp]
})
mkdirSync(outdir, { recursive: true })
for (const { path, text } of outputFiles) writeFileSync(path, escapeUnicode(text))
const bytes = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0)
console.log(`Bundled the command: ${outputFiles.length} files, ${(bytes / 1024 / 1024).toFixed(1)} MiB.`)
