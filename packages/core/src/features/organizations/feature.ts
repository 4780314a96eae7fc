import { Effect, Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { invitations } from "../../tables/organizations/invitationTable.ts"
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
import { Invitations } from "./Invitations.ts"
import { Invites } from "./Invites.ts"
import { makeInvitationMails } from "./invitationMails.ts"
import { Joins } from "./Joins.ts"
import { Members } from "./Members.ts"
import { memberExaminations } from "./memberChecks.ts"
import { Organizations } from "./Organizations.ts"
import { organizationExaminations } from "./organizationChecks.ts"
import { makeSignInMails } from "./signInMails.ts"
import { Teams } from "./Teams.ts"

/** Organizations with their members, teams and invites. */
export const organizationsFeature = defineFeature("organizations", {
  uses: ["mail", "sessions", "tokens"],
  tables: [organizations, members, teams, teamMembers, emailDomains, invites, invitations],
  events: [organizationEvents, memberEvents, teamEvents, teamMemberEvents],
  userServices: {
    organizations: Organizations,
    members: Members,
    teams: Teams,
    invites: Invites,
    invitations: Invitations,
    joins: Joins
  },
  layer: Layer.mergeAll(
    Administration.layer,
    Organizations.layer,
    Members.layer,
    Teams.layer,
    Invites.layer,
    Invitations.layer,
    Joins.layer
  ),
  jobs: Effect.all([makeInvitationMails, makeSignInMails]),
  examinations: [...organizationExaminations, ...memberExaminations]
})
