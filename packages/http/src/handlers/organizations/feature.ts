/** The handlers of the endpoints of organizations. */

import { invitations } from "./invitations.ts"
import { invites } from "./invites.ts"
import { members } from "./members.ts"
import { organizations } from "./organizations.ts"
import { teams } from "./teams.ts"

/** The handlers of each group of endpoints of organizations, by the name of the group. */
export const organizationsHandlers = { organizations, members, teams, invites, invitations }
