export { GitApi } from "./GitApi.ts"
