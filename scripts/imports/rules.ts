/** The permitted imports of packages, layers and files. */

/** The packages that each package may import. */
export const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  model: [],
  markdown: ["model"],
  kernel: ["model", "markdown"],
  formats: ["model", "markdown", "kernel"],
  content: ["model", "markdown", "kernel", "formats"],
  access: ["model", "markdown", "kernel"],
  core: ["model", "markdown", "kernel", "formats", "content", "access"],
  client: ["model"],
  editor: ["model", "markdown", "client"],
  converters: ["model", "formats"],
  reader: ["core", "model", "markdown", "formats"],
  "storage-sql": ["kernel"],
  "storage-sqlite": ["kernel", "storage-sql"],
  "storage-pg": ["kernel", "storage-sql"],
  studio: ["client", "editor", "markdown"],
  answers: ["core", "model", "markdown"],
  http: ["core", "model", "client", "answers"],
  lectern: ["model", "formats", "core", "answers", "http", "storage-sql", "storage-sqlite", "storage-pg"],
  testkit: ["core", "model", "markdown"],
  harness: [
    "model",
    "markdown",
    "kernel",
    "formats",
    "content",
    "core",
    "storage-sql",
    "storage-sqlite",
    "storage-pg",
    "client",
    "reader",
    "http",
    "converters",
    "testkit"
  ]
}

/** The layers of the kernel and of core, lowest first. `access`, which is between them, is a package. */
export const layers: Readonly<Record<string, ReadonlyArray<string>>> = {
  kernel: ["kernel", "tables", "entry points"],
  core: ["views", "features", "workspace", "entry points"]
}

/**
 * Returns the layer of a file, by its path below `src`; undefined in a package without layers. A folder of core is a layer, and files
 * outside of folders are its entry points.
 */
export const layerOf = (name: string, source: string): number | undefined => {
  const folder = source.includes("/") ? source.split("/")[0]! : "entry points"
  if (name === "core") return layers.core!.indexOf(folder)
  if (name !== "kernel") return undefined
  return layers.kernel!.indexOf(
    /^(tables\/)?index\.ts$/.test(source) ? "entry points" : folder === "tables" ? "tables" : "kernel"
  )
}

/** The packages that use the platform through services. */
export const usesServices: ReadonlyArray<string> = ["kernel", "formats", "content", "access", "core"]

/** Modules that a package must not import, even if its dependencies include them. */
export const forbiddenModules: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  model: [/^node:/, /^effect\/(sql|cli|socket|process)/, /^@effect\//],
  markdown: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  kernel: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  formats: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  content: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  access: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  core: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  client: [/^node:/, /^effect\/(sql|cli|socket|process)/, /^@effect\//],
  studio: [/^effect/, /^@lectern\/client$/]
}

/** Modules that reach protected rows, how other packages import them, and the files that may. */
export const guardedModules = [
  {
    module: "packages/kernel/src/storage/scopedRecords.ts",
    specifier: "@lectern/kernel/scopedRecords",
    importers: /^packages\/(kernel\/src\/storage|access\/src)\//
  },
  {
    module: "packages/access/src/grants/issueGrant.ts",
    specifier: undefined,
    importers: /^packages\/access\/src\//
  }
]

/** The files that reach rows by `Records` and by grants only. */
export const withoutAdapter = /^packages\/(kernel\/src\/tables|content\/src|core\/src\/(views|features))\//

/** The modules that export the adapter, of which these files import no namespace. */
export const adapterModules: ReadonlyArray<string> = [
  "@lectern/kernel",
  "packages/kernel/src/index.ts",
  "packages/kernel/src/storage/index.ts",
  "packages/kernel/src/storage/RecordsAdapter.ts"
]

/** Text that a source file must not contain, and what to use instead. */
export const forbiddenText = [
  { pattern: /\bDate\.now\(/, instead: "Clock" },
  { pattern: /\bMath\.random\(/, instead: "SecureRandom or Random" },
  { pattern: /\bas any\b/, instead: "a type" },
  { pattern: /\bas never\b/, instead: "the type of the value, which `as` can compare" },
  // Only one store defers these verbs. A name such as `updateUncounted` is true on every store.
  {
    pattern: /\b(?:find|insert|insertMissing|update|remove)Later\b/,
    instead: "a name that is true on every store"
  },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, instead: "a type" }
]

/** The maximum number of lines of a source file. */
export const maximumLines = 400

/** The maximum number of lines of the source files of a package, without generated files. */
export const maximumPackageLines = (name: string): number => (name === "core" ? 55_000 : 40_000)

/** The cycles of imports between folders that exist outside of core. Without their imports of types, only that of markdown is one. */
export const knownCycles: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  http: [
    // The list of routes imports the routes of sign-in, which have the type of a route.
    ["oidc", "passkeys", "programs", "saml", "server/routes", "signIn"],
    // Limits wrap the dispatcher, and are options of the server.
    ["server", "server/limits"]
  ],
  // HTML is a part of Markdown: each contains the other.
  markdown: [["document", "document/html"]],
  // The policy names the permissions of resources, whose schemas contain roles.
  model: [["collections", "organizations", "roles", "spaces"]],
  reader: [
    // A page contains documents, which contain words in the language of the page.
    ["document", "page", "page/locales"],
    // The loader of content loads the spaces that a site describes.
    ["site", "source"]
  ],
  // A dialect writes statements, which it is a parameter of.
  "storage-sql": [["Dialect.ts", "Statement.ts", "classify.ts", "locking.ts"]],
  // `exports.ts` contains the operations on exports.
  harness: [["operations", "operations/exports.ts"]]
}
