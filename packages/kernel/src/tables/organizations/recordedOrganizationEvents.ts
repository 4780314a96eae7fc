/** The events that are recorded from changed rows. */

import {
  MemberEventData,
  OrganizationEventData,
  TeamEventData,
  TeamMemberEventData
} from "@lectern/model/organizations"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { members } from "./memberTable.ts"
import { organizations } from "./organizationTables.ts"
import { teamMembers, teams } from "./teamTables.ts"

/** The events of organizations. */
export const organizationEvents = resourceEvents("organization", "An organization.", organizations, {
  data: OrganizationEventData,
  actions: ["trashed", "restored"],
  actionOf: ({ deletedAt }) =>
    deletedAt === undefined ? undefined : deletedAt === null ? "restored" : "trashed"
})

/** The events of memberships. */
export const memberEvents = resourceEvents(
  "member",
  "The membership of a user in an organization.",
  members,
  {
    data: MemberEventData
  }
)

/** The events of teams. */
export const teamEvents = resourceEvents("team", "A team of members.", teams, {
  data: TeamEventData
})

/** The events of team members. */
export const teamMemberEvents = resourceEvents(
  "teamMember",
  "The membership of a user in a team.",
  teamMembers,
  {
    data: TeamMemberEventData
  }
)
