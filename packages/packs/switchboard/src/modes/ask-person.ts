/** Whether a person lets an agent work in a mode: the agent's own client asks. */
import { type AskRequests, type Call, isJsonObject } from '@switchboard/protocol'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'

export interface WantedMode {
  readonly instance: string
  readonly previous: string | null
  readonly mode: string
}

/** Rejects with `approval_denied` for everything but a yes. */
export async function askPerson(wanted: WantedMode, call: Call): Promise<void> {
  const { instance, previous, mode } = wanted
  const deny = (why: string): SwitchboardError =>
    new SwitchboardError('approval_denied', `The change to the mode "${mode}" needs a person's yes: ${why}`, {
      hint: `Ask the person to choose it: \`switchboard mode set ${instance} ${mode}\`, or the button in VS Code.`,
      details: { instance, mode, previous },
    })
  if (call.ask === undefined || !canFillForms(call.caller.capabilities)) {
    throw deny('this client cannot ask (it has no form elicitation)')
  }
  const { approval: answer } = await call.ask(createQuestion(wanted)).catch((thrown: unknown) => {
    const error = toSwitchboardError(thrown)
    throw call.signal.aborted || error.code === 'cancelled' ? error : deny(`the client did not ask (${error.message})`)
  })
  if (answer?.action === 'decline') throw deny('it was declined')
  if (answer?.action !== 'accept') throw deny('the question was dismissed')
  if (!isJsonObject(answer.content) || answer.content.answer !== 'yes') throw deny('the answer was no')
}

function createQuestion({ instance, previous, mode }: WantedMode): AskRequests {
  const from = previous === null ? 'It has no mode yet.' : `Its mode is "${previous}" now.`
  return {
    approval: {
      method: 'elicitation/create',
      params: {
        mode: 'form',
        message: `The agent in window ${instance} wants to work in the mode "${mode}". ${from} Let it?`,
        requestedSchema: {
          type: 'object',
          properties: {
            answer: {
              type: 'string',
              title: `Change window ${instance} to the mode "${mode}"?`,
              enum: ['yes', 'no'],
            },
          },
          required: ['answer'],
        },
      },
    },
  }
}

/** `elicitation: {}` is a form; with members, the form has to be among them. */
function canFillForms({ elicitation }: Call['caller']['capabilities']): boolean {
  if (!isJsonObject(elicitation)) return false
  return isJsonObject(elicitation.form) || !isJsonObject(elicitation.url)
}
