/** The requests that the pages of a browser send to use passkeys. */
import type { TestBrowser } from "./browser.ts"
import type { ResponseDifferences, SoftAuthenticator } from "./softAuthenticator.ts"

/** The result of a request: its status and its body. */
export interface JsonResult {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends a request with a JSON body. */
export const sendJson = async (
  browser: TestBrowser,
  method: string,
  path: string,
  body: unknown = {}
): Promise<JsonResult> => {
  const response = await browser.request(path, {
    method,
    headers: { "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify(body) })
  })
  const isJson = response.headers.get("content-type")?.startsWith("application/json") === true
  return { status: response.status, body: isJson ? (JSON.parse(response.text) as JsonResult["body"]) : {} }
}

/** Adds the passkey of an authenticator to the account of a browser with a session. */
export const addPasskey = async (
  browser: TestBrowser,
  authenticator: SoftAuthenticator,
  name?: string,
  differences: ResponseDifferences = {}
): Promise<JsonResult> => {
  const options = await sendJson(browser, "POST", "/~/passkeys/options")
  if (options.status !== 200) return options
  const response = authenticator.register(options.body as never, differences)
  return sendJson(browser, "POST", "/~/passkeys", { response, ...(name === undefined ? {} : { name }) })
}

/** Requests the options of a sign-in, of a new passkey, or of a second factor. */
export const requestOptions = async (
  browser: TestBrowser,
  path: "passkey-sign-in" | "passkeys" | "second-factor"
): Promise<{ readonly challenge: string }> => {
  const { status, body } = await sendJson(browser, "POST", `/~/${path}/options`)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as { challenge: string }
}

/** Signs a browser in by a passkey. */
export const signInByPasskey = async (
  browser: TestBrowser,
  authenticator: SoftAuthenticator,
  differences: ResponseDifferences = {},
  returnTo = ""
): Promise<JsonResult> => {
  const options = await requestOptions(browser, "passkey-sign-in")
  return sendJson(browser, "POST", "/~/passkey-sign-in", {
    returnTo,
    response: authenticator.sign(options, differences)
  })
}

/** Verifies a second factor in the session of a browser. */
export const verifyByPasskey = async (
  browser: TestBrowser,
  authenticator: SoftAuthenticator
): Promise<JsonResult> => {
  const options = await requestOptions(browser, "second-factor")
  return sendJson(browser, "POST", "/~/second-factor/passkey", {
    returnTo: "",
    response: authenticator.sign(options)
  })
}
