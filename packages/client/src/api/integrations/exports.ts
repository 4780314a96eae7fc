/** What `@lectern/client` exports of integrations. */
export { IntegrationsApi } from "./IntegrationsApi.ts"
