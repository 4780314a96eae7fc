/** The entry point `@lectern/http/server`: what a server needs besides the handlers of the API, such as the `lectern` command. */
export { isPackageMissing } from "./isPackageMissing.ts"
export { defaultRateLimits } from "./server/limits/rateLimits.ts"
export { makeMetricsCollector } from "./server/metrics/storeMetrics.ts"
export { type MetricsServerOptions, serveMetrics } from "./server/metricsServer.ts"
export { parseProxyNetworks } from "./server/proxies.ts"
export { type LoggedRequest, RequestLog } from "./server/RequestLog.ts"
export { parsePublicHosts } from "./server/requestBaseUrl.ts"
export { type ReservedPort, reservePort } from "./server/serve.ts"
