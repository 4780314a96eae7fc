/** A SAML identity provider of an organization: who vouches for its people when they log in. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"
import { Team, TeamId } from "../organizations/Team.ts"
import { type Role, RoleOrGuest } from "../roles/Role.ts"

export const SamlProviderId = idSchema("The id of a SAML provider.").pipe(Schema.brand("SamlProviderId"))
export type SamlProviderId = typeof SamlProviderId.Type

/** Whether people can log in by a provider: once its entity id, certificate and address are known. */
export const SamlProviderStatus = Schema.Literals(["active", "pending"])

/** A SAML provider, as the specification shows one. */
export const SamlProvider = Schema.Struct({
  object: Schema.Literal("saml-provider"),
  id: SamlProviderId,
  label: text({ min: 1, max: 30 }),
  ssoURL: Schema.optionalKey(Schema.String),
  entityID: Schema.optionalKey(Schema.String),
  certificate: Schema.optionalKey(Schema.String),
  defaultTeam: Schema.optionalKey(Team),
  defaultRole: RoleOrGuest,
  createdAt: Timestamp,
  status: SamlProviderStatus,
  service: Schema.Struct({
    acsURL: Schema.String,
    startURL: Schema.String,
    entityID: Schema.String
  }).annotate({ description: "What the identity provider has to know of Lectern." }),
  urls: Schema.Struct({ location: Schema.String })
}).annotate({ identifier: "SamlProvider", description: "Who vouches for the people of an organization." })
export type SamlProvider = typeof SamlProvider.Type

/** Where people log in by a provider. */
export const SsoLogin = Schema.Struct({
  id: SamlProviderId,
  label: Schema.String,
  startURL: Schema.String
}).annotate({ identifier: "SsoLogin" })
export type SsoLogin = typeof SsoLogin.Type

const settings = {
  /** The name of the identity provider: it is what responses have to be issued by. */
  entityID: Schema.optionalKey(trimmed({ min: 1, max: 1024 })),
  /** What responses are signed with: X.509, as PEM, or its base64 alone. */
  certificate: Schema.optionalKey(trimmed({ min: 1, max: 10_000 })),
  /** Where people are sent to log in. */
  ssoURL: Schema.optionalKey(Url),
  /** The team that people who come by it are put into. */
  defaultTeam: Schema.optionalKey(TeamId),
  /** The role of those who are new; the organization's default role by default. */
  defaultRole: Schema.optionalKey(RoleOrGuest)
}

const label = trimmed({ min: 1, max: 30 })

/** What a SAML provider is made from. */
export const CreateSamlProvider = Schema.Struct({ label, ...settings }).annotate({
  identifier: "CreateSamlProvider"
})

/** What can be changed of a SAML provider. What is left out stays. */
export const UpdateSamlProvider = Schema.Struct({
  label: Schema.optionalKey(label),
  ...settings
}).annotate({ identifier: "UpdateSamlProvider" })

/** Where SAML providers are kept. `isActive` follows from the settings. */
export const samlProviders = Table.make("samlProviders", {
  columns: {
    id: Table.text<SamlProviderId>(),
    organization: Table.text<OrganizationId>(),
    label: Table.text(),
    entityID: Table.nullable(Table.text()),
    certificate: Table.nullable(Table.text()),
    ssoURL: Table.nullable(Table.text()),
    defaultTeam: Table.nullable(Table.text<TeamId>()),
    defaultRole: Table.nullable(Table.text<Role>()),
    isActive: Table.boolean(),
    createdAt: Table.text()
  },
  key: ["id"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"], ["defaultTeam"]]
})
export type SamlProviderRow = Table.Row<typeof samlProviders>

/** The questions that were answered, for as long as an answer would be taken: none is answered twice. */
export const samlAnswers = Table.make("samlAnswers", {
  columns: { provider: Table.text<SamlProviderId>(), question: Table.text(), expiresAt: Table.text() },
  key: ["provider", "question"],
  references: { provider: { table: () => samlProviders, onRemove: "cascade" } },
  indexes: [["provider", "expiresAt"]]
})
