/** The public names of sessions in `@lectern/core`, besides the model. */
export { SessionLifetimes, type SessionLifetimesSettings } from "./SessionLifetimes.ts"
export { Sessions } from "./Sessions.ts"
export { SignIns, type SignInLinkAccount, type StartedSession } from "./SignIns.ts"
export { signInLinksPath, signInLinkUrl } from "./signInMails.ts"
export type { SignInLink } from "./signInLinks.ts"
export {
  acceptsSessions,
  formatSessionCookie,
  InsecureSessions,
  isLoopbackHost,
  readSessionCookie,
  type SessionCookie,
  sessionCookieOf
} from "./sessionCookie.ts"
