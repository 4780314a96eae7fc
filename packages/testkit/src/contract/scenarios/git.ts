/** Git synchronization of a space. */
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

/** The fields of the synchronization that the scenario examines. */
interface Info {
  readonly ref: string
  readonly repoName: string
  readonly webhook?: string
  readonly operation: { readonly direction: string }
}

export const git: ContractScenario = {
  title: "A space is synchronized with a Git repository",
  requires: ["git"],
  run: async ({ ada, rita, acme }) => {
    const createSpace = async (title: string): Promise<string> =>
      (await ada.call<{ id: string }>("createSpace", { organizationId: acme.id }, { body: { title } })).id
    const connection = {
      url: "https://ada:secret@github.com/acme/docs.git",
      ref: "refs/heads/main",
      repoCacheID: "docs",
      repoTreeURL: "https://github.com/acme/docs/tree/main",
      repoCommitURL: "https://github.com/acme/docs/commit",
      repoProjectDirectory: "docs",
      gitInfo: { provider: "github", url: "https://github.com/acme/docs/tree/main" }
    }
    const importBody = {
      ...connection,
      timestamp: "2026-01-15T09:30:00.000Z",
      force: false,
      standalone: true
    }
    const exportBody = {
      ...connection,
      commitMessage: "Export the handbook",
      timestamp: "2026-01-15T10:30:00.000Z",
      force: true
    }
    // Operations of a space run one after the other, and only some can wait: the bounds of fields are checked in several spaces.
    const { url, ref, commitMessage, ...optional } = exportBody
    for (const fields of [{}, { gitInfo: optional.gitInfo }, optional]) {
      const body = { url, ref, ...fields }
      await ada.call("importGitRepository", { spaceId: await createSpace("Imported") }, { body })
      const exported = { spaceId: await createSpace("Exported") }
      await ada.call("exportToGitRepository", exported, { body: { ...body, commitMessage } })
    }
    const spaceId = await createSpace("Synchronized")
    await ada.expectError(404, "getSpaceGitInfo", { spaceId })
    await ada.call("importGitRepository", { spaceId }, { body: importBody })
    const imported = await ada.call<Info>("getSpaceGitInfo", { spaceId })
    expect([imported.ref, imported.repoName, imported.operation.direction]).toEqual([
      "refs/heads/main",
      "acme/docs",
      "import"
    ])
    expect(JSON.stringify(imported)).not.toContain("secret")
    expect((await rita.call<Info>("getSpaceGitInfo", { spaceId })).webhook).toBeUndefined()
    expect(await ada.call("getSpaceById", { spaceId })).toMatchObject({
      gitSync: { repoName: "acme/docs", installationProvider: "github" }
    })
    await ada.call("exportToGitRepository", { spaceId }, { body: exportBody })
    expect((await ada.call<Info>("getSpaceGitInfo", { spaceId })).operation.direction).toBe("export")
    await rita.expectError(403, "importGitRepository", { spaceId }, { body: connection })
  }
}
