/** The client as a web application ships it: one minified module, with all that it depends on. */
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** Packages that only a server needs. None may be a dependency of the client, however indirect. */
export const serverPackages = [
  "@effect/platform-node",
  "@effect/platform-node-shared",
  "@lectern/http",
  "@lectern/storage-pg",
  "@lectern/storage-sql",
  "@lectern/storage-sqlite",
  "@node-saml/node-saml",
  "mammoth",
  "pdfkit",
  "pg"
]

/** A bundle of the client. */
export interface Bundle {
  readonly code: string
  /** The packages whose code is in the bundle. */
  readonly packages: ReadonlySet<string>
}

/** The package that a module belongs to, by its path in the repository. */
const packageOf = (path: string): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ??
  path.replace(/.*packages\/([^/]+)\/.*/, "@lectern/$1")

/**
 * Bundles the client for browsers. Rejects when a module of Node is reached. With the condition `@lectern/source` the
 * bundle is built from the sources of this repository, else from what is published.
 */
export const bundleClient = async (conditions: ReadonlyArray<string> = []): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { createClient } from "@lectern/client"`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url))
    },
    absWorkingDir: fileURLToPath(new URL("../../..", import.meta.url)),
    bundle: true,
    platform: "browser",
    format: "esm",
    minify: true,
    write: false,
    metafile: true,
    logLevel: "silent",
    conditions: [...conditions]
  })
  const [output] = Object.values(metafile.outputs)
  const paths = Object.keys(output!.inputs).filter((path) => path !== "<stdin>")
  return { code: outputFiles[0]!.text, packages: new Set(paths.map(packageOf)) }
}
