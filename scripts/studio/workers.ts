/** Bundles the workers of the application, each as one file. */
import { basename, dirname, join, resolve } from "node:path"
import { type BuildOptions, build, type Plugin } from "esbuild"

const reference = /new URL\("(\.\/\w+Worker)\.ts", import\.meta\.url\)/g

const namespace = "worker"

/** Replaces the URLs of workers in a module by the URLs of their bundles: `new URL("./someWorker.ts", import.meta.url)` becomes the URL of the bundle. */
export const referToWorkers = (path: string, code: string): string => {
  const names = Array.from(code.matchAll(reference), ([, name = ""]) => name)
  if (names.length === 0) return code
  const imports = names.map((name, index) => {
    const target = JSON.stringify(`${namespace}:${resolve(dirname(path), name)}.js`)
    return `import worker${index} from ${target}`
  })
  let index = 0
  const replaced = code.replaceAll(reference, () => `new URL(worker${index++}, import.meta.url)`)
  return `${imports.join("\n")}\n${replaced}`
}

/** Bundles the workers that modules refer to, with the options of the application. */
export const bundleWorkers = (options: BuildOptions): Plugin => ({
  name: "workers",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^worker:/ }, ({ path }) => ({ path: path.slice(namespace.length + 1), namespace }))
    onLoad({ filter: /.*/, namespace }, async ({ path }) => {
      const source = join(dirname(path), `${basename(path, ".js")}.ts`)
      const { outputFiles, metafile } = await build({
        ...options,
        // Some libraries have another module for browsers, which uses the document of the page.
        conditions: [...(options.conditions ?? []), "worker"],
        entryPoints: [source],
        outdir: dirname(path),
        entryNames: "[name]",
        splitting: false,
        write: false,
        metafile: true
      })
      const watchFiles = Object.keys(metafile!.inputs).map((input) => resolve(input))
      return { contents: outputFiles![0]!.contents, loader: "file", watchFiles }
    })
  }
})
