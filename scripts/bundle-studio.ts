/**
 * Bundles the application in the browser, `@lectern/studio`, into `packages/studio/dist/assets`: modules that are loaded when a
 * screen needs them, with a hash of their content in each name. With `--watch`, bundles again after each change; with
 * `--development`, errors and warnings of React have their whole text.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type BuildOptions, context, type Metafile, type Plugin } from "esbuild"
import { packagesFolder } from "./bundleOptions.ts"
import { addCatalogs, awaitStrings, referToCatalog } from "./studio/catalogs.ts"
import { makeDirectImports, onlyOurLocales } from "./studio/directImports.ts"
import { browserTargets } from "./studio/supportedBrowsers.ts"
import { bundleWorkers, referToWorkers } from "./studio/workers.ts"

const outdir = join(packagesFolder, "studio/dist/assets")

const sources = join(packagesFolder, "studio/src")

/** Prepares the sources of the application: its strings by language, and the modules of its libraries. */
const prepareSources: Plugin = {
  name: "prepare-sources",
  setup: (build) => {
    addCatalogs(build, sources)
    const importDirectly = makeDirectImports(build)
    build.onLoad({ filter: /[/\\]packages[/\\]studio[/\\]src[/\\].*\.tsx?$/ }, async ({ path }) => {
      const code = readFileSync(path, "utf8")
      const resolveDir = dirname(path)
      return {
        contents:
          referToCatalog(sources, path, code) ??
          (await importDirectly(awaitStrings(sources, referToWorkers(path, code)), resolveDir)),
        resolveDir,
        loader: path.endsWith(".tsx") ? "tsx" : "ts"
      }
    })
  }
}

/** Removes the fonts in WOFF from style sheets: every supported browser reads WOFF2. */
const onlyWoff2: Plugin = {
  name: "only-woff2",
  setup: (build) => {
    build.onLoad({ filter: /[/\\]@fontsource(?:-variable)?[/\\].*\.css$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(/,\s*url\([^)]*\.woff\)\s*format\([^)]*\)/g, ""),
      loader: "css"
    }))
  }
}

/** Returns the modules that a module imports statically, directly or through others. */
const staticImports = ({ outputs }: Metafile, entry: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  const visit = (path: string): void => {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind !== "import-statement" || found.has(imported)) continue
      found.add(imported)
      visit(imported)
    }
  }
  visit(entry)
  return [...found]
}

const writeManifest = (metafile: Metafile): void => {
  const outputs = Object.entries(metafile.outputs)
  const [entry, { cssBundle } = {}] = outputs.find(([, { entryPoint }]) => entryPoint?.endsWith("main.tsx"))!
  const manifest = {
    script: basename(entry),
    preload: staticImports(metafile, entry).map((path) => basename(path)),
    styles: cssBundle === undefined ? [] : [basename(cssBundle)],
    files: outputs.map(([path]) => basename(path)).filter((name) => !name.endsWith(".map"))
  }
  writeFileSync(join(outdir, "manifest.json"), JSON.stringify(manifest))
  for (const name of readdirSync(outdir)) {
    if (name !== "manifest.json" && !manifest.files.includes(name)) rmSync(join(outdir, name))
  }
}

const manifestPlugin: Plugin = {
  name: "manifest",
  setup: ({ onEnd }) => {
    onEnd(({ metafile, errors }) => {
      if (metafile === undefined || errors.length > 0) return
      writeManifest(metafile)
      const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0)
      console.log(
        `Bundled the application: ${Object.keys(metafile.outputs).length} files, ${(bytes / 1024).toFixed(0)} KiB.`
      )
    })
  }
}

const isDevelopment = process.argv.includes("--development")

const common: BuildOptions = {
  bundle: true,
  format: "esm",
  platform: "browser",
  target: browserTargets,
  conditions: ["@lectern/source"],
  jsx: "automatic",
  minify: !isDevelopment,
  legalComments: "none",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": isDevelopment ? '"development"' : '"production"' }
}

const options: BuildOptions = {
  ...common,
  entryPoints: [join(packagesFolder, "studio/src/main.tsx")],
  outdir,
  splitting: true,
  metafile: true,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  loader: { ".woff2": "file" },
  plugins: [bundleWorkers(common), prepareSources, onlyOurLocales, onlyWoff2, manifestPlugin]
}

mkdirSync(outdir, { recursive: true })
const bundle = await context(options)
if (process.argv.includes("--watch")) await bundle.watch()
else {
  await bundle.rebuild()
  await bundle.dispose()
}
