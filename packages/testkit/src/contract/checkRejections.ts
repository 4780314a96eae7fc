/** Checks that operations reject unauthorized callers, unknown ids, wrong entity tags and malformed idempotency keys. */
import type { ContractClient, JsonResponse, Request } from "./ContractClient.ts"
import {
  createsIfMissing,
  newNameParameters,
  openToAll,
  openToReaders,
  openToVisitors
} from "./exceptions.ts"
import { isObject, type Json } from "./Schemas.ts"

/** API tokens of callers that operations must reject. */
export interface UnauthorizedTokens {
  /** The token of a user who is not a member of the organization of the scenarios. */
  readonly outsider: string
  /** The token of a member of the organization of the scenarios with the role `read`. */
  readonly reader: string
}

/** An id or name that does not exist. */
const unknownId = "contract-unknown"

/** Returns the error of a response body, or an empty object: `{"error": {"code", "message", …}}`. */
export const errorOf = (value: Json | undefined): { readonly [name: string]: Json | undefined } => {
  const error = isObject(value) ? value.error : undefined
  return isObject(error) ? error : {}
}

/** Whether a response has one of the statuses, and a well-formed error body with the same code. */
const isErrorResponse = ({ status, value }: JsonResponse, statuses: ReadonlyArray<number>): boolean => {
  const { code, message } = errorOf(value)
  return statuses.includes(status) && code === status && typeof message === "string" && message !== ""
}

/**
 * Checks that an operation rejects missing tokens, unauthorized callers, unknown ids, wrong entity tags and malformed
 * idempotency keys.
 */
export const checkRejections = async (
  client: ContractClient,
  request: Request,
  unauthorized: UnauthorizedTokens
): Promise<void> => {
  const { operation, params, body } = request
  const { method, parameters } = client.document.operation(operation)
  const expectRejected = async (changed: Request, statuses: ReadonlyArray<number>, who: string) => {
    const response = await client.send(changed)
    if (isErrorResponse(response, statuses)) return
    client.report(
      operation,
      `returned ${response.status} for ${who}, expected an error with ${statuses.join(" or ")}: ${response.text.slice(0, 300)}`
    )
  }

  const withoutToken = { ...request, token: undefined }
  const isOpen = openToVisitors[operation] !== undefined
  const anonymous = isOpen ? (await client.send(withoutToken)).status : 401
  if (!isOpen) await expectRejected(withoutToken, [401], "a request without a token")
  else if (anonymous === 401)
    client.report(operation, "requires a token, although exceptions.ts lists it in openToVisitors")
  await expectRejected({ ...request, token: `${request.token}x` }, [401], "an invalid token")
  for (const name of Object.keys(params)) {
    if (newNameParameters[operation]?.includes(name)) continue
    await expectRejected(
      { ...request, params: { ...params, [name]: unknownId } },
      [404],
      `an unknown ${name}`
    )
  }
  const byOutsider = { ...request, token: unauthorized.outsider }
  if (openToAll[operation] === undefined) {
    // An outsider sees what clients without a token see.
    if (anonymous >= 300) await expectRejected(byOutsider, [403, 404], "an outsider")
    else if ((await client.send(byOutsider)).status !== anonymous)
      client.report(operation, `rejected an outsider, but returned ${anonymous} without a token`)
  } else if ((await client.send(byOutsider)).status >= 300)
    client.report(operation, "rejected an outsider, although exceptions.ts lists it in openToAll")
  if (method !== "GET" && openToReaders[operation] === undefined) {
    const whole = { ...request, token: unauthorized.reader }
    await expectRejected(whole, [403, 404], "a member with the role read")
    // The required role may depend on the field, so each field is also sent separately.
    if (method === "PATCH" && isObject(body) && Object.keys(body).length > 1) {
      for (const [name, value] of Object.entries(body)) {
        await expectRejected(
          { ...whole, body: { [name]: value } },
          [403, 404],
          `a member with the role read who changes ${name}`
        )
      }
    }
  }
  if (parameters.some(({ name }) => name === "If-Match")) {
    const statuses = createsIfMissing[operation] === undefined ? [412] : [404, 412]
    await expectRejected({ ...request, headers: { "if-match": '"another"' } }, statuses, "a wrong entity tag")
  }
  if (parameters.some(({ name }) => name === "Idempotency-Key")) {
    const headers = { "idempotency-key": "two words" }
    await expectRejected({ ...request, headers }, [400], "a malformed idempotency key")
  }
}
