/** Finds the bundle of the command, which `scripts/bundle-command.ts` writes. It starts faster than the modules. */
import { readdirSync, statSync } from "node:fs"

/** The folder of the packages of Lectern: in the repository, and in `node_modules/@lectern`. */
const packages = new URL("../../../", import.meta.url)

const bundle = new URL("../bundle/lectern.js", import.meta.url)

const modifiedAt = (url: URL): number | undefined => statSync(url, { throwIfNoEntry: false })?.mtimeMs

/** Returns the URL of the bundle, or `undefined` if it does not exist or a package was compiled after it. */
export const currentBundle = (): string | undefined => {
  const bundledAt = modifiedAt(bundle)
  if (bundledAt === undefined) return undefined
  const isOutdated = readdirSync(packages).some((name) => {
    const compiledAt = modifiedAt(new URL(`${name}/dist/.tsbuildinfo`, packages))
    return compiledAt !== undefined && compiledAt > bundledAt
  })
  return isOutdated ? undefined : bundle.href
}
