/** Sends requests with preconditions and idempotency keys to a world, and reads status, headers and body of responses. */
import { Atomicity } from "@lectern/harness"
import type { ApiCall, FaultyWorld } from "./faultyWorld.ts"

/** A response of a {@link FaultyWorld}. */
export interface WorldResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The reason of an error. */
  readonly reason: string | undefined
}

/** Sends a request, and parses the response. */
export const respond = async (world: FaultyWorld, call: ApiCall): Promise<WorldResponse> => {
  const { text } = await Atomicity.runToEnd(world, world.send(call))
  const [, status, headers, body] = /^(\d+) (\{.*?\}) (.*)$/s.exec(text) ?? []
  if (status === undefined) throw new Error(`${call.method} ${call.path}: ${text}`)
  const reason = Number(status) < 400 ? undefined : /"reason":"(\w+)"/.exec(body!)?.[1]
  return { status: Number(status), headers: JSON.parse(headers!), text: body!, reason }
}
