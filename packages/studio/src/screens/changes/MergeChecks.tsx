/** The merge rules of a change request, with their state. */
import type {
  ChangeRequest,
  ChangeRequestReview,
  MergePreview,
  RequestedReviewer,
  Space
} from "@lectern/client/fetch"
import { useOrganizations } from "../../data/organization.ts"
import { usePeople } from "../../data/people.ts"
import { Check, CircleDashed, HelpCircle } from "../../icons/icons.gen.ts"
import { useFormats } from "../../strings/formats.ts"
import { useStrings } from "../../strings/strings.ts"
import { checkMergeRules, decideChecks, effectiveRules, type RuleCheck } from "./mergeRules.ts"
import { reviewStrings } from "./reviewStrings.ts"

const icons = { passed: Check, missing: CircleDashed, unknown: HelpCircle }

const ruleTexts = {
  require_specific_reviewers: "rulePeople",
  require_one_of_specific_reviewers: "ruleOnePerson",
  require_at_least_one_review: "ruleReview",
  require_all_reviews_approved: "ruleApproved",
  require_agent_review: "ruleAgent",
  require_up_to_date_change_request: "ruleCurrent",
  require_change_request_subject: "ruleSubject",
  require_change_request_description: "ruleDescription",
  custom: "ruleCustom"
} as const

/** Properties of {@link MergeChecks}. */
export interface MergeChecksProps {
  readonly request: ChangeRequest
  readonly space: Space
  readonly reviews: ReadonlyArray<ChangeRequestReview>
  readonly requested: ReadonlyArray<RequestedReviewer>
  /** The preview of the merge by the person, once it is loaded. */
  readonly preview: MergePreview | undefined
}

const useNames = (organization: string, isNeeded: boolean) => {
  const people = usePeople(organization, isNeeded ? "" : undefined)
  return (id: string): string => people.data?.find((user) => user.id === id)?.displayName ?? id
}

/** The merge rules that apply to a change request. Nothing is displayed without rules. */
export const MergeChecks = ({ request, space, reviews, requested, preview }: MergeChecksProps) => {
  const t = useStrings(reviewStrings)
  const { list } = useFormats()
  const organizations = useOrganizations()
  const organization = organizations.data?.find(({ id }) => id === space.organization)
  const rules = effectiveRules(request.mergeRules, space.mergeRules, organization?.mergeRules)
  const checks = decideChecks(checkMergeRules(rules, { request, reviews, requested }), preview?.failingRules)
  const canBypass =
    preview?.failingRules.length === 0 &&
    checks.some(({ state }) => state === "missing") &&
    space.permissions.merge
  const nameOf = useNames(
    space.organization,
    checks.some(({ missing }) => missing.length > 0)
  )
  if (checks.length === 0) return null
  const textOf = ({ rule, missing }: RuleCheck): string =>
    t(ruleTexts[rule], { people: list(missing.map(nameOf)) })
  return (
    <section className="section" aria-label={t("rules")}>
      <h2>{t("rules")}</h2>
      <ul className="merge-checks">
        {checks.map((check, index) => {
          const Icon = icons[check.state]
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no other identity, and a rule can occur twice.
            <li key={index} className={`merge-check is-${check.state}`}>
              <Icon size={16} aria-label={t(check.state)} />
              <span>
                {textOf(check)}
                {check.expression === undefined ? null : <code>{check.expression}</code>}
              </span>
            </li>
          )
        })}
      </ul>
      {canBypass ? <p className="muted small">{t("canBypass")}</p> : null}
    </section>
  )
}
