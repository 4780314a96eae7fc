/** The blocks of code in guides that are files of `examples`, which tests run. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = "docs/guides"

/** A block whose title is a file, up to its end. */
const titled = /(\{% code title="(examples\/[^"]+)" %\}\n```ts\n)[\s\S]*?(```\n\{% endcode %\})/g

/** The files whose complete text is in a guide. */
export const filesInGuides = (markdown: string): ReadonlyArray<string> =>
  [...markdown.matchAll(titled)].map(([, , file]) => file!)

/** Returns the guides with the current text of these files. */
export const generateExampleBlocks = (): ReadonlyArray<{
  readonly path: string
  readonly markdown: string
}> =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .map((path) => ({ path, markdown: readFileSync(path, "utf8") }))
    .filter(({ markdown }) => filesInGuides(markdown).length > 0)
    .map(({ path, markdown }) => ({
      path,
      markdown: markdown.replaceAll(
        titled,
        (_, start: string, file: string, end: string) => start + readFileSync(file, "utf8") + end
      )
    }))
