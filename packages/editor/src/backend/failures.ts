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
