/** The manifest of the feature `organizations`. */

import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { invites } from "../../tables/organizations/inviteTable.ts"
import { members } from "../../tables/organizations/memberTable.ts"
import { emailDomains, organizations } from "../../tables/organizations/organizationTables.ts"
import {
  memberEvents,
  organizationEvents,
  teamEvents,
  teamMemberEvents
} from "../../tables/organizations/recordedOrganizationEvents.ts"
import { teamMembers, teams } from "../../tables/organizations/teamTables.ts"
import { Administration } from "./Administration.ts"
import { Invites } from "./Invites.ts"
import { Members } from "./Members.ts"
import { memberExaminations } from "./memberChecks.ts"
import { Organizations } from "./Organizations.ts"
import { organizationExaminations } from "./organizationChecks.ts"
import { Teams } from "./Teams.ts"

/** Organizations with their members, teams and invites. */
export const organizationsFeature = defineFeature("organizations", {
  tables: [organizations, members, teams, teamMembers, emailDomains, invites],
  events: [organizationEvents, memberEvents, teamEvents, teamMemberEvents],
  userServices: { organizations: Organizations, members: Members, teams: Teams, invites: Invites },
  layer: Layer.mergeAll(Administration.layer, Organizations.layer, Members.layer, Teams.layer, Invites.layer),
  examinations: [...organizationExaminations, ...memberExaminations]
})
