/** Sources of a repository around the size from which they are stored in chunks are read again by the next import. */

import { isFastRun, runs } from "@lectern/harness"
import { chunkSize } from "@lectern/kernel"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { memory } from "./stores.ts"
import { startImportWorkspace } from "./support/imports.ts"
import { comparable, type Files, repositoriesOf } from "./support/repositories.ts"

/** Markdown of a size, most of it a comment. */
const padded = (text: string, size: number): string => {
  const [start, end] = ["\n<!-- ", " -->\n"]
  const length = Math.max(0, size - text.length - start.length - end.length)
  return `${text}${start}${"padding ".repeat(Math.ceil(length / 8)).slice(0, length)}${end}`
}

const plain = {
  "SUMMARY.md": "# Table of contents\n\n* [Welcome](README.md)\n",
  "README.md": '# Welcome\n\n{% include ".gitbook/includes/note.md" %}\n',
  ".gitbook/includes/note.md": "# Note\n\nA note.\n",
  ".gitbook/vars.yaml": "a: b\n"
}

it.skipIf(isFastRun)(
  "imports and exports a source of any size repeatedly",
  { timeout: 300_000 },
  async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { importFiles, exportFiles, createSpace } = await repositoriesOf(opened)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(Object.keys(plain) as ReadonlyArray<keyof typeof plain>)),
        fc.integer({ min: 1, max: 2 }),
        fc.integer({ min: -2, max: 2 }),
        async (path, chunks, offset) => {
          const size = chunks * chunkSize + offset
          const content = path.endsWith(".md") ? padded(plain[path], size) : "#".repeat(size)
          const files: Files = { ...plain, [path]: content }
          expect(content).toHaveLength(size)
          const space = await createSpace()
          const first = await importFiles(files, space)
          const again = await importFiles({ ...files, "new.md": "# New\n" }, space)
          expect(again.totalResources).toBe(first.totalResources + 1)
          await importFiles(files, space)
          expect(comparable(await exportFiles(`/spaces/${space}/content`))[path]).toBe(
            comparable(files)[path]
          )
        }
      ),
      { ...runs(8), examples: [["SUMMARY.md", 1, 1]] }
    )
  }
)
