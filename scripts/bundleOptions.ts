/** The options of esbuild that bundle programs of the packages: the `lectern` command, and programs that tests start. */
import { readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { BuildOptions, Plugin } from "esbuild"

/** The folder of the packages. */
export const packagesFolder = fileURLToPath(new URL("../packages", import.meta.url))

/** The package of a file in `packages`, and the path of the file in it. */
const ownerOf = (path: string): { readonly folder: string; readonly file: string } => {
  const [folder = "", ...rest] = relative(packagesFolder, path).split(sep)
  return { folder, file: rest.join("/") }
}

/** Returns an expression for the URL of a file: relative to the bundle in its own package, resolved by name in others. */
const urlOf = (path: string, outdir: string): string => {
  const { folder, file } = ownerOf(path)
  if (folder === ownerOf(outdir).folder) {
    return `new URL(${JSON.stringify(relative(outdir, path).split(sep).join("/"))}, import.meta.url).href`
  }
  const { name } = JSON.parse(readFileSync(join(packagesFolder, folder, "package.json"), "utf8")) as {
    readonly name: string
  }
  const resolved = `import.meta.resolve(${JSON.stringify(`${name}/package.json`)})`
  return `new URL(${JSON.stringify(file)}, ${resolved}).href`
}

/** Makes `import.meta.url` of the packages that of their own files, which assets and threads are relative to. */
const originalUrls = (outdir: string): Plugin => ({
  name: "original-urls",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]packages[/\\][a-z-]+[/\\](?:dist|src)[/\\].*\.[jt]s$/ }, ({ path }) => {
      const code = readFileSync(path, "utf8")
      if (!code.includes("import.meta.url")) return undefined
      return {
        contents: code.replaceAll("import.meta.url", urlOf(path, outdir)),
        resolveDir: dirname(path),
        loader: path.endsWith(".ts") ? "ts" : "js"
      }
    })
  }
})

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

/** Returns the options that bundle programs into the folder `outdir`. The caller adds the entry points. */
export const bundleOptions = (outdir: string) =>
  ({
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
    logLevel: "warning",
    // CommonJS modules in the bundle call `require` for modules of Node.
    banner: {
      js: 'import { createRequire as createRequireOfBundle } from "node:module"; const require = createRequireOfBundle(import.meta.url);'
    },
    // Optional packages of dependencies, which are not installed; and a package that depends on the names of its classes, which a bundle changes.
    external: ["pg-native", "@electric-sql/pglite", "oidc-provider"],
    plugins: [originalUrls(outdir), lazyHttp]
  }) satisfies BuildOptions
