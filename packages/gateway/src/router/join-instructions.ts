/**
 * What the packs and servers of a profile say of themselves, as every agent gets it at its start: within a bound, because
 * it stays in the model's context for good. The shortest come first: of a few long texts one alone could take all of it.
 */
import { OWN_PROVIDER, PACK_PROVIDER_PREFIX } from '@switchboard/protocol/naming'

interface Instructions {
  readonly provider: string
  readonly text: string
  /** How many of its tools and prompts are held back. */
  readonly held?: number
}

/** 500 tokens, as `estimateTokens` counts them. */
const MAX_CHARACTERS = 2_000
/** Less of a text than this is not worth its heading. */
const SMALLEST_PIECE = 200
const BETWEEN = '\n\n'
const MAX_HOLDERS = 5

/** `all`: also those that say nothing. What the only server there is says needs no heading. `remarks`: ours, before all else. */
export function joinInstructions(all: readonly Instructions[], remarks: readonly string[] = []): string {
  const notices = [...remarks, describeHeld(all.filter(({ held = 0 }) => held > 0))].filter((notice) => notice !== '')
  const told = cut(notices.join('\n'), MAX_CHARACTERS)
  const spoken = all.map(({ provider, text }) => ({ provider, text: text.trim() })).filter(({ text }) => text !== '')
  const servers = all.filter(({ provider }) => provider !== OWN_PROVIDER).length
  const joined = join(spoken, servers, told === '' ? MAX_CHARACTERS : MAX_CHARACTERS - lengthOf('', told))
  return [told, joined].filter((part) => part !== '').join(BETWEEN)
}

/** Nobody else tells an agent why a tool is gone that it used yesterday. */
function describeHeld(holders: readonly Instructions[]): string {
  if (holders.length === 0) return ''
  const named = holders.slice(0, MAX_HOLDERS).map(({ provider, held }) => `${held} of ${provider}`)
  const more = holders.length > MAX_HOLDERS ? ` and of ${holders.length - MAX_HOLDERS} more servers` : ''
  const list = `${named.join(', ')}${more}`
  return `Held back until the user accepts what changed in them: ${list} (tools or prompts). \`switchboard trust list\` shows the user why.`
}

function join(spoken: readonly Omit<Instructions, 'held'>[], servers: number, most: number): string {
  const [first, second] = spoken
  if (first === undefined) return ''
  if (second === undefined && servers === 1 && first.provider !== OWN_PROVIDER) return cut(first.text, most)
  const sorted = spoken
    .map(({ provider, text }) => ({ isOurs: provider === OWN_PROVIDER, heading: toHeading(provider), text }))
    .toSorted((one, other) => one.text.length - other.text.length)
  // How a mode is declared must reach the agent, however much others have to say.
  let left = most
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
  return cut(parts.join(BETWEEN), most)
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
  if (characters < 2) return ''
  if (text.length <= characters) return text
  const piece = text.slice(0, characters - 2)
  const end = piece.lastIndexOf(' ')
  return `${piece.slice(0, end > characters / 2 ? end : undefined).trimEnd()} …`
}
