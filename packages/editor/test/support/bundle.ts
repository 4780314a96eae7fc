/** Bundles the editor for a browser, as a host would. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Metafile } from "esbuild"

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** A bundle in a folder. */
export interface Bundle {
  readonly folder: string
  readonly metafile: Metafile
}

/** Bundles entry points of the folder of this file. Parts that are loaded later are files of their own. */
export const bundle = async (entries: ReadonlyArray<string>): Promise<Bundle> => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-editor-"))
  const { metafile } = await build({
    entryPoints: entries.map((entry) => pathOf(entry)),
    outdir: folder,
    entryNames: "[name]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    conditions: ["@lectern/source"],
    metafile: true,
    loader: { ".woff2": "file", ".woff": "file" },
    logLevel: "error"
  })
  return { folder, metafile }
}
