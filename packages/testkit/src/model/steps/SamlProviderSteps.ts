/** Steps on the SAML providers of organizations: create, update and remove. */
import type { Feature } from "../definition/Step.ts"
import { defineProviders } from "./ProviderSteps.ts"

/** The certificate of an identity provider. It is valid until 2126; its private key was discarded. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIUX9njQJPm1DElDopu1TMnavkAu7AwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIQ29udHJhY3QwIBcNMjYxMTIxMTA1MTU4WhgPMjEyNjEwMjgx
MDUxNThaMBMxETAPBgNVBAMMCENvbnRyYWN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE0qUq9FoK5ZZubDouGlMrU0JWcH/aFsaJNYpwatsOJiUiHlw090t+M5QK
R1ib/WKYawWc/Q8C6p2QzUmE8J9MO6NTMFEwHQYDVR0OBBYEFDWD08g4uYi8H+Aj
KsaxVHlWD6b9MB8GA1UdIwQYMBaAFDWD08g4uYi8H+AjKsaxVHlWD6b9MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAODaun0TTkeVbJ567lWB/Cki
a1YEm0wno9hqCGjdy55RAiAbCPPUSQpl4l4T5yhZ37ILujZAMZg7xv+TxtG4qTq5
Hw==
-----END CERTIFICATE-----`

const entityID = "https://login.example.com/entity"
const ssoURL = "https://login.example.com/sso"

/** The feature of SAML providers. Without an entity id, a valid certificate and a login URL, a provider is pending. */
export const samlProviders: Feature = defineProviders({
  service: "samlProviders",
  name: "SamlProvider",
  settings: {
    none: [1, {}],
    entity: [2, { entityID }],
    url: [2, { ssoURL, defaultRole: "comment" }],
    certificate: [2, { certificate }],
    invalidCertificate: [1, { certificate: certificate.slice(0, 100), defaultRole: null }],
    complete: [3, { entityID, ssoURL, certificate, defaultRole: "read" }]
  },
  of: (model) => model.samlProviders,
  initial: { defaultRole: "read" },
  shownFields: (fields) => ({
    status:
      fields.entityID !== undefined && fields.ssoURL !== undefined && fields.certificate === certificate
        ? "active"
        : "pending",
    entityID: fields.entityID,
    ssoURL: fields.ssoURL,
    certificate: fields.certificate,
    defaultRole: fields.defaultRole
  })
})
