/** Writes to teams and identity providers. */
import { grantSubjects } from "./permissions.ts"
import {
  byRow,
  type Created,
  fact,
  isListed,
  isMissing,
  isUnlisted,
  itemFact,
  itemSubject,
  organizationPath,
  pickOne,
  removeWhere,
  uniqueName,
  type WriteKind,
  type WriteKinds,
  type Writer
} from "./writes.ts"

const teamPath = (writer: Writer, team: string): string => `${organizationPath(writer)}/teams/${team}`

const membersOf = (writer: Writer, team: string): string => `${teamPath(writer, team)}/members`

/** The field with the id of the user, in the items of a list of team members. */
const memberKey = "organization.id"

/** The subjects of the facts about a user as a member of teams. */
export const teamMemberSubjects = (writer: Writer, user: string): ReadonlyArray<string> =>
  writer.teams.map((team) => itemSubject(membersOf(writer, team), user))

const createTeam: WriteKind = (writer) => {
  const title = uniqueName(writer)
  const members = writer.users.slice(0, 2)
  return {
    ...byRow(writer, "createOrganizationTeam", {}, { title, members }),
    done: ({ id }: Created) => {
      writer.teams.push(id)
      writer.teamMembers.push(...members.map((user) => ({ team: id, user })))
      return [
        fact(teamPath(writer, id), "title", title),
        ...members.map((user) => isListed(membersOf(writer, id), user, memberKey))
      ]
    }
  }
}

const renameTeam: WriteKind = (writer) => {
  const team = pickOne(writer, writer.teams)
  if (team === undefined) return undefined
  const title = uniqueName(writer)
  return {
    ...byRow(writer, "updateTeamInOrganizationById", { teamId: team }, { title }),
    facts: [fact(teamPath(writer, team), "title", title)]
  }
}

/** Removes a team, which also removes its grants. */
const removeTeam: WriteKind = (writer) => {
  const team = writer.teams.length < 3 ? undefined : pickOne(writer, writer.teams)
  if (team === undefined) return undefined
  removeWhere(writer.teams, (id) => id === team)
  removeWhere(writer.teamMembers, (member) => member.team === team)
  return {
    ...byRow(writer, "removeTeamFromOrganizationById", { teamId: team }),
    makesUncertain: grantSubjects(writer, team),
    facts: [isMissing(teamPath(writer, team))]
  }
}

const addTeamMembers: WriteKind = (writer) => {
  const [team, user] = [pickOne(writer, writer.teams), pickOne(writer, writer.users)]
  if (team === undefined || user === undefined) return undefined
  return {
    ...byRow(writer, "updateMembersInOrganizationTeam", { teamId: team }, { add: [user] }),
    facts: [isListed(membersOf(writer, team), user, memberKey)],
    done: () => void writer.teamMembers.push({ team, user })
  }
}

const putTeamOwner: WriteKind = (writer) => {
  const [team, user] = [pickOne(writer, writer.teams), pickOne(writer, writer.users)]
  if (team === undefined || user === undefined) return undefined
  return {
    ...byRow(writer, "addMemberToOrganizationTeamById", { teamId: team, userId: user }),
    facts: [itemFact(membersOf(writer, team), user, "team.role", "owner", memberKey)],
    done: () => void writer.teamMembers.push({ team, user })
  }
}

const removeTeamMember: WriteKind = (writer) => {
  const member = pickOne(writer, writer.teamMembers)
  if (member === undefined) return undefined
  const { team, user } = member
  removeWhere(writer.teamMembers, (other) => other.team === team && other.user === user)
  return {
    ...byRow(writer, "deleteMemberFromOrganizationTeamById", { teamId: team, userId: user }),
    facts: [isUnlisted(membersOf(writer, team), user, memberKey)]
  }
}

const providerPath = (writer: Writer, provider: string): string =>
  `${organizationPath(writer)}/saml/${provider}`

const createSamlProvider: WriteKind = (writer) => {
  const team = pickOne(writer, writer.teams)
  if (team === undefined) return undefined
  const label = uniqueName(writer)
  return {
    ...byRow(writer, "createOrganizationSAMLProvider", { teamId: team }, { label }),
    done: ({ id }: Created) => {
      writer.samlProviders.push(id)
      return [fact(providerPath(writer, id), "label", label)]
    }
  }
}

const renameSamlProvider: WriteKind = (writer) => {
  const provider = pickOne(writer, writer.samlProviders)
  if (provider === undefined) return undefined
  const label = uniqueName(writer)
  return {
    ...byRow(writer, "updateOrganizationSAMLProvider", { samlProviderId: provider }, { label }),
    facts: [fact(providerPath(writer, provider), "label", label)]
  }
}

const removeSamlProvider: WriteKind = (writer) => {
  const provider = pickOne(writer, writer.samlProviders)
  if (provider === undefined) return undefined
  removeWhere(writer.samlProviders, (id) => id === provider)
  return {
    ...byRow(writer, "deleteOrganizationSAMLProvider", { samlProviderId: provider }),
    facts: [isMissing(providerPath(writer, provider))]
  }
}

const oidcProviderPath = (writer: Writer, provider: string): string =>
  `${organizationPath(writer)}/oidc/${provider}`

const createOidcProvider: WriteKind = (writer) => {
  const team = pickOne(writer, writer.teams)
  if (team === undefined) return undefined
  const label = uniqueName(writer)
  return {
    ...byRow(writer, "createOrganizationOIDCProvider", { teamId: team }, { label }),
    done: ({ id }: Created) => {
      writer.oidcProviders.push(id)
      return [fact(oidcProviderPath(writer, id), "label", label)]
    }
  }
}

const renameOidcProvider: WriteKind = (writer) => {
  const provider = pickOne(writer, writer.oidcProviders)
  if (provider === undefined) return undefined
  const label = uniqueName(writer)
  return {
    ...byRow(writer, "updateOrganizationOIDCProvider", { oidcProviderId: provider }, { label }),
    facts: [fact(oidcProviderPath(writer, provider), "label", label)]
  }
}

const removeOidcProvider: WriteKind = (writer) => {
  const provider = pickOne(writer, writer.oidcProviders)
  if (provider === undefined) return undefined
  removeWhere(writer.oidcProviders, (id) => id === provider)
  return {
    ...byRow(writer, "deleteOrganizationOIDCProvider", { oidcProviderId: provider }),
    facts: [isMissing(oidcProviderPath(writer, provider))]
  }
}

/** The kinds of these writes, by operation. */
export const teamWrites = {
  createOrganizationTeam: [createTeam],
  updateTeamInOrganizationById: [renameTeam],
  removeTeamFromOrganizationById: [removeTeam],
  updateMembersInOrganizationTeam: [addTeamMembers],
  addMemberToOrganizationTeamById: [putTeamOwner],
  deleteMemberFromOrganizationTeamById: [removeTeamMember],
  createOrganizationSAMLProvider: [createSamlProvider],
  updateOrganizationSAMLProvider: [renameSamlProvider],
  deleteOrganizationSAMLProvider: [removeSamlProvider],
  createOrganizationOIDCProvider: [createOidcProvider],
  updateOrganizationOIDCProvider: [renameOidcProvider],
  deleteOrganizationOIDCProvider: [removeOidcProvider]
} satisfies WriteKinds
