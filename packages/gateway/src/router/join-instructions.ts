/**
 * What the packs and servers of a profile say of themselves, as every agent gets it at its start: within a bound, because
 * it stays in the model's context for good. The shortest come first: of a few long texts one alone could take all of it.
 */
import { OWN_PROVIDER, PACK_PROVIDER_PREFIX } from '@switchboard/protocol/naming'

interface Instructions {
  readonly provider: string
  readonly text: string
}

/** 500 tokens, as `estimateTokens` counts them. */
const MAX_CHARACTERS = 2_000
/** Less of a text than this is not worth its heading. */
const SMALLEST_PIECE = 200
const BETWEEN = '\n\n'

/** `all`: also those that say nothing. What the only server there is says needs no heading. */
export function joinInstructions(all: readonly Instructions[]): string {
  const spoken = all.map(({ provider, text }) => ({ provider, text: text.trim() })).filter(({ text }) => text !== '')
  const [first, second] = spoken
  const servers = all.filter(({ provider }) => provider !== OWN_PROVIDER)
  if (first === undefined) return ''
  if (second === undefined && servers.length === 1 && servers[0]?.provider === first.provider)
    return cut(first.text, MAX_CHARACTERS)
  const sorted = spoken
    .map(({ provider, text }) => ({ isOurs: provider === OWN_PROVIDER, heading: toHeading(provider), text }))
    .toSorted((one, other) => one.text.length - other.text.length)
  // How a mode is declared must reach the agent, however much others have to say.
  let left = MAX_CHARACTERS
  for (const { isOurs, heading, text } of sorted) if (isOurs) left -= lengthOf(heading, text)
  const parts: string[] = []
  for (const { isOurs, heading, text } of sorted) {
    if (isOurs) parts.push(heading + text)
    else if (lengthOf(heading, text) <= left) {
      left -= lengthOf(heading, text)
      parts.push(heading + text)
    } else {
      const room = left - lengthOf(heading, '')
      left = 0
      if (room >= SMALLEST_PIECE) parts.push(heading + cut(text, room))
    }
  }
  return cut(parts.join(BETWEEN), MAX_CHARACTERS)
}

function toHeading(provider: string): string {
  const name = provider.startsWith(PACK_PROVIDER_PREFIX) ? provider.slice(PACK_PROVIDER_PREFIX.length) : provider
  return `# ${name}${BETWEEN}`
}

function lengthOf(heading: string, text: string): number {
  return heading.length + text.length + BETWEEN.length
}

/** At a word's end, with a mark. */
function cut(text: string, characters: number): string {
  if (text.length <= characters) return text
  const piece = text.slice(0, characters - 2)
  const end = piece.lastIndexOf(' ')
  return `${piece.slice(0, end > characters / 2 ? end : undefined).trimEnd()} …`
}
