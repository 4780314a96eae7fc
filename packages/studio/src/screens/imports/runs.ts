/** Import runs: how they are started, and how they are found again. */
import { ApiError, type ImportRun, type StartImportRun } from "@lectern/client/fetch"
import { invalidate } from "../../data/cache.ts"
import { useOrganization } from "../../data/organization.ts"
import { spaceKey } from "../../data/spaces.ts"
import { type Resource, useResource } from "../../data/useResource.ts"
import { client } from "../../session.ts"
import { readStored, writeStored } from "../../store/store.ts"

/** The number of runs that a list displays. */
const maximumRuns = 10

const storageKey = (spaceId: string): string => `imports.${spaceId}`

const storedRuns = (spaceId: string): ReadonlyArray<string> => {
  const stored = readStored(storageKey(spaceId))
  return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : []
}

const draftsKey = (spaceId: string): string => `importDrafts.${spaceId}`

const storedDrafts = (spaceId: string): ReadonlyArray<readonly [run: string, changeRequest: string]> => {
  const stored = readStored(draftsKey(spaceId))
  return Array.isArray(stored) ? stored : []
}

/** Returns the change request that this device has created for a run; a run does not name its target. */
const draftOf = (spaceId: string, runId: string): string | undefined =>
  storedDrafts(spaceId).find(([run]) => run === runId)?.[1]

/** The key of a run. */
export const runKey = (runId: string): string => `imports/${runId}`

/** The purpose of the uploaded files. */
const kind = "import_file"

/** Uploads a file for an import. Returns its key. */
export const uploadFile = async (
  organizationId: string,
  file: File,
  onProgress: (sentBytes: number) => void,
  signal: AbortSignal
): Promise<string> => {
  const { url, key } = await client.uploads.generateStorageUploadURL(
    {
      params: { organizationId },
      payload: { kind, file: { name: file.name, type: file.type, size: file.size } }
    },
    { signal }
  )
  await client.uploadFile(url, file, {
    signal,
    onUploadProgress: ({ sentBytes }) => onProgress(sentBytes)
  })
  return key
}

/** Starts an import into a space. This device remembers it. */
export const startRun = async (organizationId: string, payload: StartImportRun): Promise<ImportRun> => {
  const run = await client.importRuns.startImportRun({ params: { organizationId }, payload })
  const { space, changeRequest } = payload.target
  if (changeRequest !== undefined)
    writeStored(draftsKey(space), [[run.id, changeRequest], ...storedDrafts(space)].slice(0, maximumRuns))
  writeStored(storageKey(space), [run.id, ...storedRuns(space)].slice(0, maximumRuns))
  return run
}

/** Returns the runs of a space that the events of the organization name, newest first. */
const recordedRuns = async (
  organizationId: string,
  spaceId: string,
  signal: AbortSignal
): Promise<ReadonlyArray<string>> => {
  const { items } = await client.events.listEvents(
    { params: { organizationId }, query: { types: "importRun.created", limit: 200 } },
    { signal }
  )
  return items
    .filter(({ data }) => data.space === spaceId)
    .flatMap(({ data }) => (typeof data.id === "string" ? [data.id] : []))
    .reverse()
}

const isAbsent = (error: unknown): boolean =>
  error instanceof ApiError && ["NotFound", "Forbidden"].includes(error._tag)

/** The last runs of a space: the runs of this device, and for administrators the runs of all members. */
export const useRuns = (spaceId: string): Resource<ReadonlyArray<ImportRun>> => {
  const { data: organization } = useOrganization()
  const id = organization?.id
  return useResource(id === undefined ? undefined : `imports/of/${spaceId}`, async (signal) => {
    const recorded = organization?.permissions.admin === true ? await recordedRuns(id!, spaceId, signal) : []
    const ids = [...new Set([...storedRuns(spaceId), ...recorded])].slice(0, maximumRuns)
    const runs = await Promise.all(
      ids.map((importRunId) =>
        client.importRuns
          .getImportRun({ params: { organizationId: id!, importRunId } }, { signal })
          .catch((error: unknown) => {
            if (isAbsent(error)) return undefined
            throw error
          })
      )
    )
    return runs.filter((run) => run !== undefined)
  })
}

/** Returns whether a run has not ended. */
export const isRunning = ({ status }: ImportRun): boolean => status === "pending" || status === "in-progress"

/** Returns the URL of the source of a run, or `undefined` for uploaded files, of which a run has only the keys. */
export const sourceUrl = ({ source }: ImportRun): string | undefined =>
  source.type === "file" ? undefined : source.url

/** Archives the change request of a run that has failed or was cancelled: see {@link archiveEmptyDraft}. */
export const archiveDraftOf = async (spaceId: string, runId: string): Promise<void> => {
  const changeRequest = draftOf(spaceId, runId)
  if (changeRequest !== undefined) await archiveEmptyDraft(spaceId, changeRequest)
}

/**
 * Archives the change request of an import that has failed or was cancelled, if it is a draft without changes: it would be offered as a
 * draft of the person, and has nothing to review.
 */
export const archiveEmptyDraft = async (spaceId: string, changeRequestId: string): Promise<void> => {
  const params = { spaceId, changeRequestId }
  const { status, revision, revisionInitial } = await client.changeRequests.getChangeRequestById({ params })
  if (status !== "draft" || revision !== revisionInitial) return
  await client.changeRequests.updateChangeRequestById({ params, payload: { status: "archived" } })
  invalidate(spaceKey(spaceId))
}
