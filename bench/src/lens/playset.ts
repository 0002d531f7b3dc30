/** A playset that nobody wrote: a game and mods over it, the same for the same seed, in the shapes that real ones have. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'

export interface SyntheticPlayset {
  readonly files: number
  readonly bytes: number
  /** Keys that are defined in it, to look for. */
  readonly names: readonly string[]
}

const WORDS =
  `ancient banner bishop castle chancellor claim county court culture defender duchy emperor faith feast feudal
garrison harvest heir hostage hunt inheritance journey king knight levy liege marriage marshal merchant noble oath order parish
pilgrim plague prince ransom realm regent relic rival siege steward throne tournament treaty tribute vassal vow war warden`.split(
    /\s+/,
  )

/** Folders with what their files define, and of a hundred files how many. */
const FOLDERS: readonly (readonly [
  folder: string,
  share: number,
  write: (key: string, random: SeededRandom) => string,
])[] = [
  ['events', 22, writeEvent],
  ['common/decisions', 10, writeBlock],
  ['common/scripted_effects', 12, writeBlock],
  ['common/scripted_triggers', 10, writeBlock],
  ['common/traits', 6, writeBlock],
  ['common/on_action', 5, writeBlock],
  ['history/characters', 10, writeCharacter],
  ['localization/english', 25, writeText],
]
const MODS = 40

export async function writePlayset(folder: string, files: number, seed: number): Promise<SyntheticPlayset> {
  const random = createSeededRandom(seed)
  const names: string[] = []
  let bytes = 0
  for (let number = 0; number < files; number++) {
    const [place, , write] = pickFolder(random)
    const keys = Array.from({ length: 2 + random.below(24) }, () => createKey(random))
    const isText = place.startsWith('localization')
    const body = keys.map((key) => write(key, random)).join(isText ? '' : '\n')
    const text = isText ? `\uFEFFl_english:\n${body}` : `\uFEFF# Written by a program.\n${body}`
    const name = isText ? `file_${number}_l_english.yml` : `file_${number}.txt`
    const mod = number % 3 === 0 ? 'game' : `mod_${random.below(MODS)}`
    const path = join(folder, mod, place, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
    bytes += Buffer.byteLength(text)
    if (!isText && names.length < 2_000) names.push(keys[0] ?? '')
  }
  for (let mod = 0; mod < MODS; mod++) {
    const descriptor = join(folder, `mod_${mod}`, 'descriptor.mod')
    await mkdir(dirname(descriptor), { recursive: true })
    await writeFile(descriptor, `version="1.0"\nname="Mod ${mod}"\nsupported_version="1.18.*"\n`)
  }
  return { files: files + MODS, bytes, names }
}

function pickFolder(random: SeededRandom): (typeof FOLDERS)[number] {
  let at = random.below(100)
  const found = FOLDERS.find(([, share]) => {
    at -= share
    return at < 0
  })
  return found ?? random.pick(FOLDERS)
}

const createKey = (random: SeededRandom): string =>
  `${random.pick(WORDS)}_${random.pick(WORDS)}_${random.pick(WORDS)}_${random.below(100_000)}`

function writeEvent(key: string, random: SeededRandom): string {
  return `${key}.${1 + random.below(9)} = {
	type = character_event
	title = ${key}.t
	desc = ${key}.d
	theme = ${random.pick(WORDS)}
	trigger = {
		is_ai = no
		age >= ${16 + random.below(40)}
		NOT = { has_trait = ${random.pick(WORDS)} }
	}
	immediate = {
		save_scope_as = ${random.pick(WORDS)}
		random_vassal = { limit = { opinion = { target = root value > ${random.below(100)} } } add_gold = ${random.below(500)} }
	}
	option = {
		name = ${key}.a
		add_prestige = ${random.below(1_000)}
		trigger_event = { id = ${createKey(random)}.1 days = { ${random.below(10)} ${10 + random.below(90)} } }
	}
}
`
}

function writeBlock(key: string, random: SeededRandom): string {
  const lines = Array.from(
    { length: 3 + random.below(12) },
    () =>
      `	${random.pick(WORDS)}_${random.pick(WORDS)} = { value = ${random.below(1_000)} add = @${random.pick(WORDS)} }`,
  )
  return `${key} = {\n	icon = "gfx/interface/${key}.dds"\n${lines.join('\n')}\n}\n`
}

function writeCharacter(_key: string, random: SeededRandom): string {
  const born = 700 + random.below(600)
  return `${random.below(1_000_000)} = {
	name = "${random.pick(WORDS)}"
	culture = ${random.pick(WORDS)}
	religion = ${random.pick(WORDS)}
	${born}.1.1 = { birth = yes }
	${born + 20 + random.below(50)}.${1 + random.below(12)}.3 = { death = { death_reason = death_battle } }
}
`
}

function writeText(key: string, random: SeededRandom): string {
  return ` ${key}:0 "The ${random.pick(WORDS)} of [ROOT.Char.GetName] and the ${random.pick(WORDS)}, #bold $VALUE|0$#!"\n`
}
