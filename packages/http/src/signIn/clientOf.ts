/** Describes the browser that signs in. */
import type { ApiRequest } from "../server/messages/Message.ts"

/** The browser of a request, for the session that it starts. */
export const clientOf = (request: ApiRequest, former: string | undefined) => {
  const userAgent = request.header("user-agent")?.slice(0, 500)
  return {
    ...(userAgent === undefined || userAgent === "" ? {} : { userAgent }),
    ...(request.remoteAddress === undefined ? {} : { address: request.remoteAddress }),
    ...(former === undefined ? {} : { former })
  }
}
