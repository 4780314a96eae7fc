/** The public names of sessions in `@lectern/model`. */
export { Session, SessionId, SignInClient, SignInMethod } from "./Session.ts"
