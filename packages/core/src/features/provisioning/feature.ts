import { defineFeature } from "@lectern/kernel"
import { provisionedMembers, provisionedTeams } from "@lectern/kernel/tables"
import { Layer } from "effect"
import { ProvisionedMembers } from "./ProvisionedMembers.ts"
import { ProvisionedTeams } from "./ProvisionedTeams.ts"

/** Members and teams that an identity provider manages. */
export const provisioningFeature = defineFeature("provisioning", {
  uses: ["organizations"],
  tables: [provisionedMembers, provisionedTeams],
  userServices: { provisionedMembers: ProvisionedMembers, provisionedTeams: ProvisionedTeams },
  layer: Layer.merge(ProvisionedMembers.layer, ProvisionedTeams.layer)
})
