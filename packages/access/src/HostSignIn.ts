/** The sign-in of a host application, which replaces the pages for signing in and the sessions of Lectern. */
import { Context } from "effect"

/** The sign-in of a host application. */
export interface HostSignInSettings {
  /**
   * The page on which users sign in. Browsers are redirected to it with the parameter `return`, the URL that they requested.
   * Undefined if the host has no such page: then pages that require a sign-in are 404 for others.
   */
  readonly url: string | undefined
}

/** The sign-in of the host; undefined, the default, for that of Lectern. */
export const HostSignIn = Context.Reference<HostSignInSettings | undefined>("@lectern/core/HostSignIn", {
  defaultValue: () => undefined
})
