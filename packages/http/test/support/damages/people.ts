/** Damage that is done to organizations, their members and teams, and what is shared with them. */
import { Effect } from "effect"
import { addLike, type Damage, drop, nothing, set } from "./tools.ts"

export const all: ReadonlyArray<Damage> = [
  {
    check: "organization-administrators",
    done: ({ organization, ada }) => set("members", { organization, user: ada }, { role: "read" })
  },
  { check: "organization-email-domains", done: () => drop("emailDomains", { domain: "example.org" }) },
  {
    check: "organization-default-content",
    done: ({ organization }) =>
      set("organizations", { id: organization }, { defaultContent: { type: "site", site: nothing } })
  },
  { check: "user-email", done: ({ bob }) => set("users", { id: bob }, { email: "Bob@example.com" }) },
  { check: "member-search-text", done: ({ bob }) => set("members", { user: bob }, { folded: "x" }) },
  {
    check: "member-sso",
    done: ({ bob, organization }) => set("members", { user: bob, organization }, { ssoMissing: true })
  },
  {
    check: "member-sso",
    done: ({ organization, ada, bob }) =>
      // Ada comes by single sign-on, as the organization asks; Bob does not, and comes in all the same.
      Effect.andThen(
        set("organizations", { id: organization }, { sso: true }),
        Effect.andThen(
          set("members", { organization, user: ada }, { sso: true }),
          set("members", { organization, user: bob }, { sso: false })
        )
      )
  },
  { check: "team-search-text", done: ({ team }) => set("teams", { id: team }, { folded: "x" }) },
  {
    check: "team-member-organization",
    done: ({ team, elsewhere }) => set("teamMembers", { team }, { organization: elsewhere })
  },
  {
    check: "team-member",
    done: ({ team }) =>
      Effect.andThen(
        addLike("users", {}, { id: "carl", email: "carl@example.com" }),
        addLike("teamMembers", { team }, { user: "carl" })
      )
  },
  { check: "invite-author", done: () => set("invites", {}, { createdBy: nothing }) },
  { check: "saml-default-team", done: () => set("samlProviders", {}, { defaultTeam: nothing }) },
  { check: "saml-active", done: () => set("samlProviders", {}, { isActive: true }) },
  {
    check: "grant-target",
    done: () => addLike("grants", { kind: "space" }, { id: "x", target: nothing })
  },
  {
    check: "grant-target",
    done: () => addLike("grants", { kind: "collection" }, { id: "x", target: nothing })
  },
  { check: "grant-holder", done: () => set("grants", { kind: "space" }, { user: null }) },
  { check: "grant-holder", done: ({ team }) => set("grants", { kind: "space" }, { team }) },
  {
    check: "grant-holder",
    done: ({ organization, bob, team }) =>
      Effect.andThen(drop("members", { organization, user: bob }), drop("teamMembers", { team, user: bob }))
  }
]
