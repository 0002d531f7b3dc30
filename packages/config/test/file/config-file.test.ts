import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { createConfigFile } from '../../src/file/config-file.ts'
import { packSection, packsField } from '../../src/file/pack-section.ts'
import { section } from '../../src/file/section.ts'
import { recordType } from '../../src/shape/collection-types.ts'
import { field, type InputOf, type KeysOfKind, pickKind, type ValuesOf } from '../../src/shape/field.ts'
import { booleanType, durationType, integerType, textType } from '../../src/shape/field-types.ts'
import { objectType } from '../../src/shape/object-type.ts'

const DOOR_FIELDS = {
  width: field(integerType(1, 9), { required: true, fallback: 1, doc: 'How wide it is.' }),
  closer: field(durationType, { fallback: 5000, written: '5s', unit: 'ms', doc: 'How soon it closes.' }),
  colour: field(textType({ expected: 'a colour' }), { doc: 'Absent: none.' }),
}
const DOORS = recordType(objectType({ name: 'door', owner: 'a door', fields: DOOR_FIELDS }), {
  expected: 'an object of doors',
  short: 'object of doors',
})

const house = section({
  fields: { doors: field(DOORS, { fallback: {}, written: {}, doc: 'The doors by name.' }) },
  foreign: { gates: '"doors" instead' },
  finish: ({ doors }) => ({ widest: Math.max(0, ...Object.values(doors).map(({ width }) => width)) }),
})
const garden = section({ fields: { trees: field(integerType(0, 99), { fallback: 3, doc: 'How many trees.' }) } })
const clock = packSection({
  title: 'The clock',
  doc: 'The clock; see below.',
  enabled: 'Whether it runs.',
  fields: { alarm: field(durationType, { fallback: 60_000, written: '1m', doc: 'How long it rings.' }) },
})
const quiet = packSection({ title: 'Quiet', doc: 'Quiet.', enabled: 'Whether.', enabledByDefault: false, fields: {} })
const packs = section({
  fields: {
    packs: packsField([
      { name: 'clock', config: clock },
      { name: 'quiet', config: quiet },
    ]),
  },
})

const file = createConfigFile({
  title: 'A house',
  description: 'For tests.',
  sections: [house, garden, packs],
  check: ({ widest, trees }, { context }) => {
    if (widest > trees)
      context.problems.report({ path: ['trees'], problem: 'are too few', expected: `at least ${widest}` })
  },
})

function messageOf(text: string): string {
  try {
    file.read({ text, file: 'house.json', env: {}, baseDirectory: '/' })
  } catch (error) {
    if (error instanceof SwitchboardError) return error.message
    throw error
  }
  return 'accepted'
}

describe('a file of several sections', () => {
  it('is read into what each of them makes of its keys', () => {
    expect(file.check({ doors: { front: { width: 2, closer: '1s' } }, packs: { clock: { alarm: '5s' } } })).toEqual({
      widest: 2,
      trees: 3,
      packs: { clock: { enabled: true, alarm: 5000 }, quiet: { enabled: false } },
    })
  })

  it.each([
    [
      '{"dors": {}}',
      'house.json:1:2: dors: unknown key. Expected a key of the configuration: $schema, doors, trees, packs. Did you mean "doors"?',
    ],
    [
      '{"gates": {}}',
      'house.json:1:2: gates: a key of other programs that has no meaning here. Expected "doors" instead.',
    ],
    [
      '{"doors": {"a": {}}}',
      'house.json:1:17: doors.a: the key "width" is missing. Expected a whole number from 1 to 9.',
    ],
    [
      '{"packs": {"clock": {"alarn": 1}}}',
      'house.json:1:22: packs.clock.alarn: unknown key. Expected a key of packs.clock: enabled, alarm. Did you mean "alarm"?',
    ],
    [
      '{"packs": {"clok": {}}}',
      'house.json:1:12: packs.clok: unknown key. Expected a key of the packs: clock, quiet. Did you mean "clock"?',
    ],
    ['{"doors": {"a": {"width": 9}}}', 'house.json: trees: are too few. Expected at least 9.'],
  ])('refuses %s with the place, the key and the cure', (text, message) => {
    expect(messageOf(text)).toBe(message)
  })

  it('has a schema with a definition for every object, also those of packs', () => {
    expect(file.createSchema()).toMatchObject({
      title: 'A house',
      properties: { doors: { additionalProperties: { $ref: '#/$defs/door' } }, packs: { $ref: '#/$defs/packs' } },
      $defs: {
        door: { required: ['width'], properties: { closer: { default: '5s' } } },
        clockPack: { properties: { enabled: { default: true }, alarm: { default: '1m' } } },
        quietPack: { properties: { enabled: { default: false } } },
      },
    })
  })

  it('has a table of keys for every object, with the place where it stands', () => {
    expect(file.createDocs().match(/^### .*$/gm)).toEqual([
      '### The file',
      '### A door (`doors.<name>`)',
      '### The packs (`packs`)',
      '### The clock (`packs.clock`)',
      '### Quiet (`packs.quiet`)',
    ])
    expect(file.createDocs()).toContain('| `closer` | duration | `"5s"` | How soon it closes. |')
  })

  it('cannot have two objects of one name', () => {
    const other = objectType({ name: 'door', owner: 'another door', fields: {} })
    const twice = section({ fields: { other: field(other, { doc: 'Another.' }) } })
    const broken = createConfigFile({ title: '', description: '', sections: [house, twice] })
    expect(() => broken.createSchema()).toThrow('Two objects of the configuration are called "door"')
  })
})

describe('the types of a declaration', () => {
  it('are those of what is read and of what is written', () => {
    expectTypeOf<ValuesOf<typeof DOOR_FIELDS>>().toEqualTypeOf<{
      readonly width: number
      readonly closer: number
      readonly colour: string | undefined
    }>()
    expectTypeOf<InputOf<typeof DOOR_FIELDS>>().toEqualTypeOf<{
      width: number
      closer?: string | number | undefined
      colour?: string | undefined
    }>()
    type Config = ReturnType<typeof file.check>
    expectTypeOf<Config['packs']['clock']['alarm']>().toEqualTypeOf<number>()
    expectTypeOf<Config['widest']>().toEqualTypeOf<number>()
  })

  it('and values tell what an object of one kind has', () => {
    const fields = {
      wheels: field(integerType(0, 9), { fallback: 4, kinds: ['car', 'bike'], doc: 'How many.' }),
      sails: field(integerType(0, 9), { fallback: 1, kinds: ['boat'], doc: 'How many.' }),
      isNew: field(booleanType, { fallback: false, doc: 'Whether.' }),
    }
    expectTypeOf<KeysOfKind<typeof fields, 'car'>>().toEqualTypeOf<'wheels' | 'isNew'>()
    expect(pickKind(fields, { wheels: 4, sails: 1, isNew: true }, 'boat')).toEqual({ sails: 1, isNew: true })
  })
})
