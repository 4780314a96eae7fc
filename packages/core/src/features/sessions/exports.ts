export {
  acceptsSessions,
  formatSessionCookie,
  InsecureSessions,
  isLoopbackHost,
  readSessionCookie,
  type SessionCookie,
  sessionCookieOf
} from "@lectern/kernel"
export { SessionLifetimes, type SessionLifetimesSettings } from "./SessionLifetimes.ts"
export { Sessions } from "./Sessions.ts"
export { type SignInLinkAccount, SignIns, type StartedSession } from "./SignIns.ts"
export type { SignInLink } from "./signInLinks.ts"
export { signInLinksPath, signInLinkUrl } from "./signInMails.ts"
