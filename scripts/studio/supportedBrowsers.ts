/** The oldest versions of browsers that the application supports. `packages/studio/README.md` names them. */
export const supportedBrowsers = { chrome: "125", edge: "125", firefox: "128", safari: "17.5" } as const

/** The targets of esbuild. */
export const browserTargets = Object.entries(supportedBrowsers).map(([name, version]) => `${name}${version}`)
