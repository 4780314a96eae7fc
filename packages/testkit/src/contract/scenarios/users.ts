/** Users read and change accounts. */
import type { OwnData, User } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const users: ContractScenario = {
  title: "A user updates their own account, and reads other accounts",
  requires: ["users"],
  run: async ({ ada, bob }) => {
    const changes = { displayName: "Bob Brown", photoURL: "https://www.example.com/bob.png" }
    const changed = await bob.call<User>("updateUserById", { userId: bob.id }, { body: changes })
    expect(changed).toMatchObject({ ...changes, id: bob.id })
    expect(await ada.call<User>("getUserById", { userId: bob.id })).toMatchObject({ ...changes, id: bob.id })
    const data = await bob.call<OwnData>("exportOwnData")
    expect(data.account).toMatchObject({ ...changes, id: bob.id, email: bob.email })
    expect(data.memberships).toMatchObject({ items: [{ role: "edit" }], isCut: false })
    await ada.expectError(403, "updateUserById", { userId: bob.id }, { body: { displayName: "Robert" } })
  }
}
