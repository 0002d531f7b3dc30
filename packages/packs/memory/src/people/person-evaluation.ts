/** `switchboard memory eval`: whether search by meaning helps on what is stored. */
import { readOptionalTexts } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { PersonCall } from '@switchboard/toolkit'
import { EncoderError } from '../encoders/encoder.ts'
import { ENCODED_SPACES } from '../encoders/encoder-config.ts'
import type { Host } from '../host.ts'
import { MIN_QUESTIONS, type SpaceEvaluation } from '../search/evaluate/evaluate-meaning.ts'

/** `spaces`: absent is all of them. */
export async function evaluate({ meaning }: Host, params: JsonObject, call: PersonCall): Promise<JsonObject> {
  if (meaning === undefined) {
    throw new SwitchboardError(
      'invalid_arguments',
      'No encoder is configured, so there is nothing to compare words with',
      {
        hint: 'Set packs.memory.encoder: see docs/memory-encoders.md.',
      },
    )
  }
  const named = readOptionalTexts(params, 'spaces', 'memory')
  const unknown = named.find((name) => !ENCODED_SPACES.some((space) => space === name))
  if (unknown !== undefined) {
    throw new SwitchboardError('invalid_arguments', `"${unknown}" is nothing that is searched by meaning`, {
      hint: `There are ${ENCODED_SPACES.join(', ')}.`,
    })
  }
  const spaces = ENCODED_SPACES.filter((space) => named.length === 0 || named.includes(space))
  const { signal } = call
  const onProgress = ({ space, done, total }: { space: string; done: number; total: number }) =>
    call.progress({ done, total, message: space })
  try {
    const evaluations = await meaning.evaluate({ spaces, signal, onProgress })
    return { place: meaning.status().place, spaces: evaluations.map((one) => toRow(one)) }
  } catch (error) {
    if (!(error instanceof EncoderError)) throw error
    throw new SwitchboardError('pack_failed', `The encoder ${error.message}`, {
      cause: error,
      hint: 'See that it runs and that packs.memory.encoder is right, then try again.',
    })
  }
}

/** Each says in words what follows. */
function toRow({ space, items, questions, result }: SpaceEvaluation): JsonObject {
  if (result === undefined) {
    return { space, items, questions, says: `too few to tell: at least ${MIN_QUESTIONS} questions are needed` }
  }
  const { model, text, meaning, fused, difference, error, outcome } = result
  const says = {
    better: 'meaning helps: it is used',
    worse: 'meaning makes it worse: it is not used',
    alike: 'no difference that is more than chance: it is not used',
  }[outcome]
  return { space, items, questions, model, text, meaning, fused, difference, error, outcome, says }
}
