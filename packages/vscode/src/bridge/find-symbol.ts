/** From what an agent calls a symbol to where it stands: by its file and its qualified name, as the language server tells them. */
import { setTimeout as delay } from 'node:timers/promises'
import { BridgeError } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'

export interface FoundSymbol {
  readonly uri: vscode.Uri
  readonly name: string
  readonly kind: vscode.SymbolKind
  /** All of it. */
  readonly range: vscode.Range
  /** Of its name. */
  readonly position: vscode.Position
}

const MAX_NAMED = 20
/** For a language server that is just being started, which is told by nothing but its answers. */
const START_MS = 8_000
const ASK_AGAIN_MS = 100
/** Languages whose extensions had their time, and know no symbols. */
const withoutSymbols = new Set<string>()

export async function openDocument(path: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(vscode.Uri.file(path))
  } catch {
    throw new BridgeError('E_FILE_NOT_FOUND', `VS Code cannot open ${path} as text`)
  }
}

export async function findSymbol({ path, symbol }: JsonObject): Promise<FoundSymbol> {
  const wanted = String(symbol)
  const document = await openDocument(String(path))
  const all = await listSymbols(document)
  const exact = all.filter(({ name }) => name === wanted)
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.endsWith(`.${wanted}`))
  const [first, second] = found
  if (first === undefined) {
    const names = all.slice(0, MAX_NAMED).map(({ name }) => name)
    throw new BridgeError('E_SYMBOL_NOT_FOUND', `There is no symbol "${wanted}" in that file`, { details: { names } })
  }
  if (second !== undefined) {
    const names = found.slice(0, MAX_NAMED).map(({ name, position }) => `${name} (line ${position.line + 1})`)
    throw new BridgeError('E_AMBIGUOUS_SYMBOL', `${found.length} symbols are called "${wanted}"`, {
      details: { names },
    })
  }
  return first
}

type ToldSymbols = readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined

/** With their qualified names, in the order of the file. `isPatient`: a language server that is just starting is waited for. */
export async function listSymbols(
  { uri, languageId }: vscode.TextDocument,
  { isPatient = true } = {},
): Promise<FoundSymbol[]> {
  const ask = () => vscode.commands.executeCommand<ToldSymbols>('vscode.executeDocumentSymbolProvider', uri)
  const told = (await ask()) ?? (isPatient ? await askWhileStarting(languageId, ask) : undefined)
  if (told === undefined) throw createNoServer(languageId)
  // Those with children have a location too, for readers of before there were any.
  return told.flatMap((symbol) => ('children' in symbol ? flatten(uri, symbol, '') : [fromInformation(symbol)]))
}

/** An extension is started by the first file of its language, and only then says what it knows. */
async function askWhileStarting(language: string, ask: () => Thenable<ToldSymbols>): Promise<ToldSymbols> {
  const isFor = ({ packageJSON }: vscode.Extension<unknown>): boolean =>
    [packageJSON.activationEvents].flat().includes(`onLanguage:${language}`)
  if (withoutSymbols.has(language) || !vscode.extensions.all.some(isFor)) return undefined
  for (const end = performance.now() + START_MS; performance.now() < end; ) {
    await delay(ASK_AGAIN_MS)
    const told = await ask()
    if (told !== undefined) return told
  }
  withoutSymbols.add(language)
  return undefined
}

export function createNoServer(languageId: string): BridgeError {
  return new BridgeError('E_NO_LANGUAGE_SERVER', `No extension of this window knows the symbols of ${languageId}`)
}

function flatten(uri: vscode.Uri, symbol: vscode.DocumentSymbol, container: string): FoundSymbol[] {
  const name = container === '' ? symbol.name : `${container}.${symbol.name}`
  const { kind, range, selectionRange, children } = symbol
  const own = { uri, name, kind, range, position: selectionRange.start }
  return [own, ...children.flatMap((child) => flatten(uri, child, name))]
}

function fromInformation({ name, containerName, kind, location }: vscode.SymbolInformation): FoundSymbol {
  const { uri, range } = location
  return { uri, name: containerName ? `${containerName}.${name}` : name, kind, range, position: range.start }
}

export function nameOfKind(kind: vscode.SymbolKind): string {
  return (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase()
}
