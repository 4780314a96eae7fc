/**
 * Generates the reference pages of the documentation, `docs/reference`, from the sources: the command, settings, errors,
 * the OpenAPI document and doc comments; and the blocks of code in guides that are files of `examples`.
 *
 * Run `npm run reference`. With `--check`, it fails if a page is stale.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { generateCommands } from "./reference/commands.ts"
import { generateErrors } from "./reference/errors.ts"
import { generateExampleBlocks } from "./reference/exampleFiles.ts"
import { generateOperations } from "./reference/operations.ts"
import { generateSettings } from "./reference/settings.ts"
import { generateTypeScript } from "./reference/typescript.ts"

const pages = [
  await generateCommands(),
  generateSettings(),
  generateErrors(),
  generateOperations(),
  ...generateTypeScript(),
  ...generateExampleBlocks()
]

const stale = pages.filter(
  ({ path, markdown }) => !existsSync(path) || readFileSync(path, "utf8") !== markdown
)
if (process.argv.includes("--check")) {
  for (const { path } of stale) console.error(`${path} is stale. Run \`npm run reference\`.`)
  if (stale.length > 0) process.exitCode = 1
} else {
  for (const { path, markdown } of stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, markdown)
  }
  console.log(`${pages.length} pages, of which ${stale.length} have changed`)
}
