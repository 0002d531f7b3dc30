/** The files of a new pack. No file and no import depends on the name, so that every name gives sorted imports. */
import { toToolName, toTypeName } from '../manifest/tool-name.ts'
import type { GeneratedFile } from './generated-file.ts'
import type { PackageManifest } from './register-pack.ts'
import { createToolMeta } from './tool-template.ts'

const VERSION = '0.1.0'
const DEPENDENCIES = ['config', 'toolkit']
const TEST_DEPENDENCIES = ['base', 'telemetry']

export interface PackFiles {
  readonly tool: string
  readonly manifest: PackageManifest
  readonly files: readonly GeneratedFile[]
}

export function createPackFiles(name: string, packageName: string, directory: string): PackFiles {
  const alias = `${name}.echo`
  const tool = toToolName(alias)
  const type = toTypeName(alias)
  const manifest = createPackage(name, packageName)
  const files = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': createCompilerOptions(),
    'guides/first-steps.md': createGuide(tool),
    'src/pack.yaml': createCommon(),
    'src/pack.ts': createPackModule(name),
    'src/config.ts': createConfig(name),
    'src/host.ts': HOST,
    'src/index.ts': "export { pack } from './pack.ts'\n",
    'src/open-pack.ts': createOpener(name),
    'src/tools/echo.meta.yaml': createToolMeta({
      alias,
      times: 'min: 1',
      error: { code: 'E_TOO_OFTEN', hint: '"Ask for fewer, or set maxTimes of the pack higher."' },
      isCore: true,
    }),
    'src/tools/echo.ts': createTool(type),
    'test/tools/echo.test.ts': createTest(tool),
  }
  return {
    tool,
    manifest,
    files: Object.entries(files).map(([path, content]) => ({ path: `${directory}/${path}`, content })),
  }
}

function createPackage(name: string, packageName: string) {
  return {
    name: packageName,
    version: VERSION,
    private: true,
    description: `The pack ${name}.`,
    license: 'Apache-2.0',
    type: 'module',
    sideEffects: false,
    engines: { node: '>=22.18' },
    exports: {
      '.': { 'switchboard-source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' },
    },
    files: ['dist'],
    dependencies: toDependencies(DEPENDENCIES),
    devDependencies: toDependencies(TEST_DEPENDENCIES),
  }
}

function toDependencies(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`@switchboard/${name}`, VERSION]))
}

function createCompilerOptions(): string {
  const references = DEPENDENCIES.map((name) => `{ "path": "../../${name}" }`)
  return `{
  "extends": "../../../tsconfig.base.json",
  "compilerOptions": { "rootDir": "src", "outDir": "dist", "tsBuildInfoFile": "dist/.tsbuildinfo" },
  "include": ["src"],
  "references": [${references.join(', ')}]
}
`
}

function createGuide(tool: string): string {
  return `---
id: first-steps
title: First steps
summary: One call, and what it answers.
tags: [start]
---

Call \`${tool}\` with a \`message\`; \`times\` says how often it comes back.
`
}

function createCommon(): string {
  return `# yaml-language-server: $schema=../../../../schema/pack.schema.json
# What the tools of this pack have in common: docs/toolkit.md.
{}
`
}

function createPackModule(name: string): string {
  return `import { definePack } from '@switchboard/toolkit'
import { config } from './config.ts'
import { manifest } from './generated/manifest.ts'

/** Every command that reads the configuration imports this module: what is heavy belongs behind the import in \`create\`. */
export const pack = definePack({
  name: '${name}',
  summary: 'Answers with the message that it was given.',
  config,
  tools: manifest.tools,
  guides: manifest.guides,
  async create(context, values) {
    const { openPack } = await import('./open-pack.ts')
    return openPack(context, values)
  },
})
`
}

function createConfig(name: string): string {
  return `/** What a person may say about this pack: \`packs.${name}\` in the configuration. */
import { field, integerType, type PackValues, packSection } from '@switchboard/config'

export const config = packSection({
  title: 'The pack ${name}',
  doc: 'The pack ${name} ([${name}-tools.md](${name}-tools.md)); see below.',
  enabled: 'Whether agents have this pack.',
  fields: {
    maxTimes: field(integerType(1, 100), {
      fallback: 10,
      written: 10,
      unit: 'times',
      doc: 'How often a message is repeated in one answer at most.',
    }),
  },
})

export type Config = PackValues<typeof config>
`
}

const HOST = `import type { PackHost, ToolContext } from '@switchboard/toolkit'

/** What every tool of this pack is given besides its parameters. */
export interface Host extends PackHost {
  readonly maxTimes: number
}

export type Context = ToolContext<Host>
`

function createOpener(name: string): string {
  return `import { createPack, type PackContext, type PackInstance } from '@switchboard/toolkit'
import type { Config } from './config.ts'
import { manifest } from './generated/manifest.ts'
import { tools } from './generated/tools.ts'
import type { Host } from './host.ts'

export function openPack({ log, clock }: PackContext, { maxTimes }: Config): PackInstance {
  const provider = createPack<Host>({ name: '${name}', manifest, tools, host: { maxTimes }, log, clock })
  return {
    provider,
    // What an agent has here ends with the agent.
    release: (owner) => provider.release(owner),
    close: async () => {},
  }
}
`
}

function createTool(type: string): string {
  return `import { ToolError, type ToolOutcome } from '@switchboard/toolkit'
import type { ${type}Data, ${type}Params } from '../generated/types.ts'
import type { Context } from '../host.ts'

export function run({ message, times }: ${type}Params, { host }: Context): ToolOutcome<${type}Data> {
  if (times > host.maxTimes) throw new ToolError('E_TOO_OFTEN', \`\${times} times is more than \${host.maxTimes}\`)
  const answer = Array(times).fill(message).join(' ')
  return { data: { answer }, text: answer }
}
`
}

function createTest(tool: string): string {
  return `import { systemClock } from '@switchboard/base'
import { silentLogger } from '@switchboard/telemetry'
import { describe, expect, it } from 'vitest'
import { openPack } from '../../src/open-pack.ts'

const context = { log: silentLogger, clock: systemClock, folders: { cache: '' }, services: undefined }
const { provider } = openPack(context, { enabled: true, maxTimes: 3 })

function call(args: { message: string; times?: number }) {
  const caller = { era: 'modern', capabilities: {} } as const
  const { signal } = new AbortController()
  const own = { id: '1', traceId: '0af7651916cd43dd8448eb211c80319c', caller, signal }
  return provider.request('tools/call', { name: '${tool}', arguments: args }, own)
}

describe('${tool}', () => {
  it('answers with the message, as often as it was asked to', async () => {
    expect(await call({ message: 'hello', times: 2 })).toMatchObject({
      structuredContent: { ok: true, data: { answer: 'hello hello' } },
    })
  })

  it('refuses to repeat it more often than the configuration allows', async () => {
    expect(await call({ message: 'hello', times: 4 })).toMatchObject({
      structuredContent: { ok: false, error: { code: 'E_TOO_OFTEN' } },
    })
  })
})
`
}
