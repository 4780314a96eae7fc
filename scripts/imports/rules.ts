/** The permitted imports of packages, layers and files. */

/** The packages that each package may import. */
export const mayImport: Readonly<Record<string, ReadonlyArray<string>>> = {
  model: [],
  markdown: ["model"],
  core: ["model", "markdown"],
  client: ["model"],
  editor: ["model", "markdown", "client"],
  converters: ["core"],
  reader: ["core", "model"],
  "storage-sql": ["core"],
  "storage-sqlite": ["core", "storage-sql"],
  "storage-pg": ["core", "storage-sql"],
  studio: ["client", "editor", "markdown"],
  http: ["core", "model", "client"],
  lectern: ["core", "http", "storage-sql", "storage-sqlite", "storage-pg"],
  testkit: ["core", "model"],
  harness: [
    "model",
    "markdown",
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

/** The layers of core, lowest first. */
export const layers = ["kernel", "tables", "access", "views", "features", "workspace", "entry points"]

/** Returns the layer of a file of core: its top folder. Files outside of folders are the entry points. */
export const layerOf = (source: string): number =>
  layers.indexOf(source.includes("/") ? source.split("/")[0]! : "entry points")

/** Modules that a package must not import, even if its dependencies include them. */
export const forbiddenModules: Readonly<Record<string, ReadonlyArray<RegExp>>> = {
  model: [/^node:/, /^effect\/(sql|cli|socket|process)/, /^@effect\//],
  markdown: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  core: [/^node:/, /^effect\/(http|http-api|sql|cli|socket|process)/, /^@effect\//],
  client: [/^node:/, /^effect\/(sql|cli|socket|process)/, /^@effect\//],
  studio: [/^effect/, /^@lectern\/client$/]
}

/** Modules of core that reach protected rows, and the files that may import them. */
export const guardedModules = [
  { module: "kernel/storage/scopedRecords.ts", importers: /^(kernel\/storage|access)\// },
  { module: "access/grants/issueGrant.ts", importers: /^access\// }
]

/** The layers of core that reach rows by `Records` and by grants only. */
export const withoutAdapter: ReadonlyArray<string> = ["tables", "views", "features"]

/** Text that a source file must not contain, and what to use instead. */
export const forbiddenText = [
  { pattern: /\bDate\.now\(/, instead: "Clock" },
  { pattern: /\bMath\.random\(/, instead: "SecureRandom or Random" },
  { pattern: /\bas any\b/, instead: "a type" },
  { pattern: /@ts-(ignore|expect-error|nocheck)/, instead: "a type" }
]

/** The maximum number of lines of a source file. */
export const maximumLines = 400

/** The cycles of imports between folders that exist outside of core. Without their imports of types, only that of markdown is one. */
export const knownCycles: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  http: [
    // The list of routes imports the routes of sign-in, which have the type of a route.
    ["oidc", "passkeys", "saml", "server/routes", "signIn"],
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
