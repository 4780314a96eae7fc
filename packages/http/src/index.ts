/** The public entry point of `@lectern/http`. */
export { type Host, toNodeListener, toWebHandler } from "./embed.ts"
export {
  createDestinationFilter,
  type DestinationFilter,
  isPublicAddress,
  type ResolvedAddress
} from "./fetcher/Destinations.ts"
export { isPermanentFailure, type NodeFetcherOptions, nodeFetcher } from "./fetcher/nodeFetcher.ts"
export { defineHttpFeature, type HttpFeature } from "./HttpFeature.ts"
export type {
  MakeProgramAuthorization,
  ProgramAuthorization,
  ProgramServices
} from "./programs/ProgramPort.ts"
export type { Dispatcher } from "./server/Dispatcher.ts"
export { layerHttpRouter } from "./server/httpRouter.ts"
export type { Limits } from "./server/limits/limits.ts"
export type { RateLimits } from "./server/limits/rateLimits.ts"
export type { RequestLimits } from "./server/limits/supervise.ts"
export {
  type ApiRequest,
  type ApiResponse,
  isStreamedBody,
  type ResponseBody,
  type ResponseOutcome,
  type StreamedBody
} from "./server/messages/Message.ts"
export type { NodeListener } from "./server/nodeListener.ts"
export { type HttpMiddleware, type HttpOptions, makeDispatcher } from "./server/Options.ts"
export type { TrustedProxies } from "./server/proxies.ts"
export type { Application, ApplicationResponse, MakeApplication } from "./server/routes/application.ts"
export type { MetricsAccess } from "./server/routes/metrics.ts"
export type {
  MakePageReader,
  PageReader,
  PageRequest,
  PageResponse,
  PageServices
} from "./server/routes/pages.ts"
export { CannotListen, type ServeOptions, serve } from "./server/serve.ts"
export type { Connection, WebHandler } from "./server/webHandler.ts"
