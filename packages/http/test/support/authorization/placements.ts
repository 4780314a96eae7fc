/** The sources of a role of a caller: in the organization, by the default level, by a grant, or in a team. */
import { type DefaultLevel, type Role, type RoleOrGuest, roles } from "@lectern/core"

/** A source of a caller's role. */
export interface Placement {
  /** The name in the title of a test. */
  readonly name: string
  readonly member: RoleOrGuest | "outsider"
  /** The default level of the space and the collection. */
  readonly level: DefaultLevel
  /** A grant to the caller or their team, on the content itself or on the collection two above it. */
  readonly grant?: { readonly to: "user" | "team"; readonly on: "itself" | "above"; readonly role: Role }
  /** A grant to the caller or their team on the site. */
  readonly siteGrant?: { readonly to: "user" | "team"; readonly role: Role }
  readonly team?: "owner" | "member"
  /** Whether an organization whose administrator is the caller has published the integration of the scene. */
  readonly isPublisher?: true
  /** The caller sends a token of the installation with every scope, which is limited to some spaces and sites. */
  readonly installation?: "of all content" | "of other content"
  /** Whether `npm test` calls every operation: the callers who differ in their role, and not only in its source. */
  readonly callsEveryOperation?: true
  /** Whether `npm test` also sends invalid inputs: callers without access, with the lowest and the highest role, and of a token. */
  readonly sendsInvalidInputs?: true
}

const callsEveryOperation = true as const
const sendsInvalidInputs = true as const

/** Every source of a role, for every role. */
export const placements: ReadonlyArray<Placement> = [
  {
    name: "an outsider",
    member: "outsider",
    level: "inherit",
    callsEveryOperation,
    sendsInvalidInputs
  },
  { name: "a guest without a grant", member: null, level: "admin", callsEveryOperation },
  { name: "a member without a grant, with the default level null", member: "create", level: null },
  ...roles.map((role) => ({
    name: `a member, ${role}`,
    member: role,
    level: "inherit" as const,
    callsEveryOperation,
    ...(role === "read" || role === "admin" ? { sendsInvalidInputs } : {})
  })),
  ...roles.map((role) => ({
    name: `a reader, ${role} by the default level`,
    member: "read" as const,
    level: role
  })),
  ...roles.flatMap((role) =>
    (["user", "team"] as const).flatMap((to) =>
      (["itself", "above"] as const).map((on) => ({
        name: `a guest, ${role} by a grant to the ${to} on ${on === "itself" ? "the content" : "a collection above"}`,
        member: null,
        level: "inherit" as const,
        grant: { to, on, role }
      }))
    )
  ),
  ...roles.flatMap((role) =>
    (
      [
        ["guest", null, "user"],
        ["reader", "read", "team"]
      ] as const
    ).map(([name, member, to]) => ({
      name: `a ${name}, ${role} by a grant to the ${to} on the site`,
      member,
      level: "inherit" as const,
      siteGrant: { to, role }
    }))
  ),
  { name: "a guest who owns the team", member: null, level: "inherit", team: "owner" },
  { name: "a reader who owns the team", member: "read", level: "inherit", team: "owner" },
  {
    name: "the publisher of an integration, who is not a member",
    member: "outsider",
    level: "inherit",
    isPublisher: true
  },
  {
    name: "a token of an installation with every scope, on all content",
    member: "admin",
    level: "inherit",
    installation: "of all content",
    callsEveryOperation
  },
  {
    name: "a token of an installation with every scope, on other content",
    member: "admin",
    level: "inherit",
    installation: "of other content",
    callsEveryOperation,
    sendsInvalidInputs
  },
  { name: "a reader in the team", member: "read", level: "inherit", team: "member" }
]
