/** The check for unused files, exports and dependencies: `npm run check:unused`. */
import { readFileSync } from "node:fs"

/** The tools of tests and checks, which no package lists: `npm run tools` installs them. */
const { dependencies } = JSON.parse(readFileSync("testing/package.json", "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>
}

export default {
  ignoreExportsUsedInFile: true,
  ignoreBinaries: [
    "openssl",
    "biome",
    "cspell",
    "knip",
    "vitest",
    "openssl",
    "mount",
    "umount",
    "runuser",
    "setpriv",
    "du",
    "java"
  ],
  ignoreDependencies: [
    ...Object.keys(dependencies),
    "vite",
    // The testkit depends on it, and so every test has it.
    "fast-check",
    // Loaded by a name that is computed, or by an optional peer.
    "@iconify-json/fa6-brands",
    "@iconify-json/fa6-regular",
    "@iconify-json/fa6-solid",
    "@fontsource-variable/inter",
    "@fontsource/ibm-plex-mono",
    "@fontsource/stix-two-math"
  ],
  workspaces: {
    ".": {
      // Packages depend on them: tests use the same version.
      ignoreDependencies: [
        "react",
        "react-dom",
        "fractional-indexing",
        "minisearch",
        "mdast-util-from-markdown",
        "mdast-util-gfm",
        "micromark-extension-gfm"
      ],
      entry: [
        "scripts/*.ts",
        "scripts/hovers/{calls,mistakes}.ts",
        "benchmarks/soak/{main,processSampler}.ts",
        "benchmarks/{main,startup,baseline,builder,dispatcher,content,documents,comments,sites,specs,search,relevance,links,imports,bytes,unlockedServer}.ts",
        "testing/*.ts",
        "examples/*.ts",
        "examples/feature/*.ts"
      ],
      project: [
        "scripts/**/*.ts",
        "benchmarks/**/*.ts",
        "testing/*.ts",
        "examples/*.ts",
        "examples/feature/*.ts"
      ]
    },
    "packages/*": {
      entry: ["src/index.ts", "test/**/*.test.ts", "test/support/*Process.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/markdown": {
      entry: ["src/index.ts", "test/**/*.test.ts", "test/support/*Process.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"],
      ignoreDependencies: ["ajv"]
    },
    "packages/http": {
      // Packages depend on them: tests use the same version. Declarations have types of `@lectern/access`.
      ignoreDependencies: [
        "@lectern/access",
        "fflate",
        "jose",
        "xml-crypto",
        "oidc-provider",
        "@node-saml/node-saml"
      ],
      entry: [
        "test/generators/record.ts",
        "src/{index,server,smtp}.ts",
        "test/**/*.test.ts",
        "test/support/*Process.ts"
      ],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/lectern": {
      // Packages depend on them: tests use the same version.
      ignoreDependencies: ["@lectern/harness"],
      entry: ["src/cli/main.ts"],
      project: ["src/**/*.ts"]
    },
    "packages/kernel": {
      entry: ["test/**/*.test.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/content": {
      entry: ["src/index.ts"],
      project: ["src/**/*.ts"]
    },
    "packages/access": {
      entry: ["src/index.ts"],
      project: ["src/**/*.ts"]
    },
    "packages/formats": {
      entry: ["test/**/*.test.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/answers": {
      entry: ["src/index.ts", "test/**/*.test.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/core": {
      entry: ["src/index.ts", "test/**/*.test.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/client": {
      entry: ["src/index.ts", "src/fetch/index.ts", "test/**/*.test.ts", "test/fetch/sameTypes.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/converters": {
      entry: [
        "src/index.ts",
        "src/thread.ts",
        "src/{imports,pdf,pool}/index.ts",
        "test/**/*.test.ts",
        "test/support/*Program.ts"
      ],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/reader": {
      entry: [
        "src/index.ts",
        "src/highlight/thread.ts",
        "assets/ask.js",
        "assets/consent.js",
        "assets/reader.js",
        "assets/requests.js",
        "assets/staticSearch.js",
        "test/**/*.test.ts"
      ],
      project: ["src/**/*.ts", "assets/*.js", "test/**/*.ts"]
    },
    "packages/editor": {
      entry: [
        "src/{index,element,backend,convert,api,apiTree}.ts",
        "test/**/*.test.ts",
        "test/support/{hostPage,speedPage}.ts"
      ],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    "packages/studio": {
      entry: [
        "src/main.tsx",
        "src/document/apiWorker.ts",
        "src/strings/{catalogs,strings}.ts",
        "test/**/*.test.ts"
      ],
      project: ["src/**/*.{ts,tsx}", "test/**/*.ts"]
    },
    "packages/testkit": {
      // Packages depend on them: tests use the same version.
      ignoreDependencies: ["@effect/sql-pg", "ajv"],
      entry: ["src/{index,arbitraries}.ts", "src/{conformance,contract}/index.ts", "test/**/*.test.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    },
    harness: {
      entry: ["test/**/*.{test,canary}.ts"],
      project: ["src/**/*.ts", "test/**/*.ts"]
    }
  }
}
