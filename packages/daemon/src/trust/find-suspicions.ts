/**
 * What no definition of a tool has a reason to hold: characters that nobody sees, and orders to the model that have nothing to
 * do with the tool. A short list that was measured on the definitions of real servers (docs/trust.md): it is no judge of
 * intentions, and who words it cleverly gets by.
 *
 * Every word is looked at once, and a few that follow it: the time is linear in the text.
 */
import { listHidden } from '@switchboard/base'
import type { OfferedDefinition } from './definition.ts'
import { collectTexts } from './definition-texts.ts'
import { isMixed, toPlainLetters } from './plain-letters.ts'

const MOST_NAMED = 4
/** More than a model would want to read of one tool: nobody reads it through who accepts it. */
const MAX_CHARACTERS = 128 * 1024
/** Of all of a server: what is looked at keeps others waiting. */
const MAX_AT_ONCE = 1024 * 1024
/** Nearly every text: nothing in it can hide, or look like another letter. */
const PLAIN = /^[\x20-\x7e\t\n\r]*$/

/** Looks at one definition after the other; returns half sentences, as reasons why something is held back. */
export function createSuspect(): (definition: OfferedDefinition) => string[] {
  let looked = 0
  return ({ name, content }) => {
    const text = collectTexts(name, content)
    if (text.length > MAX_CHARACTERS) return [`it is ${text.length} characters long`]
    looked += text.length
    return looked > MAX_AT_ONCE ? ['there is more of its server than is looked at'] : findSuspicions(name, text)
  }
}

function findSuspicions(name: string, text: string): string[] {
  const isPlain = PLAIN.test(text)
  const hidden = isPlain ? [] : listHidden(text)
  const plain = isPlain ? text.toLowerCase() : toPlainLetters(text)
  const more = hidden.length > MOST_NAMED ? ', …' : ''
  return [
    ...(hidden.length === 0
      ? []
      : [`it holds characters that nobody sees (${hidden.slice(0, MOST_NAMED).join(', ')}${more})`]),
    ...(isMixed(name) ? ['its name mixes letters of several alphabets'] : []),
    ...findOrders(plain).map((order) => `it holds an order to the model: ${order}`),
  ]
}

function findOrders(text: string): string[] {
  const found = new Set<string>()
  for (const { says, pattern } of MARKS) if (pattern.test(text)) found.add(says)
  const words = text.split(BETWEEN_WORDS)
  const mayNameSecrets = SECRET_NAME.test(text)
  for (const [at, word] of words.entries()) {
    for (const { says, steps } of PHRASES.get(word) ?? []) if (leads(words, at + 1, steps)) found.add(says)
    if (!mayNameSecrets || !SECRET_FILE.test(word)) continue
    const before = words.slice(Math.max(0, at - MOST_BEFORE), at)
    if (before.slice(before.findLastIndex(endsSentence) + 1).some(isTaking)) found.add(TAKES_SECRETS)
  }
  return [...found]
}

const BETWEEN_WORDS = /[\s"'`()[\]{}<>,:]+/

/** What looks as if the conversation itself began anew. */
const MARKS: readonly { readonly says: string; readonly pattern: RegExp }[] = [
  {
    says: 'it marks its text as a message of the system',
    pattern: /<\/?(?:important|system|secret|hidden|system-reminder|system_prompt)>/,
  },
  {
    says: 'it holds marks of a conversation',
    pattern: /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?inst\]|<<sys>>/,
  },
]

interface Step {
  readonly words: ReadonlySet<string>
  /** How many words after the one before it at most. */
  readonly within: number
}

interface Phrase {
  readonly says: string
  readonly steps: readonly Step[]
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const SECRET_FILE =
  /(?:^|[~/\\])\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|git-credentials|cursor|claude)(?:$|[/\\.;!?])|(?:^|[/\\])id_(?:rsa|ed25519)|^\/etc\/(?:passwd|shadow)/
/** Before every word is looked at by itself. */
const SECRET_NAME = /\.(?:ssh|aws|gnupg|kube|netrc|npmrc|pypirc|git-c|cursor|claude)|id_rsa|id_ed|\/etc\//
const TAKES_SECRETS = 'to read or send files that hold secrets'
const MOST_BEFORE = 12
const TAKING = setOf('read cat open load include pass send upload copy paste fetch access attach')
const isTaking = (word: string): boolean => TAKING.has(word)

/** By the word that they begin with. */
const PHRASES: ReadonlyMap<string, readonly Phrase[]> = indexPhrases([
  {
    says: 'to ignore what it was told before',
    begins: 'ignore disregard forget',
    follows: [
      ['previous prior above earlier preceding other system your existing', 4],
      ['instruction instructions prompt prompts rule rules guideline guidelines guardrails directions', 3],
    ],
  },
  {
    says: 'to keep something from the user',
    begins: 'not never don dont without avoid',
    follows: [
      [
        'tell telling inform informing mention mentioning reveal revealing notify notifying alert disclose disclosing',
        3,
      ],
      ['user users human person operator', 6],
    ],
  },
  {
    says: 'to keep something from the user',
    begins: 'without',
    follows: [
      ['user users human person operator', 2],
      ['knowing noticing', 2],
    ],
  },
  {
    says: 'to send what was said or kept elsewhere',
    begins: 'send forward upload transmit exfiltrate leak attach',
    follows: [
      ['entire whole full complete all every', 3],
      ['conversation conversations chat credentials passwords secrets keys', 4],
    ],
  },
  {
    says: 'to tell what it was told by the system',
    begins: 'reveal repeat print output reproduce leak disclose',
    follows: [
      ['system', 4],
      ['prompt prompts', 1],
    ],
  },
])

function indexPhrases(
  all: readonly {
    readonly says: string
    readonly begins: string
    readonly follows: readonly (readonly [words: string, within: number])[]
  }[],
): Map<string, Phrase[]> {
  const index = new Map<string, Phrase[]>()
  for (const { says, begins, follows } of all) {
    const steps = follows.map(([words, within]) => ({ words: setOf(words), within }))
    for (const word of setOf(begins)) index.set(word, [...(index.get(word) ?? []), { says, steps }])
  }
  return index
}

/** A few words on, and no further than the sentence goes. */
function leads(words: readonly string[], at: number, [step, ...rest]: readonly Step[]): boolean {
  if (step === undefined) return true
  for (let next = at; next < at + step.within && next < words.length; next++) {
    if (next > 0 && endsSentence(words[next - 1] ?? '')) return false
    if (step.words.has(toBareWord(words[next] ?? '')) && leads(words, next + 1, rest)) return true
  }
  return false
}

function endsSentence(word: string): boolean {
  const last = word.at(-1)
  return last === '.' || last === '!' || last === '?' || last === ';'
}

function toBareWord(word: string): string {
  return endsSentence(word) ? word.slice(0, -1) : word
}
