/** Converts errors of the client and responses of the server to failures of the backend. */
import { BackendFailure, type BackendFailureReason } from "../EditorBackend.ts"

const byTag: Readonly<Record<string, BackendFailureReason>> = {
  Unauthenticated: "signed-out",
  Unauthorized: "signed-out",
  Forbidden: "forbidden",
  NotFound: "not-found",
  Gone: "not-found",
  InvalidInput: "rejected",
  Conflict: "rejected",
  PayloadTooLarge: "rejected",
  UnsupportedMediaType: "rejected"
}

const byStatus = (status: number): BackendFailureReason => {
  if (status === 401) return "signed-out"
  if (status === 403) return "forbidden"
  if (status === 404 || status === 410) return "not-found"
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? "rejected" : "unavailable"
}

const textOf = async (response: Response): Promise<string> => {
  const text = await response.text().catch(() => "")
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } }
    return typeof error?.message === "string" ? error.message : `The server returned ${response.status}.`
  } catch {
    return `The server returned ${response.status}.`
  }
}

/** The start of the paths of fields of a block, in the batch of changes that saves a document. */
const blockPath = /^changes\.\d+\.document\.document\.nodes\.(\d+)(?:\.|$)/

/** Returns the failure of a save. It has the index of the first block that the server has not accepted. */
export const failureOfSave = async (error: unknown): Promise<BackendFailure> => {
  const failure = await failureOf(error)
  const { details = [] } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly details?: ReadonlyArray<{ readonly path: string; readonly message: string }>
  }
  for (const { path, message } of details) {
    const [start, index] = blockPath.exec(path) ?? []
    if (start === undefined) continue
    const field = path.slice(start.length)
    return new BackendFailure(failure.reason, `${field} ${message}`.trimStart(), {
      cause: error,
      block: Number(index)
    })
  }
  return failure
}

/** Returns the failure for an error of the client, or for a response that is not successful. */
export const failureOf = async (error: unknown): Promise<BackendFailure> => {
  if (error instanceof BackendFailure) return error
  if (error instanceof Response) return new BackendFailure(byStatus(error.status), await textOf(error))
  const { _tag, message, status } = (typeof error === "object" && error !== null ? error : {}) as {
    readonly _tag?: string
    readonly status?: number
    readonly message?: string
  }
  const reason =
    byTag[_tag ?? ""] ?? (status === undefined || status === 0 ? "unavailable" : byStatus(status))
  return new BackendFailure(reason, message ?? String(error), { cause: error })
}
