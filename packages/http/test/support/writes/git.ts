/** Writes of Git synchronization. */
import { pickOne, uniqueName, type WriteKind, type WriteKinds } from "./writes.ts"

/** Starts an operation with a repository that no server has. */
const operationOf =
  (operation: string, fields: object): WriteKind =>
  (writer) => {
    const space = pickOne(writer, writer.spaces)
    if (space === undefined) return undefined
    return {
      method: "POST",
      path: `/spaces/${space}/git/${operation}`,
      body: { url: `${writer.source}/${uniqueName(writer)}.git`, ref: "refs/heads/main", ...fields }
    }
  }

/** The kinds of these writes, by operation. */
export const gitWrites = {
  importGitRepository: [operationOf("import", {})],
  exportToGitRepository: [operationOf("export", { commitMessage: "Export" })]
} satisfies WriteKinds
