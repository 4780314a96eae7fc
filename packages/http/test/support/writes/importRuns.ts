/** Writes to import runs. */
import { pickOne, uniqueName, type WriteKind, type WriteKinds } from "./writes.ts"

const runsOf = (organization: string): string => `/org/${organization}/imports`

const startImportRun: WriteKind = (writer) => {
  const space = pickOne(writer, writer.spaces)
  if (space === undefined) return undefined
  const url = `${writer.source}/${uniqueName(writer)}.md`
  return {
    method: "POST",
    path: runsOf(writer.organization),
    body: { source: { type: "markdown", url }, target: { space } },
    done: ({ id }: { readonly id: string }) => {
      writer.importRuns.push(id)
      // A run is removed with its space, and is not accessible while its space is in the trash.
      return []
    }
  }
}

const cancelImportRun: WriteKind = (writer) => {
  const run = pickOne(writer, writer.importRuns)
  if (run === undefined) return undefined
  const path = `${runsOf(writer.organization)}/${run}`
  return { method: "POST", path: `${path}/cancel` }
}

/** The kinds of these writes, by operation. */
export const importRunWrites = {
  startImportRun: [startImportRun],
  cancelImportRun: [cancelImportRun]
} satisfies WriteKinds
