import { readFileSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  listDoors,
  listImports,
  listSources,
  listWorkspacePackages,
  packageNameOf,
  parseModule,
  root,
  rootManifest,
  toRelative,
} from './workspace.ts'

const packages = listWorkspacePackages()
const packNames = packages
  .filter(({ directory }) => dirname(directory).endsWith(`${sep}packs`))
  .map(({ manifest }) => manifest.name)

/** What any pack may import: packs never import each other, nor what the daemon wires them with. */
const packLayer = [
  '@switchboard/bridge',
  '@switchboard/protocol',
  '@switchboard/config',
  '@switchboard/process',
  '@switchboard/telemetry',
  '@switchboard/store',
  '@switchboard/source',
  '@switchboard/paradox',
  '@switchboard/toolkit',
]

/** Which of our packages the sources of each may import, besides the base. A new package that is no pack takes its place here. */
const layers: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(packNames.map((name) => [name, packLayer])),
  '@switchboard/base': [],
  '@switchboard/protocol': [],
  '@switchboard/bridge': ['@switchboard/protocol'],
  '@switchboard/config': ['@switchboard/protocol'],
  '@switchboard/process': [],
  '@switchboard/secrets': ['@switchboard/protocol', '@switchboard/process'],
  '@switchboard/telemetry': ['@switchboard/protocol'],
  '@switchboard/store': ['@switchboard/protocol'],
  '@switchboard/source': [],
  '@switchboard/paradox': ['@switchboard/source'],
  '@switchboard/toolkit': [
    '@switchboard/protocol',
    '@switchboard/config',
    '@switchboard/telemetry',
    '@switchboard/store',
  ],
  '@switchboard/pool': [
    '@switchboard/protocol',
    '@switchboard/config',
    '@switchboard/process',
    '@switchboard/telemetry',
  ],
  '@switchboard/gateway': ['@switchboard/protocol', '@switchboard/config', '@switchboard/telemetry'],
  '@switchboard/daemon': [
    '@switchboard/protocol',
    '@switchboard/config',
    '@switchboard/process',
    '@switchboard/secrets',
    '@switchboard/telemetry',
    '@switchboard/store',
    '@switchboard/toolkit',
    '@switchboard/pool',
    '@switchboard/gateway',
    ...packNames,
  ],
  '@switchboard/dashboard': ['@switchboard/daemon'],
  '@switchboard/cli': [
    '@switchboard/protocol',
    '@switchboard/config',
    '@switchboard/process',
    '@switchboard/telemetry',
    '@switchboard/pool',
    '@switchboard/gateway',
    '@switchboard/daemon',
  ],
  '@switchboard/vscode': [
    '@switchboard/bridge',
    '@switchboard/protocol',
    '@switchboard/process',
    '@switchboard/telemetry',
    '@switchboard/daemon',
    '@switchboard/cli',
  ],
  '@switchboard/testkit': ['@switchboard/protocol'],
  '@switchboard/bench': [
    '@switchboard/protocol',
    '@switchboard/bridge',
    '@switchboard/store',
    '@switchboard/source',
    '@switchboard/paradox',
    '@switchboard/telemetry',
    '@switchboard/pool',
    '@switchboard/daemon',
    '@switchboard/cli',
    '@switchboard/testkit',
  ],
}

/** A door with more names than this is split into subpaths, or shows what nobody outside needs. */
const MAX_EXPORTS = 60

test('every package has its place in the layers', () => {
  expect(packages.map(({ manifest }) => manifest.name).sort()).toEqual(Object.keys(layers).sort())
})

describe.each(packages)('$manifest.name', ({ directory, manifest }) => {
  const imports = listImports(join(directory, 'src'))

  test('imports only packages of lower layers', () => {
    const allowed = new Set([manifest.name, '@switchboard/base', ...(layers[manifest.name] ?? [])])
    const wrong = imports.filter(({ specifier }) => {
      const name = packageNameOf(specifier)
      return name?.startsWith('@switchboard/') && !allowed.has(name)
    })
    expect(wrong).toEqual([])
  })

  test('never reaches into another package by a relative path', () => {
    const outside = [...imports, ...listImports(join(directory, 'test'))].filter(
      ({ file, specifier }) =>
        specifier.startsWith('.') && !resolve(root, dirname(file), specifier).startsWith(directory + sep),
    )
    expect(outside).toEqual([])
  })

  test('imports in its sources only what its package.json declares as a dependency', () => {
    // The editor gives itself to its extensions as a module of this name.
    const given = manifest.name === '@switchboard/vscode' ? ['vscode'] : []
    const declared = new Set([manifest.name, ...given, ...Object.keys(manifest.dependencies ?? {})])
    const undeclared = imports.filter(({ specifier }) => {
      const name = packageNameOf(specifier)
      return name !== undefined && !declared.has(name)
    })
    expect(undeclared).toEqual([])
  })

  test('exports at most 60 names by each of its doors', () => {
    const wide = listDoors(manifest).flatMap((door) => {
      const { exportedNames } = parseModule(join(directory, door))
      return exportedNames.length > MAX_EXPORTS ? [`${door}: ${exportedNames.length}`] : []
    })
    expect(wide).toEqual([])
  })

  test('names every export', () => {
    const files = listSources(join(directory, 'src')).filter((path) => parseModule(path).exportsEverything)
    expect(files.map(toRelative)).toEqual([])
  })
})

test('the base imports nothing but its own files and Node', () => {
  const foreign = listImports(join(root, 'packages/base/src')).filter(
    ({ specifier }) => !/^(?:\.|node:)/.test(specifier),
  )
  expect(foreign).toEqual([])
})

test('the protocol package imports nothing but its own files and the base', () => {
  const foreign = listImports(join(root, 'packages/protocol/src')).filter(
    ({ specifier }) => !specifier.startsWith('.') && specifier !== '@switchboard/base',
  )
  expect(foreign).toEqual([])
})

describe('dependencies', () => {
  const manifests = [rootManifest, ...packages.map(({ manifest }) => manifest)]
  const all = manifests.flatMap((manifest) =>
    Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).map(([name, version]) => ({
      by: manifest.name,
      name,
      version,
    })),
  )

  test('are pinned to exact versions', () => {
    expect(all.filter(({ version }) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([])
  })

  test('are each named with their reason in docs/dependencies.md', () => {
    const page = readFileSync(join(root, 'docs/dependencies.md'), 'utf8')
    const unnamed = all.filter(({ name }) => !name.startsWith('@switchboard/') && !page.includes(`\`${name}\``))
    expect(unnamed).toEqual([])
  })
})

test('no two sources give one name to classes or types of different meaning', () => {
  // The testkit speaks the protocol by itself: what it says must not change with what it tests.
  const shipped = packages.filter(({ manifest }) => !/testkit|bench/.test(manifest.name))
  const declared = shipped.flatMap(({ directory, manifest }) =>
    listSources(join(directory, 'src'))
      .filter((path) => !path.includes(`${sep}generated${sep}`))
      .flatMap((path) =>
        parseModule(path).exportedTypes.map((name) => ({ name, by: manifest.name, file: toRelative(path) })),
      ),
  )
  const byName = Map.groupBy(declared, ({ name }) => name)
  const shared = [...byName].filter(([, places]) => {
    // Packs never see each other: each has a `Host` and a `Config` of its own.
    const packs = new Set(places.flatMap(({ by }) => (packNames.includes(by) ? [by] : [])))
    return packs.size < places.length && places.length > 1
  })
  expect(shared.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)).toEqual([])
})

test('no source file is longer than 500 lines', () => {
  const directories = [
    ...packages.flatMap(({ directory }) => ['src', 'test', 'bin'].map((name) => join(directory, name))),
    join(root, 'scripts'),
  ]
  // Nobody reads a generated file from its beginning to its end.
  const written = directories.flatMap(listSources).filter((path) => !path.includes(`${sep}generated${sep}`))
  const long = written.flatMap((path) => {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n').length
    return lines > 500 ? [`${toRelative(path)}: ${lines}`] : []
  })
  expect(long).toEqual([])
})

test('no source declares with `using`, which the oldest Node that we support cannot read', () => {
  // The benchmarks are run with the newest.
  const shipped = packages.filter(({ manifest }) => manifest.name !== '@switchboard/bench')
  const directories = shipped.flatMap(({ directory }) => ['src', 'bin'].map((name) => join(directory, name)))
  const newer = directories
    .flatMap(listSources)
    .filter((path) => /^\s*(?:await )?using \w+ =/m.test(readFileSync(path, 'utf8')))
  expect(newer.map(toRelative)).toEqual([])
})

describe('the reader of imports', () => {
  const source = [
    "import type { A } from '@switchboard/protocol'",
    "import './side-effect.ts'",
    "export { b } from '../b.ts'",
    "export * from './all.ts'",
    "const lazy = () => import('ws')",
    "type C = import('ajv').Ajv",
    'const text = "import fake from \'not-an-import\'"',
  ].join('\n')

  test('finds every kind of import, and none inside a string', () => {
    expect(parseModule('example.ts', source).specifiers.sort()).toEqual(
      ['../b.ts', './all.ts', './side-effect.ts', '@switchboard/protocol', 'ajv', 'ws'].sort(),
    )
  })

  test('tells an export of everything from exports by name', () => {
    expect(parseModule('example.ts', source).exportsEverything).toBe(true)
    expect(parseModule('example.ts', "export { b } from '../b.ts'").exportsEverything).toBe(false)
  })

  test('counts the names that a module exports, types as well', () => {
    const module =
      "export { a, type B } from './a.ts'\nexport const c = 1, d = 2\nexport interface E {}\nexport default c"
    expect(parseModule('example.ts', module).exportedNames.sort()).toEqual(['B', 'E', 'a', 'c', 'd', 'default'])
  })

  test('names the classes and types that a module declares for others, and none inside a string', () => {
    const module = [
      'export abstract class A {}',
      'export interface B {}',
      'export type C = string',
      'interface Own {}',
      "export type { Theirs } from './theirs.ts'",
      'export const text = `\nexport interface Written {}\n`',
    ].join('\n')
    expect(parseModule('example.ts', module).exportedTypes).toEqual(['A', 'B', 'C'])
  })

  test.each([
    ['node:fs', undefined],
    ['./near.ts', undefined],
    ['ajv/dist/2020.js', 'ajv'],
    ['@switchboard/pool/sub', '@switchboard/pool'],
  ])('takes %s for a module of %s', (specifier, name) => {
    expect(packageNameOf(specifier)).toBe(name)
  })
})
