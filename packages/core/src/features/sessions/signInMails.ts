/** The URLs of sign-in links, and the kind of the jobs that send them. */

import { Redacted } from "effect"

/** The kind of the jobs. */
export const signInMailJob = "sessions.mail"

/** The path of sign-in links below the URL of the workspace. */
export const signInLinksPath = "/~/sign-in/"

/** Returns the URL of a sign-in link. */
export const signInLinkUrl = (base: string, secret: Redacted.Redacted<string>, returnTo = ""): string =>
  `${base}${signInLinksPath}${Redacted.value(secret)}${
    returnTo === "" ? "" : `?${new URLSearchParams({ return: returnTo })}`
  }`
