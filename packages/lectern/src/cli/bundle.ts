/** Finds the bundle of the command, which `scripts/bundle-command.ts` writes. It starts faster than the modules. */
import { readdirSync, statSync } from "node:fs"

/** The folder that has this package: `packages` in the repository, and otherwise `node_modules`. */
const packages = new URL("../../../", import.meta.url)

const bundle = new URL("../bundle/lectern.js", import.meta.url)

const modifiedAt = (url: URL): number | undefined => statSync(url, { throwIfNoEntry: false })?.mtimeMs

/** Returns the URL of the bundle, or `undefined` if it does not exist or a package of the repository was compiled after it. */
export const currentBundle = (): string | undefined => {
  const bundledAt = modifiedAt(bundle)
  if (bundledAt === undefined) return undefined
  if (packages.pathname.endsWith("/node_modules/")) return bundle.href
  const isOutdated = readdirSync(packages).some((name) => {
    const compiledAt = modifiedAt(new URL(`${name}/dist/.tsbuildinfo`, packages))
    return compiledAt !== undefined && compiledAt > bundledAt
  })
  return isOutdated ? undefined : bundle.href
}
