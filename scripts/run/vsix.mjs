// The extension of VS Code as the one file that people install: what `packages/vscode/extension` holds, the bundled extension, and
// the whole command beside it, so that a machine with nothing but VS Code has a working Switchboard.

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { commandFiles, extensionPath, packagesBeside } from './bundle.mjs'
import { fingerprint, isStamped, listFiles, writeStamp } from './fingerprint.mjs'
import { createZip } from './zip.mjs'

/** @typedef {import('./zip.mjs').ZipEntry} ZipEntry */

const cli = join('packages', 'cli')
const command = [join(cli, 'bin', 'switchboard.mjs'), ...commandFiles]

/** @param {string} root */
function readExtensionManifest(root) {
  return JSON.parse(readFileSync(join(root, 'packages', 'vscode', 'extension', 'package.json'), 'utf8'))
}

/** @param {string} root */
export function vsixPath(root) {
  return join(root, 'packages', 'vscode', 'dist', `switchboard-${readExtensionManifest(root).version}.vsix`)
}

/** Of what is in it. The bundle must be current. @param {string} root */
function fingerprintOf(root) {
  return fingerprint(root, [
    'package-lock.json',
    ...['vsix.mjs', 'zip.mjs'].map((name) => join('scripts', 'run', name)),
    ...command,
    relative(root, extensionPath(root)),
    ...listFiles(join(root, 'packages', 'vscode', 'extension')).map((path) => relative(root, path)),
  ])
}

/** @param {string} root */
export function isVsixCurrent(root) {
  return existsSync(vsixPath(root)) && isStamped(`${vsixPath(root)}.stamp`, fingerprintOf(root))
}

/** Call it under the set-up lock only, after the bundle is built. @param {string} root @returns {number} its bytes */
export function buildVsix(root) {
  const built = fingerprintOf(root)
  const content = createVsix(root)
  // By rename: whoever installs it meanwhile has the old one or the new one.
  const temporary = `${vsixPath(root)}.${process.pid}`
  writeFileSync(temporary, content)
  renameSync(temporary, vsixPath(root))
  writeStamp(`${vsixPath(root)}.stamp`, built)
  return content.length
}

/** @param {string} root @returns {Buffer} */
function createVsix(root) {
  const files = [
    ...listFolder(join(root, 'packages', 'vscode', 'extension'), ''),
    { name: 'dist/extension.js', content: readFileSync(extensionPath(root)) },
    { name: 'LICENSE.txt', content: readFileSync(join(root, 'LICENSE')) },
    ...command.map((file) => ({
      name: `switchboard/${relative(cli, file).split(sep).join('/')}`,
      content: readFileSync(join(root, file)),
    })),
    ...listBeside(root).flatMap((name) =>
      listFolder(join(root, 'node_modules', name), `switchboard/node_modules/${name}/`),
    ),
  ]
  return packFiles(readExtensionManifest(root), files)
}

/**
 * @param {Record<string, any>} manifest the package.json of an extension
 * @param {readonly ZipEntry[]} files what lies in its folder, that package.json included
 */
function packFiles(manifest, files) {
  const content = files.map(({ name, content }) => ({ name: `extension/${name}`, content }))
  return createZip([
    {
      name: 'extension.vsixmanifest',
      content: Buffer.from(describeExtension(manifest, new Set(files.map(({ name }) => name)))),
    },
    { name: '[Content_Types].xml', content: Buffer.from(describeTypes(files)) },
    ...content,
  ])
}

/** What the bundle leaves in node_modules, with all that this needs in turn. @param {string} root */
function listBeside(root) {
  /** @type {Set<string>} */
  const found = new Set()
  const pending = [...packagesBeside]
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue
    found.add(name)
    const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
    pending.push(...Object.keys(dependencies))
    // Two versions of one package would lie below each other, and one of them would be left behind.
    if (existsSync(join(root, 'node_modules', name, 'node_modules'))) {
      throw new Error(`node_modules/${name} has packages of its own, which the extension would not bring along.`)
    }
  }
  return [...found].sort()
}

/** Of a package: what runs, and its licence. @param {string} folder @param {string} prefix @returns {ZipEntry[]} */
function listFolder(folder, prefix) {
  return listFiles(folder)
    .map((path) => ({ path, name: prefix + relative(folder, path).split(sep).join('/') }))
    .filter(({ name }) => prefix === '' || isNeeded(name))
    .map(({ path, name }) => ({ name, content: readFileSync(path) }))
}

/** @param {string} name */
function isNeeded(name) {
  const isCode =
    /\.(?:[cm]?js|json|wasm|node)$/.test(name) && !/(?:^|\/)(?:test|tests|spec|docs|benchmark)\//.test(name)
  return isCode || /(?:^|\/)(?:licen[cs]e|notice)[^/]*$/i.test(name)
}

/** @param {Record<string, any>} manifest @param {ReadonlySet<string>} names */
function describeExtension(manifest, names) {
  const {
    name,
    version,
    publisher,
    displayName = name,
    description = '',
    engines,
    icon,
    extensionKind = [],
    categories = [],
  } = manifest
  const assets = [
    ['Microsoft.VisualStudio.Code.Manifest', 'package.json'],
    ['Microsoft.VisualStudio.Services.Content.Details', 'README.md'],
    ['Microsoft.VisualStudio.Services.Content.License', 'LICENSE.txt'],
    ['Microsoft.VisualStudio.Services.Icons.Default', icon],
  ].filter(([, file = '']) => names.has(file))
  const properties = [
    ['Microsoft.VisualStudio.Code.Engine', engines.vscode],
    ['Microsoft.VisualStudio.Code.ExtensionKind', extensionKind.join(',')],
  ]
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escapeXml(name)}" Version="${escapeXml(version)}" Publisher="${escapeXml(publisher)}" />
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Categories>${escapeXml(categories.join(','))}</Categories>
    <Properties>
${properties.map(([id, value]) => `      <Property Id="${id}" Value="${escapeXml(value)}" />`).join('\n')}
    </Properties>${icon === undefined ? '' : `\n    <Icon>extension/${escapeXml(icon)}</Icon>`}
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
${assets.map(([type, file]) => `    <Asset Type="${type}" Path="extension/${file}" Addressable="true" />`).join('\n')}
  </Assets>
</PackageManifest>
`
}

/** Each kind of file needs a type there, whatever it is. @param {readonly ZipEntry[]} files */
function describeTypes(files) {
  const endings = new Set(['.vsixmanifest', ...files.map(({ name }) => /\.[^./]+$/.exec(name)?.[0] ?? '')])
  endings.delete('')
  const types = [...endings].sort().map((ending) => {
    const type = /^\.(?:vsixmanifest|xml)$/.test(ending)
      ? 'text/xml'
      : ending === '.json'
        ? 'application/json'
        : 'application/octet-stream'
    return `<Default Extension="${escapeXml(ending.slice(1))}" ContentType="${type}" />`
  })
  const bare = files.filter(({ name }) => !/\.[^./]+$/.test(name))
  const overrides = bare.map(
    ({ name }) => `<Override PartName="/extension/${escapeXml(name)}" ContentType="text/plain" />`,
  )
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${[...types, ...overrides].join('')}</Types>
`
}

/** @param {string} text */
function escapeXml(text) {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
