/** Sends requests with `fetch`, or with `XMLHttpRequest` where the progress of an upload is observed. */
import { type ApiError, connectionFailed, errorOfResponse } from "./ApiError.ts"
import type { CallOptions } from "./CallOptions.ts"

/** How requests of a client are sent. */
export interface Transport {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  readonly credentials: RequestCredentials
  /** Returns the headers of every request, such as `Authorization`. */
  readonly headers: () => Readonly<Record<string, string>>
  /** Called with every error before the call rejects with it. */
  readonly onError: ((error: ApiError) => void) | undefined
}

/** A request of an operation, with the URL below the base URL. */
export interface OutgoingRequest {
  readonly method: string
  readonly path: string
  readonly body: string | FormData | Blob | undefined
}

interface IncomingResponse {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly text: string
}

const conditionHeaders = (options: CallOptions): Record<string, string> => ({
  ...(options.idempotencyKey === undefined ? {} : { "idempotency-key": options.idempotencyKey }),
  ...(options.ifMatch === undefined ? {} : { "if-match": options.ifMatch }),
  ...(options.ifNoneMatch === undefined ? {} : { "if-none-match": options.ifNoneMatch })
})

const sizeOf = (body: OutgoingRequest["body"]): number => {
  if (body === undefined) return 0
  if (typeof body === "string") return new TextEncoder().encode(body).length
  if (body instanceof Blob) return body.size
  let bytes = 0
  body.forEach((value) => {
    bytes += typeof value === "string" ? value.length : value.size
  })
  return bytes
}

const sendWithFetch = async (
  transport: Transport,
  url: string,
  { method, body }: OutgoingRequest,
  headers: Record<string, string>,
  { signal, onUploadProgress }: CallOptions
): Promise<IncomingResponse> => {
  const response = await transport.fetch(url, {
    method,
    headers,
    credentials: transport.credentials,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal })
  })
  const text = await response.text()
  const totalBytes = sizeOf(body)
  onUploadProgress?.({ sentBytes: totalBytes, totalBytes })
  return { status: response.status, header: (name) => response.headers.get(name), text }
}

/** `fetch` does not report how much of a body was sent; `XMLHttpRequest`, which every browser has, does. */
const sendWithProgress = (
  transport: Transport,
  url: string,
  { method, body }: OutgoingRequest,
  headers: Record<string, string>,
  { signal, onUploadProgress }: CallOptions
): Promise<IncomingResponse> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, url)
    request.withCredentials = transport.credentials === "include"
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    const onAbort = () => request.abort()
    signal?.addEventListener("abort", onAbort, { once: true })
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onUploadProgress?.({ sentBytes: loaded, totalBytes: total })
    )
    request.addEventListener("abort", () => reject(signal?.reason))
    request.addEventListener("error", () => reject(new TypeError("The upload failed.")))
    request.addEventListener("load", () =>
      resolve({
        status: request.status,
        header: (name) => request.getResponseHeader(name),
        text: request.responseText
      })
    )
    request.addEventListener("loadend", () => signal?.removeEventListener("abort", onAbort))
    request.send(body ?? null)
  })

const parseBody = ({ status, text, header }: IncomingResponse): unknown => {
  if (text === "") return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw errorOfResponse(status, header, text)
  }
}

/** Sends a request. Resolves with the body of the response, and rejects with `ApiError` or the reason of the signal. */
export const sendRequest = async (
  transport: Transport,
  request: OutgoingRequest,
  options: CallOptions = {}
): Promise<unknown> => {
  options.signal?.throwIfAborted()
  const url = transport.baseUrl + request.path
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(typeof request.body === "string" ? { "content-type": "application/json" } : {}),
    ...transport.headers(),
    ...conditionHeaders(options)
  }
  const send =
    options.onUploadProgress !== undefined && typeof XMLHttpRequest === "function"
      ? sendWithProgress
      : sendWithFetch
  const fail = (error: ApiError): never => {
    transport.onError?.(error)
    throw error
  }
  const response = await send(transport, url, request, headers, options).catch((cause: unknown) => {
    if (options.signal?.aborted === true) throw options.signal.reason
    return fail(connectionFailed(url, cause))
  })
  options.onResponse?.({
    status: response.status,
    etag: response.header("etag") ?? undefined,
    isReplayed: response.header("idempotent-replayed") === "true"
  })
  if (response.status >= 200 && response.status < 300) return parseBody(response)
  return fail(errorOfResponse(response.status, response.header, response.text))
}
