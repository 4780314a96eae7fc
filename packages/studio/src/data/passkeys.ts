/** The passkeys and the recovery codes of the person, which pages of the server manage: an API token has no part in them. */
import { ApiError, type ErrorCode } from "@lectern/client/fetch"
import { fetchAfterSignIn } from "../recentSignIn.ts"
import { serverPageUrl } from "./serverPages.ts"
import { type Resource, useResource } from "./useResource.ts"

/** A passkey of the person. */
export interface Passkey {
  readonly id: string
  readonly name: string
  readonly synced: boolean
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

/** The second factor of the person. */
export interface SecondFactor {
  readonly unavailable?: "ipAddress" | "insecure"
  readonly host?: string
  readonly passkeys: ReadonlyArray<Passkey>
  readonly recoveryCodes: number
  readonly verified: boolean
  readonly required: boolean
}

/** The key of the second factor. */
export const secondFactorKey = "user/second-factor"

interface ErrorBody {
  readonly error?: { readonly code?: number; readonly reason?: string; readonly message?: string }
}

const send = async (method: string, path: string, body?: unknown): Promise<Response> => {
  const response = await fetchAfterSignIn(serverPageUrl(path), {
    method,
    credentials: "same-origin",
    headers: { accept: "application/json", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  }).catch((cause: unknown) => {
    throw new ApiError(String(cause), { status: 0, code: "ConnectionFailed" })
  })
  if (response.ok) return response
  const { error } = (await response.json().catch(() => ({}))) as ErrorBody
  throw new ApiError(error?.message ?? response.statusText, {
    status: response.status,
    code: (error?.reason ?? "Unknown") as ErrorCode,
    requestId: response.headers.get("x-request-id") ?? undefined
  })
}

/** Loads the second factor; `null` without a session that opens the whole account, and in a host with its own sign-in. */
const loadSecondFactor = async (): Promise<SecondFactor | null> => {
  try {
    return (await (await send("GET", "passkeys")).json()) as SecondFactor
  } catch (error) {
    if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return null
    throw error
  }
}

/** The second factor of the person. */
export const useSecondFactor = (): Resource<SecondFactor | null> =>
  useResource(secondFactorKey, loadSecondFactor)

/** Adds a passkey of this device or of a security key. Rejects if the person cancels, or if the server rejects it. */
export const addPasskey = async (): Promise<Passkey> => {
  const options = await (await send("POST", "passkeys/options", {})).json()
  const { startRegistration } = await import("@simplewebauthn/browser")
  const { id, rawId, type, response } = await startRegistration({ optionsJSON: options })
  const { clientDataJSON, attestationObject, transports = [] } = response
  const sent = { id, rawId, type, response: { clientDataJSON, attestationObject, transports } }
  return (await (await send("POST", "passkeys", { response: sent })).json()) as Passkey
}

/** Signs in by a passkey, which replaces the session of this browser. Rejects if the person cancels, or if the server rejects it. */
export const signInByPasskey = async (): Promise<void> => {
  const options = await (await send("POST", "passkey-sign-in/options", {})).json()
  const { startAuthentication } = await import("@simplewebauthn/browser")
  const { id, rawId, type, response } = await startAuthentication({ optionsJSON: options })
  const { clientDataJSON, authenticatorData, signature, userHandle } = response
  const signed = {
    clientDataJSON,
    authenticatorData,
    signature,
    ...(userHandle === undefined || userHandle === "" ? {} : { userHandle })
  }
  await send("POST", "passkey-sign-in", { returnTo: "", response: { id, rawId, type, response: signed } })
}

/** Changes the name of a passkey. */
export const renamePasskey = async (id: string, name: string): Promise<void> => {
  await send("PATCH", `passkeys/${id}`, { name })
}

/** Removes a passkey. */
export const removePasskey = async (id: string): Promise<void> => {
  await send("DELETE", `passkeys/${id}`)
}

/** Replaces the recovery codes, and returns the new ones. */
export const createRecoveryCodes = async (): Promise<ReadonlyArray<string>> =>
  ((await (await send("POST", "recovery-codes", {})).json()) as { readonly codes: ReadonlyArray<string> })
    .codes
