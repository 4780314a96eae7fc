import { defineFeature } from "@lectern/kernel"
import {
  emailDomains,
  invitations,
  invites,
  memberEvents,
  members,
  organizationEvents,
  organizations,
  suspensions,
  teamEvents,
  teamMemberEvents,
  teamMembers,
  teams
} from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
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
  tables: [organizations, members, teams, teamMembers, emailDomains, invites, invitations, suspensions],
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
