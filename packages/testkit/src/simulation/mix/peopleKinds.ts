/** Calls on comments, members, teams, permissions, tokens and webhooks. */
import { type CallKind, command, idIn, learnId, query } from "./CallKind.ts"
import { makeTitle } from "./contentKinds.ts"
import { type Choice, type KnownComment, pickRecent } from "./KnownResources.ts"

const targetOf = ({ space, changeRequest }: Omit<KnownComment, "id">) => ({
  space,
  ...(changeRequest === undefined ? {} : { changeRequest })
})

const chooseTarget = ({ random, known }: Choice) => {
  const request = random.chance(0.4) ? pickRecent(random, known.changeRequests) : undefined
  if (request !== undefined) return { space: request.space, changeRequest: request.id }
  const space = pickRecent(random, known.spaces)
  return space === undefined ? undefined : { space, changeRequest: undefined }
}

const chooseComment = ({ random, known }: Choice) => {
  const comment = pickRecent(random, known.comments)
  return comment === undefined ? undefined : { target: targetOf(comment), comment: comment.id }
}

const chooseReply = ({ random, known }: Choice) => {
  const reply = pickRecent(random, known.replies)
  return reply === undefined
    ? undefined
    : { target: targetOf(reply.comment), comment: reply.comment.id, reply: reply.id }
}

const makeText = ({ random }: Choice) => ({ body: { markdown: `About the ${makeTitle(random)}.` } })

const withText = <A extends object>(choice: Choice, target: A | undefined) =>
  target === undefined ? undefined : { ...target, input: makeText(choice) }

/** The kinds of calls on comments. */
export const commentKinds: ReadonlyArray<CallKind> = [
  command(
    "Comments.create",
    (choice) => {
      const target = chooseTarget(choice)
      return target === undefined ? undefined : { target: targetOf(target), input: makeText(choice) }
    },
    {
      learn: (known, result, { target }) => {
        const id = idIn(result)
        const { space, changeRequest } = target as { space: string; changeRequest?: string }
        if (id !== undefined) known.comments.push({ space, changeRequest, id })
      }
    }
  ),
  command("Comments.update", (choice) => {
    const comment = chooseComment(choice)
    if (comment === undefined) return undefined
    return choice.random.chance(0.5)
      ? { ...comment, input: { resolved: choice.random.chance(0.5) } }
      : withText(choice, comment)
  }),
  command("Comments.remove", chooseComment),
  command("Comments.createReply", (choice) => withText(choice, chooseComment(choice)), {
    learn: (known, result, { target, comment }) => {
      const id = idIn(result)
      const { space, changeRequest } = target as { space: string; changeRequest?: string }
      if (id !== undefined)
        known.replies.push({ comment: { space, changeRequest, id: comment as string }, id })
    }
  }),
  command("Comments.updateReply", (choice) => withText(choice, chooseReply(choice))),
  command("Comments.removeReply", chooseReply),
  query("Comments.list", (choice) => {
    const target = chooseTarget(choice)
    return target === undefined ? undefined : { target: targetOf(target), input: {} }
  }),
  query("Comments.listReplies", (choice) => {
    const comment = chooseComment(choice)
    return comment === undefined ? undefined : { ...comment, input: {} }
  })
]

const roles = ["admin", "create", "review", "edit", "comment", "read"]

const chooseMember = ({ random, known: { organization, users } }: Choice) => ({
  organization,
  // The first one stays an administrator.
  user: users[1 + random.below(users.length - 1)]
})

const chooseTeam = ({ random, known: { organization, teams } }: Choice) => {
  const team = pickRecent(random, teams)
  return team === undefined ? undefined : { organization, team }
}

const chooseShared = ({ random, known }: Choice) => {
  const space = pickRecent(random, known.spaces)
  return space === undefined ? undefined : { content: { space }, user: random.pick(known.users) }
}

const inOrganization = ({ known: { organization } }: Choice) => ({ organization, input: {} })

/** The kinds of calls on members, teams and permissions. */
export const memberKinds: ReadonlyArray<CallKind> = [
  command("Members.update", (choice) => ({
    ...chooseMember(choice),
    input: { role: choice.random.pick(roles) }
  })),
  command(
    "Teams.create",
    (choice) => ({
      organization: choice.known.organization,
      input: { title: makeTitle(choice.random), members: [choice.random.pick(choice.known.users)] }
    }),
    { learn: learnId(({ teams }) => teams) }
  ),
  command("Teams.putMember", (choice) => {
    const team = chooseTeam(choice)
    return team === undefined
      ? undefined
      : { ...team, user: choice.random.pick(choice.known.users), input: {} }
  }),
  command("Teams.removeMember", (choice) => {
    const team = chooseTeam(choice)
    return team === undefined ? undefined : { ...team, user: choice.random.pick(choice.known.users) }
  }),
  command("Permissions.updateUser", (choice) => {
    const shared = chooseShared(choice)
    return shared === undefined ? undefined : { ...shared, input: { role: choice.random.pick(roles) } }
  }),
  command("Permissions.removeUser", chooseShared),
  query("Members.list", inOrganization),
  query("Teams.list", inOrganization),
  query("Permissions.listUsers", (choice) => {
    const shared = chooseShared(choice)
    return shared === undefined ? undefined : { content: shared.content, input: {} }
  })
]

const chooseToken = ({ random, known, user }: Choice) => {
  const token = pickRecent(
    random,
    known.tokens.filter((one) => one.user === user)
  )
  return token === undefined ? undefined : { token: token.id }
}

const chooseWebhook = ({ random, known: { organization, webhooks } }: Choice) => {
  const webhook = pickRecent(random, webhooks)
  return webhook === undefined ? undefined : { organization, webhook }
}

/** The URL of a receiver of the simulation. */
export const receiverUrl = (organization: string, number: number): string =>
  `https://receiver-${number}.example/${organization}`

/** The kinds of calls on tokens and webhooks. */
export const integrationKinds: ReadonlyArray<CallKind> = [
  command("Tokens.create", (choice) => ({ input: { label: makeTitle(choice.random) } }), {
    learn: (known, result, _, user) => {
      const id = idIn(result)
      if (id !== undefined) known.tokens.push({ user, id })
    }
  }),
  command("Tokens.update", (choice) => {
    const token = chooseToken(choice)
    return token === undefined ? undefined : { ...token, input: { label: makeTitle(choice.random) } }
  }),
  command("Tokens.rotate", (choice) => {
    const token = chooseToken(choice)
    return token === undefined ? undefined : { ...token, input: { formerSecretHours: 1 } }
  }),
  command("Tokens.revoke", chooseToken),
  command(
    "Webhooks.create",
    ({ random, known }) =>
      known.webhooks.length >= 4
        ? undefined
        : {
            organization: known.organization,
            input: { url: receiverUrl(known.organization, random.below(3)) }
          },
    { learn: learnId(({ webhooks }) => webhooks) }
  ),
  command("Webhooks.update", (choice) => {
    const webhook = chooseWebhook(choice)
    if (webhook === undefined) return undefined
    const input = choice.random.chance(0.7)
      ? { description: makeTitle(choice.random) }
      : { active: choice.random.chance(0.7) }
    return { ...webhook, input }
  }),
  command("Webhooks.rotateSecret", (choice) => {
    const webhook = chooseWebhook(choice)
    return webhook === undefined ? undefined : { ...webhook, input: { formerSecretHours: 1 } }
  }),
  command("Webhooks.remove", (choice) =>
    choice.known.webhooks.length < 2 ? undefined : chooseWebhook(choice)
  ),
  query("Tokens.list", () => ({ input: {} })),
  query("Webhooks.list", inOrganization),
  query(
    "Webhooks.listDeliveries",
    (choice) => {
      const webhook = chooseWebhook(choice)
      return webhook === undefined ? undefined : { ...webhook, input: {} }
    },
    { isCompared: false }
  ),
  query("Events.list", inOrganization, { isCompared: false })
]
