/** Corruption of organizations, their members, teams and permissions. */
import { Effect } from "effect"
import { type CorruptionCase, deleteFirst, insertLike, missingId, updateFirst } from "./rows.ts"

export const peopleCases: ReadonlyArray<CorruptionCase> = [
  {
    check: "organization-administrators",
    corrupt: ({ organization, ada }) => updateFirst("members", { organization, user: ada }, { role: "read" })
  },
  {
    check: "organization-email-domains",
    corrupt: () => deleteFirst("emailDomains", { domain: "example.org" })
  },
  {
    check: "organization-default-content",
    corrupt: ({ organization }) =>
      updateFirst(
        "organizations",
        { id: organization },
        { defaultContent: { type: "site", site: missingId } }
      )
  },
  {
    check: "user-email",
    corrupt: ({ bob }) => updateFirst("users", { id: bob }, { email: "Bob@example.com" })
  },
  {
    check: "member-search-text",
    corrupt: ({ bob }) => updateFirst("members", { user: bob }, { folded: "x" })
  },
  {
    check: "member-sso",
    corrupt: ({ bob, organization }) =>
      updateFirst("members", { user: bob, organization }, { ssoMissing: true })
  },
  {
    check: "member-sso",
    corrupt: ({ organization, ada, bob }) =>
      // The organization requires single sign-on. Ada is an SSO member; Bob is not, and keeps his access.
      Effect.andThen(
        updateFirst("organizations", { id: organization }, { sso: true }),
        Effect.andThen(
          updateFirst("members", { organization, user: ada }, { sso: true }),
          updateFirst("members", { organization, user: bob }, { sso: false })
        )
      )
  },
  {
    check: "member-second-factor",
    corrupt: ({ organization, bob }) =>
      updateFirst("members", { organization, user: bob }, { secondFactor: true })
  },
  { check: "team-search-text", corrupt: ({ team }) => updateFirst("teams", { id: team }, { folded: "x" }) },
  {
    check: "organization-of-rows",
    corrupt: ({ team, otherOrganization }) =>
      updateFirst("teamMembers", { team }, { organization: otherOrganization })
  },
  {
    check: "team-member",
    corrupt: ({ team }) =>
      Effect.andThen(
        insertLike("users", {}, { id: "carl", email: "carl@example.com" }),
        insertLike("teamMembers", { team }, { user: "carl" })
      )
  },
  { check: "invite-author", corrupt: () => updateFirst("invites", {}, { createdBy: missingId }) },
  { check: "saml-default-team", corrupt: () => updateFirst("samlProviders", {}, { defaultTeam: missingId }) },
  { check: "saml-active", corrupt: () => updateFirst("samlProviders", {}, { isActive: true }) },
  { check: "oidc-teams", corrupt: () => updateFirst("oidcProviders", {}, { defaultTeam: missingId }) },
  {
    check: "oidc-teams",
    corrupt: () => updateFirst("oidcProviders", {}, { groups: [{ group: "staff", team: missingId }] })
  },
  {
    check: "grant-target",
    corrupt: () => insertLike("grants", { kind: "space" }, { id: "x", target: missingId })
  },
  {
    check: "grant-target",
    corrupt: () => insertLike("grants", { kind: "collection" }, { id: "x", target: missingId })
  },
  {
    check: "grant-target",
    corrupt: () => insertLike("grants", { kind: "space" }, { id: "x", kind: "site", target: missingId })
  },
  { check: "grant-holder", corrupt: () => updateFirst("grants", { kind: "space" }, { user: null }) },
  { check: "grant-holder", corrupt: ({ team }) => updateFirst("grants", { kind: "space" }, { team }) },
  {
    check: "grant-holder",
    corrupt: ({ organization, bob, team }) =>
      Effect.andThen(
        deleteFirst("members", { organization, user: bob }),
        deleteFirst("teamMembers", { team, user: bob })
      )
  }
]
