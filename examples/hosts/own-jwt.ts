/** Tokens of one's own, in the header `Authorization` or in a cookie: a JWT whose subject is the id of the user in the workspace. */
import { createWorkspace, type HostAuthenticate } from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { sqlite } from "@lectern/storage-sqlite"
import { jwtVerify, SignJWT } from "jose"

const key = new TextEncoder().encode("a secret of 32 characters or more")
const claims = { issuer: "https://acme.example", audience: "docs" }

/** Returns a token of a user, for an hour. */
export const issueToken = (user: string): Promise<string> =>
  new SignJWT({ role: "member" })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(user)
    .setIssuer(claims.issuer)
    .setAudience(claims.audience)
    .setExpirationTime("1h")
    .sign(key)

/** Finds the user of a token. Tokens that are not valid are not an error: Lectern checks them as API tokens of its own. */
export const authenticate: HostAuthenticate = async ({ header }) => {
  const token =
    /^Bearer (\S+)$/i.exec(header("authorization") ?? "")?.[1] ??
    /(?:^|;\s*)token=([^;]+)/.exec(header("cookie") ?? "")?.[1]
  if (token === undefined) return undefined
  const verified = await jwtVerify(token, key, { ...claims, algorithms: ["HS256"] }).catch(() => undefined)
  return verified?.payload.sub === undefined ? undefined : { user: verified.payload.sub }
}

/** Creates the workspace with its handler. */
export const makeApp = () => {
  const workspace = createWorkspace({ storage: sqlite(":memory:"), authenticate })
  return { workspace, handler: toWebHandler(workspace) }
}
