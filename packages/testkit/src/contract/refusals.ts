/** What every operation refuses, whatever it does: tried before the scenario's own call, which it must not change. */
import { makesWhatIsMissing, mayBeNew, openToAll, openToReaders } from "./exceptions.ts"
import { isObject, type Json } from "./Schemas.ts"
import type { Answered, Request, Wire } from "./Wire.ts"

/** The tokens of those who may not. */
export interface Strangers {
  /** One who administrates another organization, and is in none of those that the scenario is about. */
  readonly outsider: string
  /** A member of the scenario's organization who may only read. */
  readonly reader: string
}

/** A name that nothing has. */
const unknown = "contract-unknown"

/** The error of a response: `{"error": {"code", "message", …}}`. */
export const errorOf = (value: Json | undefined): { readonly [name: string]: Json | undefined } => {
  const error = isObject(value) ? value.error : undefined
  return isObject(error) ? error : {}
}

/** Whether a response is an error of one of the statuses, in the one shape, with its status in it. */
const isRefusal = ({ status, value }: Answered, statuses: ReadonlyArray<number>): boolean => {
  const { code, message } = errorOf(value)
  return statuses.includes(status) && code === status && typeof message === "string" && message !== ""
}

/** Tries who and what an operation has to refuse. */
export const tryRefusals = async (wire: Wire, request: Request, strangers: Strangers): Promise<void> => {
  const { operation, params, body } = request
  const { method, parameters } = wire.document.operation(operation)
  const refused = async (changed: Request, statuses: ReadonlyArray<number>, who: string) => {
    const answered = await wire.send(changed)
    if (isRefusal(answered, statuses)) return
    wire.report(
      operation,
      `answers ${who} by ${answered.status}, and not as an error of ${statuses.join(" or ")}: ${answered.text.slice(0, 300)}`
    )
  }

  await refused({ ...request, token: undefined }, [401], "nobody")
  await refused({ ...request, token: `${request.token}x` }, [401], "a token that there is not")
  for (const name of Object.keys(params)) {
    if (mayBeNew[operation]?.includes(name)) continue
    await refused({ ...request, params: { ...params, [name]: unknown } }, [404], `an unknown ${name}`)
  }
  const byOutsider = { ...request, token: strangers.outsider }
  if (openToAll[operation] === undefined) await refused(byOutsider, [403, 404], "an outsider")
  else if ((await wire.send(byOutsider)).status !== 200)
    wire.report(operation, "is not open to all, as it is said")
  if (method !== "GET" && openToReaders[operation] === undefined) {
    const whole = { ...request, token: strangers.reader }
    await refused(whole, [403, 404], "somebody who may only read")
    // One field may need less than all of them together.
    if (method === "PATCH" && isObject(body) && Object.keys(body).length > 1) {
      for (const [name, value] of Object.entries(body)) {
        await refused({ ...whole, body: { [name]: value } }, [403, 404], `a reader who changes ${name}`)
      }
    }
  }
  if (parameters.some(({ name }) => name === "If-Match")) {
    const statuses = makesWhatIsMissing[operation] === undefined ? [412] : [404, 412]
    await refused({ ...request, headers: { "if-match": '"another"' } }, statuses, "the tag of another state")
  }
}
