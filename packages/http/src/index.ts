/** The public face of `@lectern/http`. */
export { type Host, toNodeListener, toWebHandler } from "./embed.ts"
export { type NodeFetcherOptions, nodeFetcher } from "./fetcher/nodeFetcher.ts"
export type { NodeListener } from "./server/nodeListener.ts"
export type { HttpOptions } from "./server/Options.ts"
export { CannotListen, type ServeOptions, serve } from "./server/serve.ts"
export type { WebHandler } from "./server/webHandler.ts"
