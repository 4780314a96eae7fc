import { invitations } from "./invitations.ts"
import { invites } from "./invites.ts"
import { members } from "./members.ts"
import { organizations } from "./organizations.ts"
import { teams } from "./teams.ts"

export const organizationsHandlers = { organizations, members, teams, invites, invitations }
