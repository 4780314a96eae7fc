export { SessionsApi } from "./SessionsApi.ts"
