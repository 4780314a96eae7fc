/** The operations of Git synchronization. */
import type { GitApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

/** A repository that no server has. */
const repository = { url: "http://user:secret@127.0.0.1:1/docs.git", ref: "refs/heads/main" }

export const git = {
  getSpaceGitInfo: {
    serves: "GitSync.getInfo",
    rule: "space.read",
    prepare: ({ ids }, call) => call("POST", `/v1/spaces/${ids.spaceId}/git/import`, repository)
  },
  importGitRepository: {
    polls: true,
    serves: "GitSync.importRepository",
    rule: "space.configure",
    repeated: "another",
    body: () => repository
  },
  exportToGitRepository: {
    polls: true,
    serves: "GitSync.exportRepository",
    rule: "space.configure",
    repeated: "another",
    body: () => ({ ...repository, commitMessage: "Export" })
  }
} satisfies RowsOf<typeof GitApi>
