/** Merge rules as the fields of a form, and back. */
import type { MergeRule, MergeRules } from "@lectern/client/fetch"

/** The rules that are a choice between yes and no. */
export const switchRules = [
  "require_at_least_one_review",
  "require_all_reviews_approved",
  "require_up_to_date_change_request",
  "require_change_request_subject",
  "require_change_request_description"
] as const

/** The rules that name people. */
export const peopleRules = [
  "require_specific_reviewers",
  "require_one_of_specific_reviewers",
  "allow_bypass"
] as const

/** The fields of the form. */
export interface RuleFields {
  readonly source: MergeRules["type"]
  readonly switches: ReadonlySet<(typeof switchRules)[number]>
  /** The ids of the people of each rule that names people. */
  readonly people: Readonly<Record<(typeof peopleRules)[number], ReadonlyArray<string>>>
  readonly expression: string
  /** The rules that the form does not display. They remain. */
  readonly others: ReadonlyArray<MergeRule>
}

const noPeople: RuleFields["people"] = {
  require_specific_reviewers: [],
  require_one_of_specific_reviewers: [],
  allow_bypass: []
}

/** Returns the fields of rules. A second rule of a kind is one of the others: the form has one field for each. */
export const fieldsOfRules = (rules: MergeRules): RuleFields => {
  const list = rules.type === "rules" ? rules.rules : []
  const switches = new Set<(typeof switchRules)[number]>()
  let people = noPeople
  let expression = ""
  const others: Array<MergeRule> = []
  for (const rule of list) {
    const name = rule.rule
    const switched = switchRules.find((candidate) => candidate === name)
    if (switched !== undefined) switches.add(switched)
    else if ("users" in rule && people[rule.rule].length === 0)
      people = { ...people, [rule.rule]: rule.users }
    else if (rule.rule === "custom" && expression === "") expression = rule.expression
    else others.push(rule)
  }
  return { source: rules.type, switches, people, expression, others }
}

/** Returns the rules of fields. */
export const rulesOfFields = ({ source, switches, people, expression, others }: RuleFields): MergeRules => {
  if (source !== "rules") return { type: source }
  return {
    type: "rules",
    rules: [
      ...switchRules.filter((rule) => switches.has(rule)).map((rule): MergeRule => ({ rule })),
      ...peopleRules.flatMap(
        (rule): ReadonlyArray<MergeRule> => (people[rule].length === 0 ? [] : [{ rule, users: people[rule] }])
      ),
      ...(expression.trim() === "" ? [] : [{ rule: "custom" as const, expression: expression.trim() }]),
      ...others
    ]
  }
}
