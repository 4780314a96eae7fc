/** The staged modules of a package, and the options of esbuild that write them. */
import { sep } from "node:path"
import type { BuildOptions, Metafile } from "esbuild"

/** The modules to stage. */
export interface BundleRequest {
  /** The folder of the package. */
  readonly folder: string
  /** The modules that remain importable, relative to `dist`. */
  readonly entryPoints: ReadonlyArray<string>
  /** The dependencies and the peers of the package, and whether their code is in the staged modules. */
  readonly dependencies: ReadonlyMap<string, boolean>
}

/** The staged modules. */
export interface Bundle {
  /** The text of each module by its path in `dist`. */
  readonly modules: ReadonlyMap<string, string>
  /** The folders of the packages whose code the modules contain. */
  readonly packages: ReadonlySet<string>
  /** The names of the copied dependencies that a module imports, as `#` with the name. */
  readonly copied: ReadonlySet<string>
}

/** The options of all modules. Identifiers remain, so that stack traces are readable. */
export const minification = {
  target: "es2024",
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none"
} as const satisfies BuildOptions

/** The options of all bundles. */
export const bundling = {
  ...minification,
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  format: "esm",
  logLevel: "warning"
} as const satisfies BuildOptions

/** Returns a path with slashes, on every platform. */
export const toPosix = (path: string): string => path.split(sep).join("/")

/** Returns the folders of the packages in `node_modules` whose code is in outputs of esbuild. */
export const packagesIn = ({ outputs }: Metafile): ReadonlySet<string> =>
  new Set(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => {
        const folder = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(toPosix(path))?.[1]
        return bytesInOutput === 0 || folder === undefined ? [] : [folder]
      })
    )
  )
