/** The same measure on real mods: `test/programs/measure-mods.ts`. */
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { bytesOf } from '../support/outline.ts'
import { measureRecovery, type ScriptSample } from '../support/recovery.ts'

/** Script as people write it: nested to five blocks, comments, texts, lists on one line, calls, and lines of their own. */
function createBlock(random: SeededRandom, depth: number, tabs: string): string {
  const lines = Array.from({ length: 1 + random.below(4) }, (_, index) => {
    switch (depth > 4 ? random.below(4) : random.below(7)) {
      case 0:
        return `${tabs}has_trait = trait_${index}`
      case 1:
        return `${tabs}desc = "some text, with a comma" # and why`
      case 2:
        return `${tabs}color = { ${index} 2 3 }`
      case 3:
        return `${tabs}call_it_effect = { TARGET = root AMOUNT = ${index} }`
      case 4:
        return `${tabs}# a note with a { in it`
      default:
        return `${tabs}block_${index} = {\n${createBlock(random, depth + 1, `${tabs}\t`)}\n${tabs}}`
    }
  })
  return lines.join('\n')
}

function createSample(random: SeededRandom, number: number): ScriptSample {
  const folder = random.pick(['common/traits', 'common/decisions', 'events', 'common/scripted_effects'])
  const name = (index: number): string => (folder === 'events' ? `file${number}.${index}` : `entry_${number}_${index}`)
  const definitions = Array.from(
    { length: 8 + random.below(20) },
    (_, index) => `${name(index)} = {\n${createBlock(random, 1, '\t')}\n}\n`,
  )
  const text = `\ufeffnamespace = file${number}\n@price = 5\n\n${definitions.join('\n')}`
  return {
    path: `${folder}/file_${number}.txt`,
    bytes: bytesOf(number % 5 === 0 ? text.replaceAll('\n', '\r\n') : text),
  }
}

const random = createSeededRandom(7)
const samples = Array.from({ length: 22 }, (_, number) => createSample(random, number))

test.each(measureRecovery(samples, random, 5))(
  'with "$mutation" at any place, 99 % of the other definitions are found',
  (recovery) => {
    expect(recovery.files).toBeGreaterThan(80)
    expect(recovery.foundShare).toBeGreaterThanOrEqual(0.99)
    expect(recovery.phantomShare).toBeLessThan(0.01)
    expect(recovery.silent).toBeLessThanOrEqual(2)
  },
)
