/** Records that a person is active. */
import { client } from "../../session.ts"

/** How often the server records that the person is active, in milliseconds. */
const visitMs = 60 * 60 * 1_000

/** Records that the person is active in the organization, which the list of members displays, until the signal is aborted. */
export const recordVisits = (organizationId: string, signal: AbortSignal): void => {
  const record = () =>
    // No screen displays the result, so a failure is silent.
    void client.members
      .updateOrganizationMemberLastSeenAt({ params: { organizationId } })
      .catch(() => undefined)
  record()
  const timer = setInterval(record, visitMs)
  signal.addEventListener("abort", () => clearInterval(timer))
}
