export { IdentityProviderId } from "./IdentityProvider.ts"
export { Session, SessionId, SignInClient, SignInMethod } from "./Session.ts"
