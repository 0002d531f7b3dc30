/** Asks for the fields of an elicitation, one after the other. Empty takes the default; Ctrl-D declines the whole form. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { toSafeLine } from '../terminal/safe-text.ts'
import { propertiesOf } from './describe-arguments.ts'
import { type FormField, readField, readFieldAnswer } from './form-field.ts'
import type { TerminalPrompt } from './terminal-prompt.ts'

const DECLINED = { action: 'decline' }

export async function fillForm(prompt: TerminalPrompt, schema: unknown): Promise<JsonObject> {
  const form = isJsonObject(schema) ? schema : {}
  const required = Array.isArray(form.required) ? form.required : []
  const fields = Object.entries(propertiesOf(form)).map(([name, property]) =>
    readField(name, property, required.includes(name)),
  )
  prompt.say(prompt.style.dim('  (Ctrl-D declines)'))
  const content: JsonObject = {}
  if (fields.length === 0) {
    const answer = await prompt.ask('  Agree? [y/N] ')
    return /^y(?:es)?$/i.test(answer?.trim() ?? '') ? { action: 'accept', content } : DECLINED
  }
  for (const field of fields) {
    const answer = await askField(prompt, field)
    if (answer === DECLINE) return DECLINED
    if (answer !== undefined) content[field.name] = answer
  }
  return { action: 'accept', content }
}

const DECLINE = Symbol('decline')

/** Undefined: left out. */
async function askField(prompt: TerminalPrompt, field: FormField): Promise<unknown> {
  const { style } = prompt
  if (field.description !== '') prompt.say(`  ${style.dim(toSafeLine(field.description))}`)
  for (const [index, choice] of field.choices.entries()) {
    prompt.say(`    ${style.cyan(String(index + 1))} ${toSafeLine(choice.label)}`)
  }
  const fallback = field.fallback === undefined ? '' : ` [${toSafeLine(String(field.fallback))}]`
  const kind = style.dim(`(${field.kind}${field.isRequired ? '' : ', optional'})`)
  for (;;) {
    const answer = await prompt.ask(`  ${toSafeLine(field.label)} ${kind}${fallback}: `)
    if (answer === undefined) return DECLINE
    if (answer.trim() !== '') {
      const read = readFieldAnswer(field, answer.trim())
      if ('value' in read) return read.value
      prompt.say(`  ${style.yellow(read.problem)}`)
      continue
    }
    if (field.fallback !== undefined) return field.fallback
    if (!field.isRequired) return undefined
    const confirmed = await prompt.ask('  This one is needed. Decline the whole form? [y/N] ')
    if (confirmed === undefined || /^y(?:es)?$/i.test(confirmed.trim())) return DECLINE
  }
}
