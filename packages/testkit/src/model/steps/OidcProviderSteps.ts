/** Steps on the OpenID Connect providers of organizations: create, update and remove. */
import type { Feature } from "../definition/Step.ts"
import { defineProviders } from "./ProviderSteps.ts"

/** The feature of OpenID Connect providers. Without an issuer and a client, a provider is pending. */
export const oidcProviders: Feature = defineProviders({
  service: "oidcProviders",
  name: "OidcProvider",
  settings: {
    none: [1, {}],
    issuer: [2, { issuer: "https://login.example.com" }],
    otherIssuer: [1, { issuer: "https://other.example.com", domains: ["example.com"] }],
    client: [2, { clientID: "lectern", clientSecret: "secret" }],
    publicClient: [1, { clientID: "lectern", clientSecret: null }],
    complete: [
      2,
      {
        issuer: "https://login.example.com",
        clientID: "lectern",
        domains: ["example.com", "example.net"]
      }
    ]
  },
  of: (model) => model.oidcProviders,
  initial: { domains: [], clientSecret: null },
  shownFields: ({ issuer, clientID, clientSecret, domains }) => ({
    status: issuer === undefined || clientID === undefined ? "pending" : "active",
    issuer,
    clientID,
    hasClientSecret: clientSecret !== null,
    domains
  })
})
