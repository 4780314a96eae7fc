/**
 * Checks that the bundle of the application in the browser uses no API that a supported browser lacks: its own code and its libraries,
 * with the data of MDN. Syntax is what esbuild writes for the same browsers. Run `npm run build` before.
 */
import { join } from "node:path"
import { ESLint } from "eslint"
import compat from "eslint-plugin-compat"
import { packagesFolder } from "./bundleOptions.ts"
import { supportedBrowsers } from "./studio/supportedBrowsers.ts"

/** The uses of APIs that a supported browser lacks, with the reason for which they are permitted. */
const permitted: Readonly<Record<string, string>> = {
  Highlight: "Comments mark their quotes, if the browser can.",
  "navigator.connection()": "React chooses images by it, if the browser has it.",
  "navigator.userAgentData()": "React Aria falls back to `navigator.platform`.",
  requestIdleCallback: "The editor loads the conversion of pasted text in advance, otherwise after a time.",
  trustedTypes: "The editor creates a policy, if the browser has them."
}

const eslint = new ESLint({
  overrideConfigFile: true,
  allowInlineConfig: false,
  overrideConfig: [
    {
      files: ["**/*.js"],
      plugins: { compat },
      rules: { "compat/compat": "error" },
      languageOptions: { ecmaVersion: "latest", sourceType: "module" },
      settings: {
        browsers: Object.entries(supportedBrowsers).map(([name, version]) => `${name} >= ${version}`)
      }
    }
  ]
})

const results = await eslint.lintFiles([join(packagesFolder, "studio/dist/assets/*.js")])
const found = new Set(results.flatMap(({ messages }) => messages.map(({ message }) => message)))
const isPermitted = (message: string): boolean =>
  Object.keys(permitted).some((use) => message.startsWith(`${use} `))
const unsupported = [...found].filter((message) => !isPermitted(message))
for (const message of unsupported) console.error(message)
if (results.length === 0) console.error("There is no bundle: run `npm run build`.")
console.log(
  `Checked ${results.length} modules of the application for ${Object.keys(supportedBrowsers).join(", ")}.`
)
process.exit(unsupported.length > 0 || results.length === 0 ? 1 : 0)
