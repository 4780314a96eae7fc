/** Which dependencies of the packages npm installs, and which are in their bundles. */

/** The dependencies that remain dependencies, by reason. `*` ends a prefix. All others are bundled. */
const installed: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Hosts and other packages use the same instance": [
    "@lectern/*",
    "lectern",
    "effect",
    "fast-check",
    "prosemirror-*",
    "yaml"
  ],
  "Security: hosts update it without a release of Lectern, and their audits list it": [
    "@noble/hashes",
    "@node-saml/node-saml",
    "@simplewebauthn/server",
    "ipaddr.js",
    "jose",
    "nodemailer",
    "oidc-provider",
    "openid-client"
  ],
  "It connects to databases and to the platform": ["@effect/*"],
  "Its types are in public declarations": ["@types/*"],
  "It is read as files: fonts, icons, WebAssembly and a script for browsers": [
    "@cwasm/webp",
    "@fontsource-variable/*",
    "@fontsource/*",
    "@iconify-json/*",
    "@resvg/resvg-wasm",
    "minisearch"
  ]
}

const patterns = Object.values(installed).flat()

/** Returns whether npm installs a dependency, because it is not in the bundle of the package that depends on it. */
export const isInstalled = (name: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern
  )

/** Returns the name of the package that a module specifier such as `@scope/name/file` names. */
export const packageOf = (specifier: string): string =>
  specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")
