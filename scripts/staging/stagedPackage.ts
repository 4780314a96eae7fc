/** How each package is staged: the differences from the default, which bundles its entry points for Node. */

/** The staging of one package. */
export interface Staging {
  /** Programs of worker threads, which are opened by their URL, relative to `dist` and without extension. */
  readonly threads?: ReadonlyArray<string>
  /** Folders of `dist` that a build wrote, and that are copied. */
  readonly copied?: ReadonlyArray<string>
  /**
   * Whether modules remain separate files. Bundlers of browsers omit unused modules of these packages, which they could not omit from
   * a bundle.
   */
  readonly hasModules?: boolean
}

/** The staging of the packages that differ from the default. */
export const stagings: Readonly<Record<string, Staging>> = {
  client: { hasModules: true },
  converters: { threads: ["thread"] },
  editor: { hasModules: true },
  http: { threads: ["saml/responseThread"], copied: ["help"] },
  lectern: { threads: ["cli/main"] },
  markdown: { hasModules: true },
  model: { hasModules: true },
  reader: { threads: ["highlight/thread"] },
  studio: { copied: ["assets"] }
}

/** Files of a dependency that loads them by their paths, so that they are copied instead of bundled. The first one is its entry point. */
export const copiedDependencies: Readonly<Record<string, ReadonlyArray<string>>> = {
  mathjax: ["es5/node-main.js", "es5/input/tex-full.js", "es5/output/svg.js", "es5/output/svg/fonts/tex.js"]
}
