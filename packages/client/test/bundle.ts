/** Bundles the client as a web application does: one minified module with all dependencies. */
import { fileURLToPath } from "node:url"
import { build } from "esbuild"

/** Packages of the server. None may be a direct or transitive dependency of the client. */
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
  /** The minified module. */
  readonly code: string
  /** The packages whose code is in the bundle. */
  readonly packages: ReadonlySet<string>
}

/** Returns the package of a module, from its path in the repository. */
const packageOf = (path: string): string =>
  /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ??
  path.replace(/.*packages\/([^/]+)\/.*/, "@lectern/$1")

/**
 * Bundles the client for browsers. Rejects if it imports a module of Node. With the condition `@lectern/source`,
 * the bundle is built from the sources, otherwise from the published files in `dist`.
 */
export const bundleClient = async (
  conditions: ReadonlyArray<string> = [],
  entry: "@lectern/client" | "@lectern/client/fetch" = "@lectern/client"
): Promise<Bundle> => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `export { createClient } from "${entry}"`,
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
