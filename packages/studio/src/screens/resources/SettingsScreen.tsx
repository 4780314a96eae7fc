/** The settings of a space: its title, how it is edited, and its merge rules. */
import type { Space, UpdateSpace, User } from "@lectern/client/fetch"
import { useState } from "react"
import { Button } from "../../components/Button.tsx"
import { CheckField, RadioField } from "../../components/CheckField.tsx"
import { characterOf } from "../../components/Emoji.tsx"
import { TextField } from "../../components/fields.tsx"
import { openConfirm } from "../../components/openConfirm.tsx"
import { SettingsForm } from "../../components/SettingsForm.tsx"
import { invalidate, untilUnused } from "../../data/cache.ts"
import { runChange } from "../../data/change.ts"
import { usePeople } from "../../data/people.ts"
import { spaceKey } from "../../data/spaces.ts"
import { navigate } from "../../router/location.ts"
import { client } from "../../session.ts"
import { useStrings } from "../../strings/strings.ts"
import { SpaceFrame } from "../imports/SpaceFrame.tsx"
import { fieldsOfRules, peopleRules, type RuleFields, rulesOfFields, switchRules } from "./mergeRuleForm.ts"
import { settingsStrings } from "./settingsStrings.ts"
import "./resources.css"

const update = async (space: Space, payload: UpdateSpace): Promise<void> => {
  await client.spaces.updateSpaceById({ params: { spaceId: space.id }, payload })
  invalidate(spaceKey(space.id))
  invalidate(`organizations/${space.organization}/spaces`)
}

const General = ({ space }: { readonly space: Space }) => {
  const t = useStrings(settingsStrings)
  const [title, setTitle] = useState(space.title)
  const [emoji, setEmoji] = useState(space.emoji === "" ? "" : characterOf(space.emoji))
  return (
    <SettingsForm
      title={t("general")}
      message={t("saved")}
      isDisabled={title.trim() === ""}
      onSubmit={() =>
        update(space, { title: title.trim(), emoji: emoji.trim() === "" ? null : emoji.trim() })
      }
    >
      {(errorOf) => (
        <>
          <TextField
            label={t("title")}
            maxLength={50}
            value={title}
            onChange={setTitle}
            error={errorOf("title")}
          />
          <TextField
            label={t("emoji")}
            description={t("emojiHint")}
            maxLength={20}
            value={emoji}
            onChange={setEmoji}
            error={errorOf("emoji")}
          />
          <div className="field">
            <span className="field-label">{t("visibility")}</span>
            <p>{t(`visibility-${space.visibility}`)}</p>
            <span className="field-description">{t("visibilityHint")}</span>
          </div>
        </>
      )}
    </SettingsForm>
  )
}

const Editing = ({ space }: { readonly space: Space }) => {
  const t = useStrings(settingsStrings)
  const [editMode, setEditMode] = useState(space.editMode ?? "live")
  return (
    <SettingsForm
      title={t("editing")}
      isPrimary={false}
      message={t("saved")}
      onSubmit={() => update(space, { editMode })}
    >
      {() => (
        <RadioField
          label={t("editing")}
          value={editMode}
          choices={[
            { value: "live", label: t("live"), description: t("liveHint") },
            { value: "locked", label: t("locked"), description: t("lockedHint") }
          ]}
          onChange={setEditMode}
        />
      )}
    </SettingsForm>
  )
}

const switchLabels = {
  require_at_least_one_review: "atLeastOne",
  require_all_reviews_approved: "allApproved",
  require_up_to_date_change_request: "upToDate",
  require_change_request_subject: "subject",
  require_change_request_description: "description"
} as const

const peopleLabels = {
  require_specific_reviewers: "allPeople",
  require_one_of_specific_reviewers: "onePerson",
  allow_bypass: "bypass"
} as const

interface PeopleFieldProps {
  readonly label: string
  readonly people: ReadonlyArray<User>
  readonly chosen: ReadonlyArray<string>
  readonly onChange: (ids: ReadonlyArray<string>) => void
}

/** A choice of people. People whom the list lacks remain chosen. */
const PeopleField = ({ label, people, chosen, onChange }: PeopleFieldProps) => (
  <details className="people-field">
    <summary>
      {label} <span className="count">{chosen.length}</span>
    </summary>
    <fieldset className="choices choices-scroll">
      <legend className="visually-hidden">{label}</legend>
      {people.map(({ id, displayName }) => (
        <CheckField
          key={id}
          label={displayName}
          isChecked={chosen.includes(id)}
          onChange={(isChosen) =>
            onChange(isChosen ? [...chosen, id] : chosen.filter((candidate) => candidate !== id))
          }
        />
      ))}
    </fieldset>
  </details>
)

const Rules = ({ space }: { readonly space: Space }) => {
  const t = useStrings(settingsStrings)
  const people = usePeople(space.organization, "")
  const [fields, setFields] = useState<RuleFields>(() => fieldsOfRules(space.mergeRules))
  const set = (change: Partial<RuleFields>) => setFields({ ...fields, ...change })
  const toggle = (rule: (typeof switchRules)[number], isOn: boolean) => {
    const switches = new Set(fields.switches)
    if (isOn) switches.add(rule)
    else switches.delete(rule)
    set({ switches })
  }
  return (
    <SettingsForm
      title={t("rules")}
      description={t("rulesHint")}
      isPrimary={false}
      message={t("saved")}
      onSubmit={() => update(space, { mergeRules: rulesOfFields(fields) })}
    >
      {(errorOf) => (
        <>
          <RadioField
            label={t("rules")}
            value={fields.source}
            choices={[
              { value: "inherit", label: t("inherit") },
              { value: "none", label: t("none") },
              { value: "rules", label: t("own") }
            ]}
            onChange={(source) => set({ source })}
          />
          {fields.source === "rules" ? (
            <>
              {switchRules.map((rule) => (
                <CheckField
                  key={rule}
                  label={t(switchLabels[rule])}
                  isChecked={fields.switches.has(rule)}
                  onChange={(isOn) => toggle(rule, isOn)}
                />
              ))}
              {peopleRules.map((rule) => (
                <PeopleField
                  key={rule}
                  label={t(peopleLabels[rule])}
                  people={people.data ?? []}
                  chosen={fields.people[rule]}
                  onChange={(ids) => set({ people: { ...fields.people, [rule]: ids } })}
                />
              ))}
              <TextField
                label={t("expression")}
                description={t("expressionHint")}
                maxLength={1_024}
                value={fields.expression}
                onChange={(expression) => set({ expression })}
                error={errorOf("mergeRules")}
              />
              {fields.others.length === 0 ? null : (
                <p className="muted small">{t("kept", { count: fields.others.length })}</p>
              )}
            </>
          ) : null}
        </>
      )}
    </SettingsForm>
  )
}

const Removal = ({ space }: { readonly space: Space }) => {
  const t = useStrings(settingsStrings)
  const params = { spaceId: space.id }
  const remove = async () => {
    // The screens of the space are left first: they cannot be loaded once it is in the trash.
    navigate("/")
    await untilUnused(spaceKey(space.id))
    const deleted = await runChange({
      send: async () => {
        await client.spaces.deleteSpaceById({ params })
        return true
      },
      message: t("trashed", { title: space.title }),
      failure: t("trashFailed"),
      undo: () => client.spaces.restoreSpace({ params }),
      invalidates: [`organizations/${space.organization}/spaces`]
    })
    if (deleted === undefined) navigate(`/spaces/${space.id}/settings`)
  }
  return (
    <section className="section settings-form">
      <h2>{t("danger")}</h2>
      <div>
        <Button
          variant="danger"
          onPress={() =>
            openConfirm({
              title: t("trashTitle"),
              body: t("trashBody"),
              confirm: t("trash"),
              run: () => void remove()
            })
          }
        >
          {t("trash")}
        </Button>
      </div>
    </section>
  )
}

/** The settings of a space. */
const SettingsScreen = ({ params }: { readonly params: { readonly space: string } }) => {
  const t = useStrings(settingsStrings)
  return (
    <SpaceFrame
      spaceId={params.space}
      title={t("settings")}
      isPermitted={({ permissions }) => permissions.admin}
    >
      {(space) => (
        <>
          <General key={`${space.title} ${space.emoji}`} space={space} />
          <Editing key={space.editMode} space={space} />
          <Rules key={JSON.stringify(space.mergeRules)} space={space} />
          <Removal space={space} />
        </>
      )}
    </SpaceFrame>
  )
}

export default SettingsScreen
