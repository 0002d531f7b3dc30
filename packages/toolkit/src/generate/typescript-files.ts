/** The modules of a pack that nobody writes: the types of its tools, the table of functions, and its manifest as data. */
import { posix } from 'node:path'
import type { ToolDeclaration } from '../manifest/tool-declaration.ts'
import { toTypeName, toVariableName } from '../manifest/tool-name.ts'
import type { GeneratedFile } from './generated-file.ts'
import { type PackSource, type PackTool, toManifest } from './read-pack.ts'
import { objectToType, schemaToType } from './schema-to-type.ts'

const HEADER = '// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.'
const BUILT = '// Built from the *.meta.yaml files and guides of this pack whenever they change. Not committed.'

/** What a person reviews, and so is committed. */
export function createTypescriptFiles(pack: PackSource): GeneratedFile[] {
  const folder = `${pack.directory}/src/generated`
  return [
    { path: `${folder}/types.ts`, content: createTypesModule(pack) },
    { path: `${folder}/tools.ts`, content: createToolsModule(pack) },
  ]
}

/** As text that is parsed when it is needed: half as large as an object in code, and read faster. */
export function createManifestFile(pack: PackSource): GeneratedFile {
  const content = [
    BUILT,
    "import type { PackManifest } from '@switchboard/toolkit'",
    '',
    `export const manifest: PackManifest = JSON.parse(${toLiteral(JSON.stringify(toManifest(pack)))})`,
    '',
  ]
  return { path: `${pack.directory}/src/generated/manifest.ts`, content: content.join('\n') }
}

/** JSON is full of double quotes: in single ones it stays readable. */
function toLiteral(json: string): string {
  return `'${json.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function createTypesModule({ tools, definitions }: PackSource): string {
  return [
    HEADER,
    ...Object.entries(definitions).flatMap(([name, schema]) => [
      '',
      ...(typeof schema.description === 'string' ? [`/** ${schema.description.trim().replace(/\s+/g, ' ')} */`] : []),
      `export type ${name} = ${schemaToType(schema, { defaultsAreThere: false })}`,
    ]),
    ...tools.flatMap(({ declaration }) => createTypes(declaration)),
    '',
  ].join('\n')
}

function createTypes({ alias, input, data }: ToolDeclaration): string[] {
  const name = toTypeName(alias)
  return [
    '',
    `/** Of ${alias}, defaults filled in. */`,
    `export type ${name}Params = ${objectToType(input, { defaultsAreThere: true }, '')}`,
    '',
    `/** What ${alias} answers with. */`,
    `export type ${name}Data = ${schemaToType(data, { defaultsAreThere: false })}`,
  ]
}

function createToolsModule({ tools }: PackSource): string {
  const types = tools.flatMap(({ declaration }) => {
    const name = toTypeName(declaration.alias)
    return [`${name}Data`, `${name}Params`]
  })
  return [
    HEADER,
    ...(tools.length === 0 ? [] : ["import type { ToolFunction } from '@switchboard/toolkit'"]),
    ...tools.map(createImport),
    ...(types.length === 0 ? [] : ['import type {', ...types.map((type) => `  ${type},`), "} from './types.ts'"]),
    '',
    '/** By alias. Each is checked against the types of its declaration. */',
    'export const tools = {',
    ...tools.map(createEntry),
    '}',
    '',
  ].join('\n')
}

function createImport({ declaration, module }: PackTool): string {
  const path = posix.relative('src/generated', module)
  return `import { run as ${toVariableName(declaration.alias)} } from '${path}'`
}

function createEntry({ declaration: { alias } }: PackTool): string {
  const name = toTypeName(alias)
  return `  '${alias}': ${toVariableName(alias)} satisfies ToolFunction<${name}Params, ${name}Data>,`
}
