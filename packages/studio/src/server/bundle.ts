/** Reads the bundle of the application, which `npm run build` writes to `dist/assets`. */
import { readFileSync } from "node:fs"

/** The files of the bundle. */
export interface Manifest {
  /** The module that starts the application. */
  readonly script: string
  /** The modules that it imports, which browsers load at the same time. */
  readonly preload: ReadonlyArray<string>
  readonly styles: ReadonlyArray<string>
  /** All files, with a hash of their content in each name. */
  readonly files: ReadonlyArray<string>
}

/** From `dist/server` and from `src/server`. */
const folder = new URL("../../dist/assets/", import.meta.url)

/** Reads a file of the bundle. */
export const readAsset = (name: string): Uint8Array => readFileSync(new URL(name, folder))

/** Reads the manifest. Throws with the remedy if the application was not built. */
export const readManifest = (): Manifest => {
  try {
    return JSON.parse(new TextDecoder().decode(readAsset("manifest.json"))) as Manifest
  } catch (cause) {
    throw new Error("@lectern/studio is not built. Run `npm run build`.", { cause })
  }
}
